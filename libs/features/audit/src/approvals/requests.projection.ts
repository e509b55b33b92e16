import { type CollectionSchema, projection } from '#read-store';
import type { ApprovalEvent } from './approval.events.js';

/** A request of an auditor; the key is its ID. */
export interface RequestDocument {
  readonly by: number;
  readonly question: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** IDs of what they named; undefined where it was not recorded. */
  readonly meant?: Readonly<Record<string, number>>;
  /** Of its event in the stream of requests. */
  readonly revision: number;
  /** Seconds since the epoch: when the request, or its approval, is over. */
  readonly until: number;
  /** Who approved it; undefined while nobody has. */
  readonly approvedBy?: number;
}

export const auditRequestsCollection = {
  name: 'audit_requests',
  key: 'integer',
  fields: { until: 'integer' },
  indexes: [['until']],
} as const satisfies CollectionSchema;

/** Requests that were not refused. Those that are over stay: few, and small. */
export const auditRequestsProjection = projection<RequestDocument, ApprovalEvent>(auditRequestsCollection, {
  'audit.call-requested.v1': {
    keys: ({ data }) => [data.requestId],
    creates: true,
    evolve: (_, { revision, data: { by, question, parameters, meant, until } }) => ({
      by,
      question,
      parameters,
      ...(meant === undefined ? {} : { meant }),
      revision,
      until,
    }),
  },
  'audit.call-approved.v1': {
    keys: ({ data }) => [data.requestId],
    evolve: (doc, { data: { by, until } }) => doc && { ...doc, until, approvedBy: by },
  },
  // Without `evolve` the document is removed.
  'audit.call-refused.v1': { keys: ({ data }) => [data.requestId] },
});
