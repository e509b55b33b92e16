import { Type } from 'typebox';
import { type EventOf, eventType, exactly } from '#event-store';

const Id = Type.Integer({ minimum: 1 });
/** Seconds since the epoch. */
const At = Type.Integer();
/** The answer to a request. */
const Decided = {
  requestId: Id,
  by: Id,
  /** Who made the request. */
  requestedBy: Id,
  /** Why, in the words of who decided. */
  reason: Type.String({ minLength: 1 }),
  at: At,
  entails: Type.Literal('notice'),
};

/** An auditor wants to ask something for which the approval of somebody else is needed. */
export const auditCallRequested = eventType(
  'audit.call-requested.v1',
  exactly({
    requestId: Id,
    by: Id,
    /** As in `audit.called.v1`. */
    question: Type.String(),
    parameters: Type.Record(Type.String(), Type.String()),
    /** IDs of what the parameters named then; earlier releases did not record them. */
    meant: Type.Optional(Type.Record(Type.String(), Type.Integer({ minimum: 0 }))),
    reason: Type.String({ minLength: 1 }),
    at: At,
    /** Nobody may decide later than this. */
    until: At,
    entails: Type.Literal('notice'),
  }),
);

/** Somebody else let the auditor ask. */
export const auditCallApproved = eventType(
  'audit.call-approved.v1',
  exactly({
    ...Decided,
    /** The auditor may ask up to this second. */
    until: At,
  }),
);

export const auditCallRefused = eventType('audit.call-refused.v1', exactly(Decided));

export const approvalEventTypes = [auditCallRequested, auditCallApproved, auditCallRefused] as const;

export type ApprovalEvent = EventOf<(typeof approvalEventTypes)[number]>;
export type AuditCallRequested = EventOf<typeof auditCallRequested>;
export type AuditCallApproved = EventOf<typeof auditCallApproved>;
export type AuditCallRefused = EventOf<typeof auditCallRefused>;
