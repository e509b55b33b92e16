import { Type } from 'typebox';
import { type EventOf, eventType, exactly } from '#event-store';

/** An auditor asked for something. Recorded before the answer begins, so that there is no answer without it. */
export const auditCalled = eventType(
  'audit.called.v1',
  exactly({
    by: Type.Integer({ minimum: 1 }),
    /** What was asked, as the last parts of the path: `messages`, `audits`. */
    question: Type.String(),
    /** Parameters by their names on the wire, without the reason. */
    parameters: Type.Record(Type.String(), Type.String()),
    /** Why, in the auditor's words. */
    reason: Type.String({ minLength: 1 }),
    /** Where others have to approve it: the request that this call was made by, and who approved it. */
    approval: Type.Optional(exactly({ requestId: Type.Integer({ minimum: 1 }), by: Type.Integer({ minimum: 1 }) })),
    /** Seconds since the epoch. */
    at: Type.Integer(),
  }),
);

export type AuditCalled = EventOf<typeof auditCalled>;
