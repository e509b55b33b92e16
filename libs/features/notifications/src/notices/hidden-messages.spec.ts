import type { EventStore, RecordedEvent } from '#event-store';
import type { WaitingMessages } from '#reading';
import { OpenGate } from '#testing';
import { HiddenMessages } from './hidden-messages.js';
import type { NoticeQueue } from './notice-queue.js';
import type { PushedReader } from './pushed.reader.js';

const [ANN, BEN, CLEO] = [4, 5, 6];
/** Who was told of which message, in each part of its notice. */
const TOLD: Readonly<Record<string, readonly number[]>> = {
  '1.notice-m7-0': [ANN, BEN],
  '1.notice-m7-1': [CLEO],
  '1.notice-m8-0': [ANN],
  '1.notice-m9-0': [BEN],
};
const place = { channelId: 1, topic: 'lunch' };
const moved = (channelId: number, ids: number[][]) => ({ targetId: 7, ids, from: place, to: { ...place, channelId } });

/** The removals that follow from an event. @param readable users who may still read messages, by message */
async function removals(type: string, data: object, readable: Readonly<Record<number, readonly number[]>> = {}) {
  const found: Record<number, readonly number[]> = {};
  const store = {
    readStream: (stream: string) =>
      Promise.resolve(TOLD[stream] === undefined ? [] : [{ data: { push: [] } }, { data: { told: TOLD[stream] } }]),
  } as unknown as EventStore;
  const waiting = {
    waitingFor: (id: number, userIds: readonly number[]) =>
      Promise.resolve(readable[id] && { userIds: userIds.filter((userId) => readable[id]?.includes(userId)) }),
  } as unknown as WaitingMessages;
  // Ann has read message 8, so her devices do not show it.
  const pushed = {
    of: (userId: number) => Promise.resolve(userId === ANN ? [7] : [7, 8, 9]),
  } as unknown as PushedReader;
  const queue = {
    removal: (userId: number, name: string, ids: readonly number[]) => {
      expect(name).toBe('message-7-3');
      found[userId] = ids;
      return Promise.resolve();
    },
  } as unknown as NoticeQueue;
  const hidden = new HiddenMessages(store, waiting, pushed, queue);
  await hidden.hide(
    { type, data, stream: '1.message-7', revision: 3 } as unknown as RecordedEvent,
    await new OpenGate().enter(),
  );
  return found;
}

test.each<[string, string, object, Record<number, number[]>, Record<number, number[]>]>([
  ['a deletion', 'message.deleted.v1', { messageId: 7 }, {}, { [ANN]: [7], [BEN]: [7], [CLEO]: [7] }],
  ['a deletion of what nobody was told of', 'message.deleted.v1', { messageId: 6 }, {}, {}],
  ['a deletion of what its reader has read', 'message.deleted.v1', { messageId: 8 }, {}, {}],
  [
    'a deletion of several',
    'messages.deleted.v1',
    {
      ids: [
        [6, 7],
        [9, 9],
      ],
    },
    {},
    { [ANN]: [7], [BEN]: [9, 7], [CLEO]: [7] },
  ],
  ['a move out of sight', 'messages.moved.v1', moved(2, [[7, 9]]), { 7: [ANN], 9: [BEN] }, { [BEN]: [7], [CLEO]: [7] }],
  ['a move in sight', 'messages.moved.v1', moved(2, [[7, 7]]), { 7: [ANN, BEN, CLEO] }, {}],
  ['a move within the channel', 'messages.moved.v1', moved(1, [[7, 7]]), {}, {}],
  ['an edit', 'message.edited.v1', { messageId: 7 }, {}, {}],
])('%s', async (_, type, data, readable, expected) => {
  expect(await removals(type, data, readable)).toEqual(expected);
});

test('of many messages, only as many are looked up as devices may show', async () => {
  expect(
    await removals('messages.deleted.v1', {
      ids: [
        [1, 150],
        [201, 1_000_000],
      ],
    }),
  ).toEqual({});
});
