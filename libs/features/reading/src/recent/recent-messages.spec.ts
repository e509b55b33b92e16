import type { MessagesReader } from '#messages';
import type { User } from '#users/model';
import { CHUNK_SIZE } from '../flags/id-chunk.js';
import { ReadSideFixture } from '../read-side.fixture.js';
import { RecentRows, type RowFields } from './recent-rows.js';

describe('recent messages', () => {
  let world: ReadSideFixture;
  let ann: User;
  let channelId: number;
  beforeEach(async () => {
    world = await ReadSideFixture.create();
    ann = await world.user('ann@example.com');
    channelId = await world.channel('general', 'public', ann);
  });
  afterEach(() => world.destroy());

  test('lose no change and no message of the time in which they are read', async () => {
    const id = await world.send(ann, { channelId, topic: 'x' });
    let later = 0;
    const page: MessagesReader['page'] = async (...given) => {
      const found = await world.messages.page(...given);
      await world.move(ann, id, { from: { channelId, topic: 'x' }, to: { channelId, topic: 'moved' } });
      later = await world.send(ann, { channelId, topic: 'later' });
      return found;
    };
    const interrupted = Object.create(world.messages, { page: { value: page } }) as MessagesReader;
    const rows = await world.recentMessages(undefined, interrupted).all();
    expect([rows.get(id)?.topic, rows.get(later)?.topic]).toEqual(['moved', 'later']);
  });

  test('are there for the first who asks while others ask', async () => {
    const id = await world.send(ann, { channelId, topic: 'x' });
    const recent = world.recentMessages();
    const found = await Promise.all([recent.newest(), recent.all(), recent.all()]);
    for (const rows of found) expect(rows.get(id)?.topic).toBe('x');
  });
});

describe('rows of recent messages', () => {
  const fields = (topic: string, more: Partial<RowFields> = {}): RowFields => ({
    conversation: 'c:1',
    topicKey: topic,
    topic,
    senderId: 7,
    ...more,
  });

  test('are those of the newest chunks', () => {
    const rows = new RecentRows(1, 1, 2);
    for (let id = 1; id <= 3 * CHUNK_SIZE; id++) rows.add(id, fields(`t${id % 5}`));
    expect([rows.from, rows.next, rows.blocks.length, rows.hasRoom]).toEqual([
      2 * CHUNK_SIZE,
      3 * CHUNK_SIZE + 1,
      2,
      false,
    ]);
    expect(rows.get(2 * CHUNK_SIZE - 1)).toBeUndefined();
    expect(rows.get(2 * CHUNK_SIZE)?.topic).toBe(`t${(2 * CHUNK_SIZE) % 5}`);
  });

  test('tell what is newer than a message by place, newest first, as far as they reach', () => {
    const rows = new RecentRows(1, 1, 2);
    for (let id = 1; id <= 3 * CHUNK_SIZE; id++) rows.add(id, fields(`t${id % 2}`, { senderId: id % 3 }));
    const end = 3 * CHUNK_SIZE;
    rows.put(end - 3, undefined);
    const newer = [...rows.newerThan(end - 6)].map(([{ topic }, found]) => [topic, found]);
    const row = (id: number) => ({ id, senderId: id % 3 });
    expect(new Map(newer as [string, unknown][])).toEqual(
      new Map([
        ['t0', [row(end), row(end - 2), row(end - 4)]],
        ['t1', [row(end - 1), row(end - 5)]],
      ]),
    );
    const all = [...rows.newerThan(0).values()].flat();
    expect([all.length, Math.min(...all.map(({ id }) => id))]).toEqual([end - rows.from, rows.from]);
    expect(rows.newerThan(end).size).toBe(0);
  });

  test('forget the oldest rather than grow with places or people', () => {
    const places = new RecentRows(1, 1);
    for (let id = 1; id <= 70_000; id++) places.add(id, fields(`t${id}`));
    expect(places.from).toBeGreaterThan(10_000);
    expect(places.get(70_000)?.topic).toBe('t70000');
    expect(places.get(places.from)?.topic).toBe(`t${places.from}`);
    const people = new RecentRows(1, 1);
    const crowd = Array.from({ length: 1_000 }, (_, index) => index);
    for (let id = 1; id <= 2 * CHUNK_SIZE; id++) people.add(id, fields('t', { topicParticipants: crowd }));
    // Earlier ones would be forgotten again at once.
    expect([people.blocks.length, people.hasRoom]).toEqual([1, false]);
  });

  test('keep what decides who received a message', () => {
    const rows = new RecentRows(1, 1);
    const traits = { mentions: [3], sentTo: 2, arrivals: [{ channelId: 1, position: 9 }], unreadFor: [4], readBy: [5] };
    rows.add(1, fields('t', { ...traits, readBySender: true }));
    rows.add(2, fields('t'));
    expect(rows.get(1)).toMatchObject({ ...traits, senderId: 7, readBySender: true });
    rows.put(1, undefined);
    expect([rows.get(1), rows.get(2)?.mentions]).toEqual([undefined, undefined]);
  });
});
