import { type CollectionSchema, projection } from '#read-store';
import { timersOf } from '#timers';
import type { NoticeEvent } from './notice.events.js';

/** Messages of one user that devices may show, and that mails may be about: the newest ones. */
export const REMEMBERED_MAX = 200;

/** A notice that is not told to all yet. */
export interface NoticeDocument {
  kind: 'message' | 'removal';
  messageIds: readonly number[];
  /** Users to be told. */
  left: readonly { readonly userId: number; readonly trigger: string }[];
}

/** Messages that a user's devices were told of, and not to remove; ascending. */
export interface PushedDocument {
  ids: readonly number[];
}

const plain = { fields: {}, indexes: [] } as const;
export const noticesCollection = {
  name: 'notification_queue',
  key: 'text',
  ...plain,
} as const satisfies CollectionSchema;
export const pushedCollection = {
  name: 'pushed_messages',
  key: 'integer',
  ...plain,
} as const satisfies CollectionSchema;

/** Notices that wait for the push service. */
export const noticesProjection = projection<NoticeDocument, NoticeEvent>(noticesCollection, {
  'notice.queued.v1': {
    keys: ({ data }) => (data.push.length === 0 ? [] : [data.noticeId]),
    creates: true,
    evolve: (_doc, { data: { kind, messageIds, push } }) => ({ kind, messageIds, left: push }),
  },
  'notice.postponed.v1': {
    keys: ({ data }) => [data.noticeId],
    evolve: (doc, { data }) => doc && { ...doc, left: doc.left.filter(({ userId }) => !data.told.includes(userId)) },
  },
  // Without `evolve` the document is removed.
  'notice.finished.v1': { keys: ({ data }) => [data.noticeId] },
});

type Told = Extract<NoticeEvent, { readonly data: { readonly told: unknown } }>['data'];

function afterTold(doc: PushedDocument | undefined, { kind, messageIds }: Told): PushedDocument | undefined {
  const others = (doc?.ids ?? []).filter((id) => !messageIds.includes(id));
  const ids = kind === 'removal' ? others : [...others, ...messageIds].sort((a, b) => a - b).slice(-REMEMBERED_MAX);
  return ids.length === 0 ? undefined : { ids };
}

/** What users' devices show. */
export const pushedProjection = projection<PushedDocument, Exclude<NoticeEvent, { type: 'notice.queued.v1' }>>(
  pushedCollection,
  {
    'notice.postponed.v1': { keys: ({ data }) => data.told, evolve: (doc, { data }) => afterTold(doc, data) },
    'notice.finished.v1': { keys: ({ data }) => data.told, evolve: (doc, { data }) => afterTold(doc, data) },
  },
);

/** When the push service is to be told. */
export const noticeTimers = timersOf<NoticeEvent>('notice', {
  'notice.queued.v1': ({ data: { noticeId, push, at } }) =>
    push.length === 0 ? [] : [{ subject: noticeId, dueAt: at }],
  'notice.postponed.v1': ({ data: { noticeId, until } }) => [{ subject: noticeId, dueAt: until }],
  'notice.finished.v1': ({ data: { noticeId } }) => [{ subject: noticeId, dueAt: undefined }],
});
