import { Command } from '@nestjs/cqrs';
import { assertAdministrator, type User } from '#users/model';
import { Directory } from '#people';
import { Site } from '#realm/model';
import { command, inOrganization } from '#feature';
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

export const changeFolders = command(
  ChangeFoldersCommand,
  { directory: Directory, site: Site },
  ({ actor, asked }, { directory: now, site }) => {
    assertAdministrator(actor);
    const request = rendered(asked, (raw) => folderDescription(now, site, actor, raw));
    return inOrganization((directory, at) => decideFolders(directory, { ...request, actor, at })).answering(
      ({ events }) => events,
    );
  },
);

function rendered(asked: Unrendered, render: (raw: string) => ReturnType<typeof folderDescription>): FolderRequest {
  if (asked.type === 'reorder-folders') return asked;
  if (asked.type === 'create-folder') return { ...asked, description: render(asked.description) };
  return { ...asked, description: asked.description === undefined ? undefined : render(asked.description) };
}
