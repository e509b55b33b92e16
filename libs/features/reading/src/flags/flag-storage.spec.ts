import { streams, type RecordedEvent } from '#event-store';
import { rangesOf } from '#kernel';
import { messagesProjection } from '#messages';
import { recorded } from '#testing';
import { readingProjections } from '../reading-projections.js';
import { decideFlags } from '../mark/flags.decider.js';
import { userFlagsProjection, type FlagChunkDocument } from './user-flags.projection.js';

/** Stored bytes after a user read these batches of messages, as JSON with keys. */
function bytesAfter(batches: readonly (readonly number[])[]): number {
  const docs = new Map<string, FlagChunkDocument>();
  let position = 0;
  for (const batch of batches) {
    const messages = batch.map((messageId) => ({ messageId, isSet: false }));
    const { events } = decideFlags({ userId: 4, op: 'add', flag: 'read', messages, at: 1 });
    for (const fact of events) {
      const event = {
        ...fact,
        stream: streams.flags(4),
        revision: position,
        position: ++position,
      } as never as RecordedEvent;
      for (const { key } of userFlagsProjection.keys(event)) {
        const doc = userFlagsProjection.evolve(docs.get(String(key)), event, key);
        if (doc === undefined) docs.delete(String(key));
        else docs.set(String(key), doc);
      }
    }
  }
  return [...docs].reduce((sum, [key, doc]) => sum + key.length + JSON.stringify(doc).length, 0);
}

const READS = 100_000;
const batchesOf = (ids: readonly number[], size: number): number[][] =>
  Array.from({ length: Math.ceil(ids.length / size) }, (_, index) => ids.slice(index * size, (index + 1) * size));

describe('a hundred thousand read messages cost', () => {
  test('a kilobyte when they follow each other', () => {
    const ids = Array.from({ length: READS }, (_, index) => index + 1);
    expect(bytesAfter(batchesOf(ids, 1000))).toBeLessThan(2_000);
  });

  test('some kilobytes when most are read', () => {
    const ids = Array.from({ length: READS * 1.25 }, (_, index) => index + 1).filter((id) => id % 5 !== 0);
    expect(bytesAfter(batchesOf(ids, 1000))).toBeLessThan(25_000);
  });

  test('at most a bit per message, in any order of reading', () => {
    const ids = Array.from({ length: READS * 2 }, (_, index) => index + 1).filter(
      (id) => (id * 2_654_435_761) % 2 === 0,
    );
    const shuffled = [...ids].sort((a, b) => ((a * 7919) % 10_007) - ((b * 7919) % 10_007));
    expect(bytesAfter(batchesOf(shuffled, 5000))).toBeLessThan(50_000);
  });
});

test('a send writes the message and its conversation, and nothing for any recipient', () => {
  const data = { senderId: 9, channelId: 3, topic: 'Lunch', content: 'hi', client: 'test', at: 100 };
  const [event] = recorded({ type: 'message.sent.v1', data, stream: streams.messages }) as [RecordedEvent];
  const written = [messagesProjection, ...readingProjections]
    .filter(({ handles }) => handles.has(event.type))
    .flatMap((projection) => projection.keys(event).map(({ key }) => [projection.collection.name, key]));
  expect(written).toEqual([
    ['messages', event.revision + 1],
    ['conversations', 'c:3:lunch'],
  ]);
});

test('an event names a hundred thousand messages by a run', () => {
  expect(JSON.stringify(rangesOf(Array.from({ length: READS }, (_, index) => index + 1)))).toBe('[[1,100000]]');
});
