import { memoized } from '#kernel';
import { type CollectionSchema, projection } from '#read-store';
import { timersOf } from '#timers';
import type { MissedMailBatched, NoticeQueued } from '../notices/notice.events.js';

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

const dueAts = memoized(
  ({ mail }: NoticeQueued['data']): ReadonlyMap<unknown, number> =>
    new Map(mail.map(({ userId, dueAt }) => [userId, dueAt])),
);

export const missedProjection = projection<MissedDocument, NoticeQueued | MissedMailBatched>(missedCollection, {
  'notice.queued.v1': {
    keys: ({ data }) => data.mail.map(({ userId }) => userId),
    evolve: (doc, { data }, key) => {
      const dueAt = dueAts(data).get(key) ?? data.at;
      const known = doc?.messages ?? [];
      const added = data.messageIds.filter((id) => !known.some(({ messageId }) => messageId === id));
      return { messages: [...known, ...added.map((messageId) => ({ messageId, dueAt }))].slice(-MISSED_MAX) };
    },
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
export const missedTimers = timersOf<NoticeQueued | MissedMailBatched>('missed-mail', {
  'notice.queued.v1': ({ data: { mail } }) =>
    mail.map(({ userId, dueAt }) => ({ subject: `${userId}:${dueAt}`, dueAt })),
  'missed-mail.batched.v1': ({ data: { userId, dueAt } }) => [{ subject: `${userId}:${dueAt}`, dueAt: undefined }],
});
