import { Type } from 'typebox';
import { organizationEvent } from '#directory';
import { exactly, type EventOf } from '#event-store';

const Id = Type.Integer({ minimum: 1 });
/** Seconds since the epoch. */
const At = Type.Integer();

/** An archive of the organization's data is to be made. */
export const exportRequested = organizationEvent(
  'export.requested.v1',
  exactly({
    exportId: Id,
    /** `public`: what all members may read. `consented`: also what those may read who allow it. */
    kind: Type.Union([Type.Literal('public'), Type.Literal('consented')]),
    by: Id,
    at: At,
  }),
);

export const exportFinished = organizationEvent(
  'export.finished.v1',
  exactly({
    exportId: Id,
    /** Content of the archive in the store of files: its SHA-256, and its size in bytes. */
    hash: Type.String(),
    bytes: Type.Integer(),
    at: At,
  }),
);

/** The archive could not be made, however often it was tried. */
export const exportFailed = organizationEvent(
  'export.failed.v1',
  exactly({
    exportId: Id,
    /** Why the operator has given it up. */
    reason: Type.Optional(Type.String()),
    at: At,
  }),
);

/** The archive is gone. */
export const exportDeleted = organizationEvent('export.deleted.v1', exactly({ exportId: Id, by: Id, at: At }));

export const exportEventTypes = [exportRequested, exportFinished, exportFailed, exportDeleted] as const;

export type ExportEvent = EventOf<(typeof exportEventTypes)[number]>;
