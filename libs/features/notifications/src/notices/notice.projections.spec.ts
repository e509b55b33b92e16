import type { Key, Projection } from '#read-store';
import { projectionSpec } from '#testing';
import type { MissedMailBatched, MissedMessagesNoted } from '../missed/missed.events.js';
import { MISSED_MAX, missedProjection } from '../missed/missed.projection.js';
import { noticesProjection, pushedProjection, REMEMBERED_MAX } from './notice.projections.js';
import type { NoticeEvent } from './notice.events.js';

type TestEvents = readonly (NoticeEvent | MissedMessagesNoted | MissedMailBatched)[];

const at = 1000;
const queued = (messageId: number, mail: { userId: number; dueAt: number }[] = []): NoticeEvent => ({
  type: 'notice.queued.v1',
  data: {
    noticeId: `m${messageId}-0`,
    kind: 'message',
    messageIds: [messageId],
    push: [1, 2].map((userId) => ({ userId, trigger: 'mentioned' })),
    mail: mail.map((one) => ({ ...one, trigger: 'mentioned' })),
    at,
  },
});
const told = (
  messageIds: number[],
  users: number[],
  type: 'notice.postponed.v1' | 'notice.finished.v1' = 'notice.finished.v1',
  kind: 'message' | 'removal' = 'message',
): NoticeEvent => {
  const data = { noticeId: `m${messageIds[0]}-0`, kind, messageIds, told: users, at };
  return type === 'notice.postponed.v1' ? { type, data: { ...data, until: at + 5 } } : { type, data };
};
const batched = (userId: number, messageIds: number[]): MissedMailBatched => {
  return { type: 'missed-mail.batched.v1', data: { userId, dueAt: 1120, messageIds, at } };
};

const noted = (userId: number, messageIds: number[], dueAt = 1120): MissedMessagesNoted => {
  const missed = [{ userId, messageIds, dueAt }];
  return { type: 'missed-messages.noted.v1', data: { missed, upTo: { messageId: 9, part: 0 }, at } };
};

/** Exactly these documents exist. */
const expectDocs = (projection: Projection, events: TestEvents, docs: Record<Key, object>): void => {
  const keys = Object.keys(docs).map((key) => (/^\d+$/.test(key) ? Number(key) : key));
  const outcome = projectionSpec(projection)
    .given(...events)
    .thenKeys(...keys);
  for (const key of keys) outcome.thenDoc(key, docs[key]);
};

test('a notice waits until all are told', () => {
  const left = [1, 2].map((userId) => ({ userId, trigger: 'mentioned' }));
  const doc = { kind: 'message', messageIds: [5], left };
  expectDocs(noticesProjection, [queued(5)], { 'm5-0': doc });
  expectDocs(noticesProjection, [queued(5), told([5], [1], 'notice.postponed.v1')], {
    'm5-0': { ...doc, left: left.slice(1) },
  });
  expectDocs(noticesProjection, [queued(5), told([5], [1, 2])], {});
});

test('devices show what they were told until it is read; of many messages the newest', () => {
  expectDocs(pushedProjection, [told([5], [1, 2]), told([4], [1])], { 1: { ids: [4, 5] }, 2: { ids: [5] } });
  expectDocs(pushedProjection, [told([5], [1]), told([5], [1], 'notice.finished.v1', 'removal')], {});
  const many = Array.from({ length: REMEMBERED_MAX + 1 }, (_, index) => told([index + 1], [1]));
  expectDocs(pushedProjection, [...many], {
    1: { ids: Array.from({ length: REMEMBERED_MAX }, (_, index) => index + 2) },
  });
});

test('messages wait for the mail that they are due in, of many the newest', () => {
  const [one, two] = [noted(1, [5]), noted(1, [6])];
  const messages = [5, 6].map((messageId) => ({ messageId, dueAt: 1120 }));
  expectDocs(missedProjection, [one, two, one], { 1: { messages } });
  expectDocs(missedProjection, [one, two, batched(1, [5])], { 1: { messages: messages.slice(1) } });
  expectDocs(missedProjection, [one, two, batched(1, [5, 6])], {});
  expectDocs(missedProjection, [noted(1, [5, 6])], { 1: { messages } });
  expectDocs(missedProjection, [one, noted(2, [5], 1240)], {
    1: { messages: messages.slice(0, 1) },
    2: { messages: [{ messageId: 5, dueAt: 1240 }] },
  });
  const many = Array.from({ length: MISSED_MAX + 1 }, (_, index) => index + 1);
  expectDocs(missedProjection, [noted(1, many)], {
    1: { messages: many.slice(1).map((messageId) => ({ messageId, dueAt: 1120 })) },
  });
});

test('messages that were noted one by one, as the log of former versions has them, wait as well', () => {
  const [one, two] = [queued(5, [{ userId: 1, dueAt: 1120 }]), queued(6, [{ userId: 1, dueAt: 1120 }])];
  const messages = [5, 6].map((messageId) => ({ messageId, dueAt: 1120 }));
  expectDocs(missedProjection, [one, two, noted(1, [5])], { 1: { messages } });
});
