import { type CollectionSchema, projection } from '#read-store';
import type { ScheduledEvent } from './scheduled.events.js';
import { scheduledKey } from './scheduled.projection.js';

/** A scheduled message that could not be sent, and waits for its sender to change or remove it. */
export interface FailedScheduledDocument {
  key: string;
  reason: string;
  deliverAt: number;
  /** Seconds since the epoch. */
  failedAt: number;
}

export const failedScheduledCollection = {
  name: 'failed_scheduled_messages',
  key: 'text',
  fields: { failedAt: 'integer' },
  indexes: [['failedAt']],
} as const satisfies CollectionSchema;

type Handled = Extract<ScheduledEvent, { type: `scheduled-message.${'failed' | 'changed' | 'removed'}.v1` }>;

/** For the operator, one small document each. */
export const failedScheduledProjection = projection<FailedScheduledDocument, Handled>(failedScheduledCollection, {
  'scheduled-message.failed.v1': {
    keys: ({ data }) => [scheduledKey(data.userId, data.message.scheduledId)],
    creates: true,
    evolve: (_doc, { data: { userId, message, reason, at } }) => ({
      key: scheduledKey(userId, message.scheduledId),
      reason,
      deliverAt: message.deliverAt,
      failedAt: at,
    }),
  },
  // Without `evolve` the document is removed.
  'scheduled-message.changed.v1': { keys: ({ data }) => [scheduledKey(data.userId, data.message.scheduledId)] },
  'scheduled-message.removed.v1': { keys: ({ data }) => [scheduledKey(data.userId, data.scheduledId)] },
});
