import { Type } from 'typebox';
import { organizationEvent } from '#directory';
import { exactly, type EventOf } from '#event-store';

const Id = Type.Integer({ minimum: 1 });
/** Who did it, and when in seconds since the epoch. */
const Done = { by: Id, at: Type.Integer() };

/** The new folder is the last one. */
export const folderCreated = organizationEvent(
  'channel-folder.created.v1',
  exactly({
    folderId: Id,
    name: Type.String(),
    description: Type.String(),
    renderedDescription: Type.String(),
    ...Done,
  }),
);

/** Lists only what changed. */
export const folderChanged = organizationEvent(
  'channel-folder.changed.v1',
  exactly({
    folderId: Id,
    name: Type.Optional(Type.String()),
    description: Type.Optional(exactly({ text: Type.String(), rendered: Type.String() })),
    isArchived: Type.Optional(Type.Boolean()),
    ...Done,
  }),
);

/** All folders, archived ones included, in their new order. */
export const foldersReordered = organizationEvent(
  'channel-folders.reordered.v1',
  exactly({ folderIds: Type.Array(Id), ...Done }),
);

export const folderEventTypes = [folderCreated, folderChanged, foldersReordered] as const;

export type FolderChanged = EventOf<typeof folderChanged>;
export type FolderEvent = EventOf<(typeof folderEventTypes)[number]>;
