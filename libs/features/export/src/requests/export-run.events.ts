import { Type } from 'typebox';
import { eventType, exactly, type EventOf } from '#event-store';

/** A process begins, or goes on, to make an archive. */
export const exportRunning = eventType(
  'export.running.v1',
  exactly({
    exportId: Type.Integer({ minimum: 1 }),
    /** Identity of the attempt. */
    run: Type.String(),
    /** Documents written so far, of about so many. */
    done: Type.Integer({ minimum: 0 }),
    total: Type.Integer({ minimum: 0 }),
    /** Without a later event by then, its process has ended, and another one may begin. Seconds since the epoch. */
    until: Type.Integer(),
    at: Type.Integer(),
  }),
);

/** No further attempt is made. */
export const exportGivenUp = eventType(
  'export.given-up.v1',
  exactly({ exportId: Type.Integer({ minimum: 1 }), at: Type.Integer() }),
);

export const exportRunEventTypes = [exportRunning, exportGivenUp] as const;

export type ExportRunning = EventOf<typeof exportRunning>;
/** Events of the stream of an export's progress. */
export type ExportRunEvent = EventOf<(typeof exportRunEventTypes)[number]>;
