import { memoized } from '#kernel';
import { type CollectionSchema, type Key, projection } from '#read-store';
import { timersOf } from '#timers';
import type { NoticeQueued } from '../notices/notice.events.js';
import type { MissedMailBatched, MissedMessagesNoted } from './missed.events.js';

/** Messages that one mail may be about. Further ones are in the app, and the mail says that there are more. */
export const MISSED_MAX = 200;

/** Messages of which a user is going to be told by mail. */
export interface MissedDocument {
  messages: readonly { readonly messageId: number; readonly dueAt: number }[];
}

export const missedCollection = {
  name: 'missed_messages',
  key: 'integer',
  fields: {},
  indexes: [],
} as const satisfies CollectionSchema;

type Missed = MissedDocument['messages'];
type MissedEvent = NoticeQueued | MissedMessagesNoted | MissedMailBatched;

/** Messages by user. */
const missedIn = memoized(({ missed }: MissedMessagesNoted['data']): ReadonlyMap<Key, Missed> => {
  const byUser = new Map<Key, Missed>();
  for (const { userId, messageIds, dueAt } of missed) {
    const messages = messageIds.map((messageId) => ({ messageId, dueAt }));
    byUser.set(userId, [...(byUser.get(userId) ?? []), ...messages]);
  }
  return byUser;
});

const queuedIn = memoized(
  ({ messageIds, mail }: NoticeQueued['data']): ReadonlyMap<Key, Missed> =>
    new Map(mail.map(({ userId, dueAt }) => [userId, messageIds.map((messageId) => ({ messageId, dueAt }))])),
);

function withMissed(doc: MissedDocument | undefined, missed: Missed = []): MissedDocument {
  const before = doc?.messages ?? [];
  const known = new Set(before.map(({ messageId }) => messageId));
  return { messages: [...before, ...missed.filter(({ messageId }) => !known.has(messageId))].slice(-MISSED_MAX) };
}

export const missedProjection = projection<MissedDocument, MissedEvent>(missedCollection, {
  'notice.queued.v1': {
    keys: ({ data }) => data.mail.map(({ userId }) => userId),
    evolve: (doc, { data }, key) => withMissed(doc, queuedIn(data).get(key)),
  },
  'missed-messages.noted.v1': {
    keys: ({ data }) => [...missedIn(data).keys()],
    evolve: (doc, { data }, key) => withMissed(doc, missedIn(data).get(key)),
  },
  'missed-mail.batched.v1': {
    keys: ({ data }) => [data.userId],
    evolve: (doc, { data }) => {
      const messages = (doc?.messages ?? []).filter(({ messageId }) => !data.messageIds.includes(messageId));
      return messages.length === 0 ? undefined : { messages };
    },
  },
});

/** When a user is to be told. */
export const missedTimers = timersOf<MissedEvent>('missed-mail', {
  'notice.queued.v1': ({ data: { mail } }) =>
    mail.map(({ userId, dueAt }) => ({ subject: `${userId}:${dueAt}`, dueAt })),
  'missed-messages.noted.v1': ({ data: { missed } }) =>
    missed.map(({ userId, dueAt }) => ({ subject: `${userId}:${dueAt}`, dueAt })),
  'missed-mail.batched.v1': ({ data: { userId, dueAt } }) => [{ subject: `${userId}:${dueAt}`, dueAt: undefined }],
});
