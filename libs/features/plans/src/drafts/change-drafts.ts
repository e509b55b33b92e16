import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner, streams } from '#event-store';
import { Clock, unreachable } from '#kernel';
import { Directory, type User } from '#organization';
import { acceptDraft, type WrittenDraft } from './accept-draft.js';
import { synchronizesDrafts } from './drafts.access.js';
import type { DraftCommand } from './drafts.commands.js';
import { draftsDecider } from './drafts.decider.js';
import type { DraftEvent } from './drafts.events.js';

export type DraftRequest =
  | { readonly type: 'add-drafts'; readonly drafts: readonly WrittenDraft[] }
  | { readonly type: 'change-draft'; readonly draftId: number; readonly draft: WrittenDraft }
  | { readonly type: 'remove-draft'; readonly draftId: number };

/** Changes the actor's drafts; resolves to the recorded events. @throws Refusal as `draftsDecider` and `acceptDraft` */
export class ChangeDraftsCommand extends Command<readonly DraftEvent[]> {
  constructor(
    readonly actor: User,
    readonly request: DraftRequest,
  ) {
    super();
  }
}

@CommandHandler(ChangeDraftsCommand)
export class ChangeDraftsHandler implements ICommandHandler<ChangeDraftsCommand> {
  constructor(
    private readonly directory: Directory,
    private readonly runner: CommandRunner,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, request }: ChangeDraftsCommand): Promise<readonly DraftEvent[]> {
    const { events } = await this.runner.run(draftsDecider, streams.plans(actor.userId), () =>
      this.#command(actor, request),
    );
    return events;
  }

  #command(actor: User, request: DraftRequest): DraftCommand {
    const at = this.clock.nowSeconds();
    const common = { userId: actor.userId, at, isSynchronized: synchronizesDrafts(this.directory, actor) };
    switch (request.type) {
      case 'add-drafts':
        return {
          ...common,
          type: request.type,
          drafts: request.drafts.map((draft) => acceptDraft(this.directory, actor, draft, at)),
        };
      case 'change-draft': {
        const { type, draftId } = request;
        return { ...common, type, draftId, draft: acceptDraft(this.directory, actor, request.draft, at) };
      }
      case 'remove-draft':
        return { ...common, ...request };
      default:
        return unreachable(request);
    }
  }
}
