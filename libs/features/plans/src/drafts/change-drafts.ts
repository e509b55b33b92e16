import { Command } from '@nestjs/cqrs';
import { streams } from '#event-store';
import { command, inStream } from '#feature';
import { unreachable } from '#kernel';
import { Directory } from '#people';
import type { User } from '#users/model';
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

export const changeDrafts = command(
  ChangeDraftsCommand,
  { directory: Directory },
  ({ actor, request }, { directory }) =>
    inStream(draftsDecider, streams.plans(actor.userId), (at) => draftCommand(directory, actor, request, at)).answering(
      ({ events }) => events,
    ),
);

function draftCommand(directory: Directory, actor: User, request: DraftRequest, at: number): DraftCommand {
  const common = { userId: actor.userId, at, isSynchronized: synchronizesDrafts(directory, actor) };
  switch (request.type) {
    case 'add-drafts':
      return {
        ...common,
        type: request.type,
        drafts: request.drafts.map((draft) => acceptDraft(directory, actor, draft, at)),
      };
    case 'change-draft': {
      const { type, draftId } = request;
      return { ...common, type, draftId, draft: acceptDraft(directory, actor, request.draft, at) };
    }
    case 'remove-draft':
      return { ...common, ...request };
    default:
      return unreachable(request);
  }
}
