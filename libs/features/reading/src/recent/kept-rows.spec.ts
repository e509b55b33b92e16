import { crc32 } from 'node:zlib';
import { DamagedRecord, EventStoreUnavailable, type RecordedEvent, streams } from '#event-store';
import type { MessagesReader } from '#messages';
import type { MessageDocument } from '#messages';
import type { JsonObject } from '#kernel';
import type { User } from '#users/model';
import { CHUNK_SIZE } from '../flags/id-chunk.js';
import { ReadSideFixture } from '../read-side.fixture.js';
import { KeptRows } from './kept-rows.js';
import { RecentRows, type RowFields } from './recent-rows.js';

const KIND = 'recent-messages';
const NOT_ENDING = new AbortController().signal;

let world: ReadSideFixture;
let ann: User;
let channelId: number;
beforeEach(async () => {
  world = await ReadSideFixture.create();
  ann = await world.user('ann@example.com');
  channelId = await world.channel('general', 'public', ann);
});
afterEach(() => world.destroy());

describe('rows of many chunks', () => {
  let kept: KeptRows;
  let last: RecordedEvent;
  let rows: RecentRows;
  const size = 2 * CHUNK_SIZE + 10;

  beforeEach(async () => {
    await world.send(ann, { channelId, topic: 'x' });
    [last] = (await world.events.readStream(streams.messages, { limit: 1 })) as [RecordedEvent];
    kept = new KeptRows(world.side, world.events);
    rows = new RecentRows(1, 1);
    for (let id = 1; id <= size; id++) rows.add(id, fieldsAt(id));
    rows.put(7, undefined);
    await kept.keep(rows, last);
  });

  function fieldsAt(id: number): RowFields {
    const place = id % 5 === 0 ? { conversation: 'd:1,2', topicKey: '' } : { conversation: 'c:1', topicKey: 't' };
    return {
      ...place,
      ...(id % 5 === 0 ? {} : { topic: id % 2 === 0 ? 't' : 'T' }),
      senderId: id % 11,
      ...(id % 3 === 0 ? { readBySender: true } : {}),
      ...(id % 1000 === 0 ? { mentions: [id], sentTo: 2, arrivals: [{ channelId: 1, position: 9 }] } : {}),
    };
  }

  const contents = (found: RecentRows): (MessageDocument | undefined)[] =>
    Array.from({ length: size + 2 }, (_, id) => found.get(id));

  test('are found as they were', async () => {
    const found = await kept.find(last.position, size + 1);
    expect([found?.rows.from, found?.rows.next, found?.rows.hasRoom]).toEqual([1, size + 1, false]);
    expect(found && contents(found.rows)).toEqual(contents(rows));
  });

  test('are cut where they are damaged, and the others are read elsewhere', async () => {
    const { text, sum } = (await world.side.get(KIND, 'chunk-1')) as JsonObject & { text: string };
    await world.side.put(KIND, 'chunk-1', { text: text.replace('"T"', '"t"'), sum });
    const found = (await kept.find(last.position, size + 1))?.rows;
    expect([found?.from, found?.hasRoom, found?.get(size)?.topicKey]).toEqual([2 * CHUNK_SIZE, true, 't']);
  });

  test('are not found without a sound head, in another log, before their event, and long after it', async () => {
    expect(await kept.find(last.position - 1, size + 1)).toBeUndefined();
    expect(await kept.find(last.position, size + 50_000)).toBeUndefined();
    await kept.keep(rows, { ...last, id: 'another' });
    expect(await kept.find(last.position, size + 1)).toBeUndefined();
    await kept.keep(rows, last);
    expect(await kept.find(last.position, size + 1)).toBeDefined();
    const head = await world.side.get(KIND, 'head');
    await world.side.put(KIND, 'head', { ...head, sum: 1 });
    expect(await kept.find(last.position, size + 1)).toBeUndefined();
  });

  test('are not found when another release made them', async () => {
    const head = (await world.side.get(KIND, 'head')) as JsonObject & { text: string };
    const text = head.text.replace(/"version":\d+/, '"version":1');
    expect(text).not.toBe(head.text);
    await world.side.put(KIND, 'head', { text, sum: crc32(text) });
    expect(await kept.find(last.position, size + 1)).toBeUndefined();
  });

  test('do not count when a later save was interrupted', async () => {
    const head = (await world.side.get(KIND, 'head')) as JsonObject;
    await kept.keep(rows, { ...last, position: last.position + 1 });
    await world.side.put(KIND, 'head', head);
    expect(await kept.find(last.position, size + 1)).toBeUndefined();
  });
});

