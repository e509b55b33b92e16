import { type CollectionSchema, projection } from '#read-store';
import { timersOf } from '#timers';
import type { ScheduledEvent, ScheduledMessage } from './scheduled.events.js';

/** A scheduled message that has not been sent. */
export interface ScheduledDocument extends ScheduledMessage {
  userId: number;
  /** Number of changes so far. */
  changes: number;
  phase: 'waiting' | 'due' | 'failed';
}

export const scheduledCollection = {
  name: 'scheduled_messages',
  key: 'text',
  fields: { userId: 'integer', deliverAt: 'integer' },
  indexes: [['userId', 'deliverAt']],
} as const satisfies CollectionSchema;

/** Sorts by user and then by ID. */
export function scheduledKey(userId: number, scheduledId: number): string {
  return `${userId}:${String(scheduledId).padStart(16, '0')}`;
}

/** The user of a key. */
export function userOfScheduled(key: string): string {
  return key.slice(0, key.indexOf(':'));
}

/** The scheduled messages that have not been sent, one document each. */
export const scheduledProjection = projection<ScheduledDocument, ScheduledEvent>(scheduledCollection, {
  'scheduled-message.added.v1': {
    keys: ({ data }) => [scheduledKey(data.userId, data.message.scheduledId)],
    creates: true,
    evolve: (_doc, { data: { userId, message } }) => ({ userId, ...message, changes: 0, phase: 'waiting' }),
  },
  'scheduled-message.changed.v1': {
    keys: ({ data }) => [scheduledKey(data.userId, data.message.scheduledId)],
    evolve: (doc, { data: { userId, message } }) =>
      doc && { userId, ...message, changes: doc.changes + 1, phase: 'waiting' },
  },
  'scheduled-message.due.v1': {
    keys: ({ data }) => [scheduledKey(data.userId, data.scheduledId)],
    evolve: (doc) => doc && { ...doc, phase: 'due' },
  },
  'scheduled-message.failed.v1': {
    keys: ({ data }) => [scheduledKey(data.userId, data.message.scheduledId)],
    evolve: (doc) => doc && { ...doc, phase: 'failed' },
  },
  // Without `evolve` the document is removed.
  'scheduled-message.removed.v1': { keys: ({ data }) => [scheduledKey(data.userId, data.scheduledId)] },
  'scheduled-message.sent.v1': { keys: ({ data }) => [scheduledKey(data.userId, data.scheduledId)] },
});

/** When the messages that wait are to be sent. */
export const scheduledTimers = timersOf<ScheduledEvent>('scheduled-message', {
  'scheduled-message.added.v1': ({ data }) => [timer(data.userId, data.message.scheduledId, data.message.deliverAt)],
  'scheduled-message.changed.v1': ({ data }) => [timer(data.userId, data.message.scheduledId, data.message.deliverAt)],
  'scheduled-message.removed.v1': ({ data }) => [timer(data.userId, data.scheduledId)],
  'scheduled-message.due.v1': ({ data }) => [timer(data.userId, data.scheduledId)],
  'scheduled-message.failed.v1': ({ data }) => [timer(data.userId, data.message.scheduledId)],
});

function timer(userId: number, scheduledId: number, dueAt?: number) {
  return { subject: scheduledKey(userId, scheduledId), dueAt };
}
