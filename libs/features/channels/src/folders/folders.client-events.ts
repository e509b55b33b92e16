import { Injectable } from '@nestjs/common';
import { ClientEvents, type Derivations, type FeedEntry, type Presentable } from '#feed';
import type { Directory } from '#people';
import { wireFolders, type folderEventSchemas } from './wire-folder.js';
import type { FolderChanged, FolderEvent } from '../model/folders/folder.events.js';
import { foldersPart } from '../model/folders/folders.part.js';
import type { WireEvent, WithoutType } from '#wire';

type Told = WireEvent<typeof folderEventSchemas>;
type Body = WithoutType<Told>;

/** Client events about channel folders (events.md §5), for all users. */
@Injectable()
export class FolderClientEvents extends ClientEvents<Told> {
  override readonly on: Derivations<FolderEvent> = {
    'channel-folder.created.v1': ({ data }, directory) => added(directory, data.folderId),
    'channel-folder.changed.v1': ({ data }) => toldToAll(updated(data)),
    'channel-folders.reordered.v1': ({ data }) => toldToAll({ op: 'reorder', order: data.folderIds }),
  };
  override readonly types: ReadonlySet<string> = new Set(['channel_folder']);

  override present({ entry }: Presentable<Body>): readonly Told[] {
    return [{ ...entry.body, type: 'channel_folder' }];
  }
}

function added(directory: Directory, folderId: number): readonly FeedEntry[] {
  const channel_folder = wireFolders(directory.of(foldersPart)).find(({ id }) => id === folderId);
  return channel_folder === undefined ? [] : toldToAll({ op: 'add', channel_folder });
}

function updated({ folderId, name, description, isArchived }: FolderChanged['data']): Body {
  return {
    op: 'update',
    channel_folder_id: folderId,
    data: {
      name,
      ...(description === undefined
        ? {}
        : { description: description.text, rendered_description: description.rendered }),
      is_archived: isArchived,
    },
  };
}

function toldToAll(body: Body): readonly FeedEntry[] {
  return [{ type: 'channel_folder', audience: { to: 'everyone' }, body }];
}