describe('after a start', () => {
  const move = (id: number, topic: string): Promise<void> =>
    world.move(ann, id, { from: { channelId, topic: 'x' }, to: { channelId, topic } });
  const remove = (id: number): Promise<void> => {
    const place = { channelId, topic: 'x' };
    return world.change(id, {
      type: 'message.deleted.v1',
      data: { messageId: id, by: ann.userId, place, at: 1 },
    });
  };

  test('what has happened since is taken in, and no message is read again', async () => {
    const before = world.recentMessages(undefined, undefined, 3);
    await before.look(NOT_ENDING);
    for (let id = 1; id <= 6; id++) await world.send(ann, { channelId, topic: 'x' });
    await move(2, 'moved before');
    await before.look(NOT_ENDING);
    await move(3, 'moved since');
    await remove(4);
    await world.send(ann, { channelId, topic: 'x' }, { mentions: [ann.userId] });
    const unread = Object.create(world.messages, {
      page: { value: () => Promise.reject(new Error('Messages are read.')) },
    }) as MessagesReader;
    const rows = await world.recentMessages(undefined, unread).all();
    const told = [1, 2, 3, 4, 5, 6, 7, 8].map((id) => rows.get(id)?.topic);
    expect(told).toEqual(['x', 'moved before', 'moved since', undefined, 'x', 'x', 'x', undefined]);
    expect(rows.get(7)?.mentions).toEqual([ann.userId]);
    await move(5, 'moved later');
    expect(rows.get(5)?.topic).toBe('moved later');
  });

  test('they are kept again and again, after so many events', async () => {
    const recent = world.recentMessages(undefined, undefined, 2);
    const heads = new Set<unknown>();
    for (let id = 1; id <= 8; id++) {
      await world.send(ann, { channelId, topic: 'x' });
      await recent.look(NOT_ENDING);
      heads.add((await world.side.get(KIND, 'head'))?.['text']);
    }
    // None for two messages; then after the third, the fifth and the seventh.
    expect(heads.size).toBe(4);
  });

  test('they are kept by one of several processes, whichever is the first to look', async () => {
    const processes = [1, 2, 3].map(() => world.recentMessages(undefined, undefined, 2));
    for (const recent of processes) await recent.look(NOT_ENDING);
    const saved = jest.spyOn(world.side, 'put');
    for (const turn of [1, 2, 3]) {
      for (let count = 1; count <= 3; count++) await world.send(ann, { channelId, topic: 'x' });
      for (const recent of processes) await recent.look(NOT_ENDING);
      expect(saved.mock.calls.filter(([kind, id]) => kind === KIND && id === 'head')).toHaveLength(turn);
      processes.push(processes.shift()!);
    }
    expect((await world.recentMessages().all()).get(9)?.topic).toBe('x');
  });

  test('they are kept again after reactions, which a start reads as well, and not after what it does not read', async () => {
    const recent = world.recentMessages(undefined, undefined, 2);
    for (let id = 1; id <= 3; id++) await world.send(ann, { channelId, topic: 'x' });
    await recent.look(NOT_ENDING);
    await world.send(ann, { channelId, topic: 'x' });
    await recent.look(NOT_ENDING);
    const head = await world.side.get(KIND, 'head');
    expect(head).toBeDefined();
    for (const email of ['bob@example.com', 'cat@example.com', 'dan@example.com']) await world.user(email);
    await recent.look(NOT_ENDING);
    expect(await world.side.get(KIND, 'head')).toEqual(head);
    const emoji = { emojiName: 'tada', emojiCode: '1f389', reactionType: 'unicode_emoji' } as const;
    const data = { messageId: 1, userId: ann.userId, place: { channelId, topic: 'x' }, at: 1, ...emoji };
    await world.change(1, { type: 'reaction.added.v1', data }, { type: 'reaction.removed.v1', data });
    await recent.look(NOT_ENDING);
    expect(await world.side.get(KIND, 'head')).not.toEqual(head);
  });

  describe.each<[string, Error]>([
    ['a damaged log', new DamagedRecord(4, 'it is missing')],
    ['a log that is away', new EventStoreUnavailable('The log is away.')],
  ])('%s', (_, failure) => {
    test('does not keep the messages from being read', async () => {
      const before = world.recentMessages(undefined, undefined, 1);
      await before.look(NOT_ENDING);
      for (let id = 1; id <= 3; id++) await world.send(ann, { channelId, topic: 'x' });
      await before.look(NOT_ENDING);
      const reading = jest.spyOn(world.events, 'readAll').mockImplementation(() => {
        throw failure;
      });
      expect((await world.recentMessages().all()).get(3)?.topic).toBe('x');
      expect(reading).toHaveBeenCalledTimes(1);
    });

    test('is not taken in by half', async () => {
      const before = world.recentMessages(undefined, undefined, 1);
      await before.look(NOT_ENDING);
      for (let id = 1; id <= 3; id++) await world.send(ann, { channelId, topic: 'x' });
      await before.look(NOT_ENDING);
      const head = await world.side.get(KIND, 'head');
      for (let id = 4; id <= 6; id++) await world.send(ann, { channelId, topic: 'y' });
      const found = await world.events.readStream(streams.messages, { from: 3, limit: 1 });
      const reading = jest.spyOn(world.events, 'readAll').mockImplementation(async function* () {
        yield await Promise.resolve(found);
        throw failure;
      });
      const after = world.recentMessages(undefined, undefined, 1);
      await after.look(NOT_ENDING);
      reading.mockRestore();
      // What is kept ends with an event that the rows end with.
      expect(await world.side.get(KIND, 'head')).toEqual(head);
      await world.send(ann, { channelId, topic: 'z' });
      await after.look(NOT_ENDING);
      const rows = await world.recentMessages().all();
      expect([1, 4, 6, 7].map((id) => rows.get(id)?.topic)).toEqual(['x', 'y', 'y', 'z']);
    });
  });
});
