import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner } from '#event-store';
import { Clock } from '#kernel';
import { assertAdministrator, Directory, Site, type User } from '#organization';
import { folderDescription } from './folder-description.js';
import type { FolderRequest } from './folders.commands.js';
import { decideFolders } from './folders.decider.js';
import type { FolderEvent } from '../model/folders/folder.events.js';

/** A request with its description as it was sent. */
type Unrendered = FolderRequest extends infer Request
  ? Request extends { readonly description?: unknown }
    ? Omit<Request, 'description'> & {
        readonly description: Request extends { readonly type: 'create-folder' } ? string : string | undefined;
      }
    : Request
  : never;

/** Changes the organization's channel folders. Resolves with the changes, when clients are told. */
export class ChangeFoldersCommand extends Command<readonly FolderEvent[]> {
  constructor(
    readonly actor: User,
    readonly asked: Unrendered,
  ) {
    super();
  }
}

@CommandHandler(ChangeFoldersCommand)
export class ChangeFoldersHandler implements ICommandHandler<ChangeFoldersCommand> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly directory: Directory,
    private readonly site: Site,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, asked }: ChangeFoldersCommand): Promise<readonly FolderEvent[]> {
    assertAdministrator(actor);
    const request = this.#rendered(actor, asked);
    const at = this.clock.nowSeconds();
    const { events } = await this.runner.runOn(this.directory, (directory) => ({
      events: decideFolders(directory, { ...request, actor, at }),
    }));
    return events;
  }

  #rendered(actor: User, asked: Unrendered): FolderRequest {
    if (asked.type === 'reorder-folders') return asked;
    const render = (raw: string) => folderDescription(this.directory, this.site, actor, raw);
    if (asked.type === 'create-folder') return { ...asked, description: render(asked.description) };
    return { ...asked, description: asked.description === undefined ? undefined : render(asked.description) };
  }
}
