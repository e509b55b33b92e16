import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { LocalBroadcast, ReadStoreUnavailable } from '#read-store';
import { ManualClock, MemoryKeyValueStore, rounds } from '#testing';
import {
  channelCreated,
  created,
  FeedWorld,
  settingsOf,
  subscribed,
  unsubscribed,
  userCreated,
} from '../feed.fixture.js';
import { QUEUES_PER_SESSION_MAX, QUEUES_PER_USER_MAX, QueueRegistry } from './queue-registry.js';
import { QueueStore } from './queue-store.js';
import { idAfter } from './event-queue.js';
import { EVENTS_PER_POSITION, PASSED_INDEX } from '../log/feed-entry.js';

const everyone = { to: 'everyone' } as const;

async function worldOf(
  userIds: readonly number[],
  options: { heartbeatSeconds?: number; idleLimitSeconds?: number } = {},
): Promise<FeedWorld> {
  const world = await new FeedWorld(options).start();
  world.record([created, ...userIds.map(userCreated)]);
  return world;
}

const numbersIn = (events: any): number[] => events.map((event: any) => event.message.n);

describe('a queue', () => {
  let world: FeedWorld;

  beforeEach(async () => {
    world = await worldOf([1, 2]);
  });

  afterEach(() => world.feed.queues.close());

  test('begins where it was registered', async () => {
    world.record([world.say(1, everyone)]);
    const { queueId, lastEventId } = await world.register(1);
    expect(lastEventId).toBe(-1);
    world.record([world.say(2, everyone)]);
    expect(numbersIn(await world.fetch(queueId, 1, -1))).toEqual([2]);
  });

  test('gives events again until they are acknowledged', async () => {
    const { queueId } = await world.register(1);
    world.record([world.say(1, everyone), world.say(2, everyone)]);
    const first = await world.fetch(queueId, 1, -1);
    expect(await world.fetch(queueId, 1, -1)).toEqual(first);
    expect(numbersIn(await world.fetch(queueId, 1, first[0].id))).toEqual([2]);
    expect(await world.fetch(queueId, 1, first[1].id)).toEqual([]);
  });

  test('counts the client events of one event, and goes on inside it', async () => {
    const { queueId } = await world.register(1);
    world.record([world.say(1, everyone, 3)]);
    const events = await world.fetch(queueId, 1, -1);
    const base = world.directory.position * EVENTS_PER_POSITION;
    expect((events as any[]).map(({ id, message }) => [id, message.part])).toEqual([
      [base, 0],
      [base + 1, 1],
      [base + 2, 2],
    ]);
    expect(((await world.fetch(queueId, 1, base + 1)) as any[]).map(({ id }) => id)).toEqual([base + 2]);
  });

  test('answers in pages when much has gathered, by whole events', async () => {
    const { queueId } = await world.register(1);
    world.record(Array.from({ length: 1500 }, (_, n) => world.say(n, everyone)));
    const first = (await world.fetch(queueId, 1, -1)) as any[];
    expect(first).toHaveLength(1000);
    const second = (await world.fetch(queueId, 1, first.at(-1).id)) as any[];
    expect(numbersIn([...first, ...second])).toEqual(Array.from({ length: 1500 }, (_, n) => n));
  });

  test('answers in pages of so many bytes, by whole events, whether it waited or not', async () => {
    const [waiting, late] = [await world.register(1), await world.register(2)];
    const megabyte = 1_000_000;
    const polled = await world.feed.queues.poll(waiting.queueId, 1, -1, false);
    const answered = new Promise<any[]>((resolve) => {
      if (polled.kind !== 'wait') throw new Error(polled.kind);
      polled.held.onAnswer((events) => {
        resolve(JSON.parse(events) as any[]);
      });
    });
    world.record(Array.from({ length: 12 }, (_, n) => world.say(n, everyone, n === 7 ? 2 : 1, megabyte)));
    for (const [queueId, userId, first] of [
      [waiting.queueId, 1, await answered],
      [late.queueId, 2, await world.fetch(late.queueId, 2, -1)],
    ] as const) {
      expect(numbersIn(first)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 7]);
      expect(numbersIn(await world.fetch(queueId, userId, (first as any[]).at(-1).id))).toEqual([8, 9, 10, 11]);
    }
  });

  test('looks on behind a page of events that turn out to say nothing to it', async () => {
    const { queueId } = await world.register(1);
    world.record([
      ...Array.from({ length: 1000 }, () => world.say(0, everyone, 0)),
      world.say(1, everyone),
      ...Array.from({ length: 1000 }, () => world.say(0, everyone, 0)),
    ]);
    expect(numbersIn(await world.fetch(queueId, 1, -1))).toEqual([1]);
  });

  test('is not told again what it fetched while it was on its way to those who wait', async () => {
    const [slow, quick] = [await world.register(1), await world.register(2)];
    const waiting = world.wait(slow.queueId, 1, -1);
    await new Promise(setImmediate);
    let open = (): void => undefined;
    world.events.gate = new Promise((resolve) => (open = resolve));
    world.record([world.say(1, everyone)]);
    world.events.gate = undefined;
    world.record([world.say(2, everyone)]);
    const [, second] = (await world.fetch(quick.queueId, 2, -1)) as any[];
    const again = world.wait(quick.queueId, 2, second.id);
    await new Promise(setImmediate);
    open();
    expect(numbersIn(await waiting)).toEqual([1]);
    await new Promise((resolve) => setTimeout(resolve, 20));
    world.record([world.say(3, everyone)]);
    expect(numbersIn(await again)).toEqual([3]);
  });

  test('refuses an acknowledgement that it cannot mean', async () => {
    const { queueId } = await world.register(1);
    world.record([world.say(1, everyone), world.say(2, everyone)]);
    const [, second] = (await world.fetch(queueId, 1, -1)) as any[];
    await world.fetch(queueId, 1, second.id);
    const beyond = (world.directory.position + 1) * EVENTS_PER_POSITION;
    await expect(world.fetch(queueId, 1, beyond)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('stays for the client that knows its place when another asks for what was acknowledged', async () => {
    const { queueId } = await world.register(1);
    await expect(world.fetch(queueId, 1, 0)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    world.record([world.say(1, everyone), world.say(2, everyone)]);
    const [, second] = (await world.fetch(queueId, 1, -1)) as any[];
    const waiting = world.wait(queueId, 1, second.id);
    await new Promise(setImmediate);
    for (const behind of [second.id - 1, 0, -1])
      await expect(world.fetch(queueId, 1, behind)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(world.feed.queues.heldCount).toBe(1);
    world.record([world.say(3, everyone)]);
    expect(numbersIn(await waiting)).toEqual([3]);
  });

  test('of another user, or unknown, is gone', async () => {
    const { queueId } = await world.register(1);
    expect(await world.fetch(queueId, 2, -1)).toBe('gone');
    expect(await world.fetch('no such queue', 1, -1)).toBe('gone');
    await expect(world.feed.queues.remove(queueId, 2)).rejects.toMatchObject({
      code: 'BAD_EVENT_QUEUE_ID',
      message: `Bad event queue id: ${queueId}`,
      data: { queue_id: queueId },
    });
    expect(await world.fetch(queueId, 1, -1)).toEqual([]);
  });

  test('gets only the types that it asked for', async () => {
    const { queueId } = await world.register(1, settingsOf({ eventTypes: ['realm'] }));
    world.record([world.say(1, everyone)]);
    expect(await world.fetch(queueId, 1, -1)).toEqual([]);
  });

  test('is gone when an event cannot be presented, and says so to the operator', async () => {
    const { queueId } = await world.register(1);
    world.events.failing = true;
    world.record([world.say(1, everyone)]);
    expect(await world.fetch(queueId, 1, -1)).toBe('gone');
    expect(world.errors).toHaveLength(1);
  });

  test('is gone when one event has more client events than there are IDs', async () => {
    const { queueId } = await world.register(1);
    world.record([world.say(1, everyone, PASSED_INDEX + 1)]);
    expect(await world.fetch(queueId, 1, -1)).toBe('gone');
  });

  test('of a user with too many gives way to the new one', async () => {
    const first = await world.register(1);
    for (let count = 1; count <= QUEUES_PER_USER_MAX; count++) await world.register(1);
    expect(world.feed.queues.size).toBe(QUEUES_PER_USER_MAX);
    expect(await world.fetch(first.queueId, 1, -1)).toBe('gone');
  });

  test("of a browser's session with too many gives way to its new one, also after a restart", async () => {
    const register = (session: string) =>
      world.feed.queues.register(world.directory.user(1)!, settingsOf(), 0, session);
    const other = await register('other');
    const first = await register('tabs');
    for (let count = 1; count < QUEUES_PER_SESSION_MAX; count++) await register('tabs');
    await world.start();
    world.clock.atMs += 1000;
    expect(await world.fetch(first.queueId, 1, -1)).toEqual([]);
    const last = await register('tabs');
    expect(world.feed.queues.size).toBe(1 + QUEUES_PER_SESSION_MAX);
    for (const { queueId } of [other, first, last]) expect(await world.fetch(queueId, 1, -1)).toEqual([]);
  });
});

describe('audiences', () => {
  test('are those who were subscribed when it happened', async () => {
    const world = await worldOf([1, 2, 3]);
    world.record([channelCreated(1, true), subscribed(1, 1), subscribed(1, 2)]);
    const queues = await Promise.all([1, 2, 3].map((userId) => world.register(userId)));
    const toChannel = { to: 'subscribers', channelId: 1, and: [3] } as const;
    world.record([
      world.say(1, toChannel),
      unsubscribed(1, 2),
      world.say(2, toChannel),
      world.say(3, { to: 'others', except: [1] }),
      world.say(4, { to: 'users', ids: [1, 2] }),
      world.say(5, { to: 'channel-knowers', channelId: 1 }),
    ]);
    const seen = await Promise.all(queues.map(({ queueId }, index) => world.fetch(queueId, index + 1, -1)));
    expect(seen.map(numbersIn)).toEqual([
      [1, 2, 4, 5],
      [1, 3, 4],
      [1, 2, 3],
    ]);
    await world.feed.queues.close();
  });

  test('of messages in public channels grow by those who listen to all of them', async () => {
    const world = await worldOf([1, 2]);
    world.record([channelCreated(1), channelCreated(2, true)]);
    const all = await world.register(1, settingsOf({ allPublicChannels: true }));
    const narrowed = await world.register(1, settingsOf({ narrow: [['channel', 'channel 1']] }));
    const waiting = [all, narrowed].map(({ queueId }) => world.wait(queueId, 1, -1));
    await new Promise(setImmediate);
    world.record([
      world.say(1, { to: 'subscribers', channelId: 2 }),
      world.say(2, { to: 'subscribers', channelId: 1 }),
    ]);
    expect((await Promise.all(waiting)).map(numbersIn)).toEqual([[2], [2]]);
    await world.feed.queues.close();
  });
});

describe('a poll that waits', () => {
  test('is answered on an event, whose data is loaded once for all recipients', async () => {
    const world = await worldOf([1, 2]);
    const queues = [await world.register(1), await world.register(1), await world.register(2)];
    const waiting = [1, 1, 2].map((userId, index) => world.wait(queues[index]!.queueId, userId, -1));
    await new Promise(setImmediate);
    expect(world.feed.queues.heldCount).toBe(3);
    world.events.prepares = 0;
    world.record([world.say(1, everyone)]);
    expect((await Promise.all(waiting)).map(numbersIn)).toEqual([[1], [1], [1]]);
    expect(world.events.prepares).toBe(1);
    expect(world.feed.queues.heldCount).toBe(0);
    await world.feed.queues.close();
  });

  test('gets a heartbeat that no event has as its ID and none is behind', async () => {
    const world = await worldOf([1, 2], { heartbeatSeconds: 0.05 });
    const { queueId, lastEventId } = await world.register(1);
    const waiting = world.wait(queueId, 1, lastEventId);
    const addressed = world.wait((await world.register(2)).queueId, 2, -1);
    await new Promise(setImmediate);
    world.record([world.say(1, { to: 'users', ids: [2] })]);
    expect(numbersIn(await addressed)).toEqual([1]);
    await new Promise(setImmediate); // Delivery is now behind the event.
    world.clock.atMs += 1000;
    const [heartbeat] = (await waiting) as any[];
    expect(heartbeat).toEqual({
      type: 'heartbeat',
      id: world.directory.position * EVENTS_PER_POSITION + PASSED_INDEX,
    });
    const again = world.wait(queueId, 1, heartbeat.id);
    await new Promise(setImmediate);
    world.clock.atMs += 1000;
    const [second] = (await again) as any[];
    expect(second).toEqual({ type: 'heartbeat', id: (heartbeat.id as number) + 1 });
    world.record([world.say(2, everyone)]);
    expect(numbersIn(await world.fetch(queueId, 1, second.id))).toEqual([2]);
    await world.feed.queues.close();
  });

  test('that is overtaken while it is answered gets a heartbeat behind which nothing is lost', async () => {
    const world = await worldOf([1]);
    const { queueId } = await world.register(1);
    world.record([world.say(1, everyone, 3)]);
    const [first, second, third] = (await world.fetch(queueId, 1, -1)) as any[];
    for (const acknowledged of [-1, first.id, second.id]) {
      let open = (): void => undefined;
      world.events.gate = new Promise((resolve) => (open = resolve));
      const older = world.wait(queueId, 1, acknowledged);
      await new Promise(setImmediate);
      const newer = world.fetch(queueId, 1, acknowledged);
      world.events.gate = undefined;
      open();
      const [heartbeat, ...others] = (await older) as any[];
      expect([heartbeat.type, others]).toEqual(['heartbeat', []]);
      expect(heartbeat.id).toBeGreaterThanOrEqual(acknowledged);
      const told = await newer;
      expect((told as any[]).at(-1)).toEqual(third);
      expect(await world.fetch(queueId, 1, heartbeat.id)).toEqual(told);
    }
    await world.feed.queues.close();
  });

  test('gives way to a newer poll, a removal, and the end of the server', async () => {
    const world = await worldOf([1]);
    const { queueId } = await world.register(1);
    const older = world.wait(queueId, 1, -1);
    await new Promise(setImmediate);
    const newer = world.wait(queueId, 1, -1);
    const id = idAfter(world.directory.position);
    expect(await older).toEqual([{ type: 'heartbeat', id: id + 1 }]);
    await new Promise(setImmediate);
    await world.feed.queues.remove(queueId, 1);
    expect(await newer).toEqual([{ type: 'heartbeat', id: id + 1 }]);
    expect(await world.fetch(queueId, 1, -1)).toBe('gone');
    const other = await world.register(1);
    const last = world.wait(other.queueId, 1, -1);
    await new Promise(setImmediate);
    world.feed.queues.release();
    expect(await last).toEqual([{ type: 'heartbeat', id: id + 1 }]);
    expect(await world.wait(other.queueId, 1, -1)).toEqual([{ type: 'heartbeat', id: id + 1 }]);
    await world.feed.queues.close();
  });
});

describe('records that cannot be written', () => {
  const full = (): Promise<void> => Promise.reject(new ReadStoreUnavailable('The disk is full.'));

  /** A world with a queue from before, whose disk is full now. @returns what makes room */
  async function fullWorld(): Promise<{ world: FeedWorld; before: string; makeRoom: () => void }> {
    const world = await worldOf([1]);
    const before = await world.register(1);
    const { put, remove } = world.side;
    Object.assign(world.side, { put: full, remove: full });
    const makeRoom = (): void => {
      Object.assign(world.side, { put, remove });
    };
    return { world, before: before.queueId, makeRoom };
  }

  test('are kept in memory: clients register, are told and end their queues', async () => {
    const { world, before } = await fullWorld();
    const { queueId, lastEventId } = await world.register(1);
    world.record([world.say(1, everyone)]);
    expect(numbersIn(await world.fetch(queueId, 1, lastEventId))).toEqual([1]);
    await world.feed.queues.remove(before, 1);
    expect(await world.fetch(before, 1, -1)).toBe('gone');
    expect(world.errors).toEqual([expect.any(ReadStoreUnavailable)]);
    await world.feed.queues.close();
  });

  test('are written when there is room', async () => {
    const { world, before, makeRoom } = await fullWorld();
    const queues = [await world.register(1), await world.register(1), await world.register(1)];
    await world.feed.queues.remove(before, 1);
    await world.feed.queues.remove(queues[1]!.queueId, 1);
    await world.feed.queues.sweep();
    makeRoom();
    await world.feed.queues.sweep();
    await world.start();
    const found = await Promise.all(
      [before, ...queues.map(({ queueId }) => queueId)].map((id) => world.fetch(id, 1, -1)),
    );
    expect(found).toEqual(['gone', [], 'gone', []]);
    await world.feed.queues.close();
  });

  test('are lost with the process: the client is told to register again', async () => {
    const { world, before, makeRoom } = await fullWorld();
    const { queueId } = await world.register(1);
    makeRoom();
    await world.start();
    expect(await world.fetch(queueId, 1, -1)).toBe('gone');
    expect(await world.fetch(before, 1, -1)).toEqual([]);
    await world.feed.queues.close();
  });

  test('are written at the end of the process', async () => {
    const { world, makeRoom } = await fullWorld();
    const { queueId } = await world.register(1);
    makeRoom();
    await world.feed.queues.close();
    await world.start();
    expect(await world.fetch(queueId, 1, -1)).toEqual([]);
    await world.feed.queues.close();
  });

  test('refuse the registration where other processes would not find the queue', async () => {
    const side = new MemoryKeyValueStore();
    side.put = full;
    const clock = new ManualClock();
    const onError = (): void => undefined;
    const records = new QueueStore({ side, isShared: true, onError });
    const registry = new QueueRegistry({ records, clock, onError, broadcast: new LocalBroadcast() });
    await expect(registry.add('q', 1, { settings: settingsOf(), lifespanMs: 60_000, startId: 0 })).rejects.toThrow(
      ReadStoreUnavailable,
    );
  });
});

describe('idle time', () => {
  test('runs from the end of the last poll; who waits does not idle', async () => {
    const world = await worldOf([1], { idleLimitSeconds: 600 });
    const [idle, long, held] = [
      await world.register(1),
      await world.register(1, settingsOf(), 3600),
      await world.register(1),
    ];
    void world.wait(held.queueId, 1, -1);
    await new Promise(setImmediate);
    world.clock.atMs += 599_000;
    expect(await world.fetch(idle.queueId, 1, -1)).toEqual([]);
    world.clock.atMs += 599_000;
    await world.feed.queues.sweep();
    expect(world.feed.queues.size).toBe(3);
    world.clock.atMs += 2_000;
    await world.feed.queues.sweep();
    expect(await world.fetch(idle.queueId, 1, -1)).toBe('gone');
    expect(await world.fetch(long.queueId, 1, -1)).toEqual([]);
    expect(world.feed.queues.heldCount).toBe(1);
    await world.feed.queues.close();
  });

  test('begins anew when the server does', async () => {
    const world = await worldOf([1], { idleLimitSeconds: 600 });
    const { queueId } = await world.register(1);
    world.record([world.say(1, everyone)]);
    world.clock.atMs += 3_600_000;
    await world.start();
    await world.feed.queues.sweep();
    expect(numbersIn(await world.fetch(queueId, 1, -1))).toEqual([1]);
    await world.feed.queues.close();
  });
});

describe('what the feed keeps', () => {
  const keysOf = (world: FeedWorld): number[] => [...world.documents.texts.keys()];

  test('is what a queue may still ask for; the rest goes after a quarter of an hour', async () => {
    const world = await worldOf([1], { idleLimitSeconds: 600 });
    const long = await world.register(1, settingsOf(), 86_400);
    world.record([world.say(1, everyone)]);
    world.clock.atMs += 1_800_000;
    world.record([world.say(2, everyone)]);
    await world.feed.queues.sweep();
    for (let n = 0; n < 64; n++) world.record([userCreated(100 + n)]);
    expect(keysOf(world)).toHaveLength(2);
    expect(numbersIn(await world.fetch(long.queueId, 1, -1))).toEqual([1, 2]);
    await world.feed.queues.remove(long.queueId, 1);
    await world.feed.queues.sweep();
    for (let n = 0; n < 64; n++) world.record([userCreated(200 + n)]);
    expect(keysOf(world)).toHaveLength(1);
    await world.feed.queues.close();
  });

  test('is what a poll that waits has not been told of yet, however long ago it was', async () => {
    const world = await worldOf([1, 2]);
    const { queueId, lastEventId } = await world.register(1, settingsOf(), 604_800);
    void world.wait(queueId, 1, lastEventId);
    await new Promise(setImmediate);
    expect(world.feed.queues.heldCount).toBe(1);
    world.record([world.say(1, { to: 'users', ids: [2] }), world.say(2, { to: 'users', ids: [1] })]);
    // The process is blocked while it delivers.
    world.clock.atMs += 1_200_000;
    await world.feed.queues.sweep();
    expect(numbersIn(await world.fetch(queueId, 1, lastEventId))).toEqual([2]);
    await world.feed.queues.close();
  });

  test('is bounded: a queue that asks for what is gone is gone itself, also after a restart', async () => {
    const world = await worldOf([1], { idleLimitSeconds: 600 });
    const { queueId } = await world.register(1, settingsOf(), 604_800);
    world.record([world.say(1, everyone)]);
    // The queue is polled, and so kept, but never acknowledged.
    for (let day = 0; day < 8; day++) {
      world.clock.atMs += 86_400_000;
      expect(numbersIn(await world.fetch(queueId, 1, -1))).toEqual([1]);
    }
    world.record([world.say(2, everyone)]);
    await world.feed.queues.sweep();
    for (let n = 0; n < 64; n++) world.record([userCreated(100 + n)]);
    expect(keysOf(world)).toHaveLength(1);
    await world.start();
    expect(await world.fetch(queueId, 1, -1)).toBe('gone');
    await world.feed.queues.close();
  });

  test('is nothing of long ago when it is built afresh, and queues of then are gone', async () => {
    const world = await worldOf([1]);
    const { queueId } = await world.register(1, settingsOf(), 604_800);
    world.record([world.say(1, everyone)]);
    world.clock.atMs += 8 * 86_400_000;
    world.record([world.say(2, everyone)]);
    world.documents.texts.clear();
    world.committed = 0;
    await world.start();
    expect(keysOf(world)).toHaveLength(1);
    expect(await world.fetch(queueId, 1, -1)).toBe('gone');
    await world.feed.queues.close();
  });
});

describe('the feed in memory at start', () => {
  test('goes back to what the slowest queue has not acknowledged', async () => {
    const world = await worldOf([1, 2]);
    for (let n = 0; n < 200; n++) world.record([world.say(n, everyone)]);
    const [slow, fast] = [await world.register(1), await world.register(2)];
    for (let n = 200; n < 300; n++) world.record([world.say(n, everyone)]);
    const seen = await world.fetch(fast.queueId, 2, fast.lastEventId);
    await world.fetch(fast.queueId, 2, seen.at(-1).id);
    await world.start();
    const { read } = world.documents;
    // In pages of 64, and some to learn how old the feed is.
    expect(read).toBeGreaterThanOrEqual(128);
    expect(read).toBeLessThan(150);
    expect(numbersIn(await world.fetch(slow.queueId, 1, slow.lastEventId))).toHaveLength(100);
    expect(await world.fetch(fast.queueId, 2, seen.at(-1).id)).toEqual([]);
    expect(world.documents.read).toBe(read);
    await world.feed.queues.close();
  });

  test('is empty when there are no queues', async () => {
    const world = await worldOf([1]);
    for (let n = 0; n < 200; n++) world.record([world.say(n, everyone)]);
    await world.start();
    expect(world.documents.read).toBeLessThan(20);
    world.record([world.say(200, everyone)]);
    const { queueId, lastEventId } = await world.register(1);
    world.record([world.say(201, everyone)]);
    expect(numbersIn(await world.fetch(queueId, 1, lastEventId))).toEqual([201]);
    await world.feed.queues.close();
  });
});

describe('the directory at start', () => {
  test('comes from a snapshot and what followed', async () => {
    const world = await worldOf([1, 2]);
    world.record([channelCreated(1), subscribed(1, 1), world.say(1, everyone)]);
    await world.feed.follower.saveSnapshot();
    world.record([subscribed(1, 2), world.say(2, everyone)]);
    const before = world.directory.snapshot();
    // A replay of the whole log would show this.
    world.log[1] = { ...world.log[1]!, data: { ...world.log[1]!.data, fullName: 'Replayed' } };
    await world.start();
    expect(world.directory.snapshot()).toEqual(before);
    await world.feed.queues.close();
  });

  test('lacks few events, however fast those before a kill came', async () => {
    const world = await worldOf([1]);
    for (let round = 0; round < 6; round++) world.record(Array.from({ length: 1_000 }, () => world.say(1, everyone)));
    // It is saved in parts, while the server continues.
    for (let turn = 0; turn < 100; turn++) await nextTurn();
    const { position = 0 } = (await (await freshFollower(world)).restore(world.committed)) ?? {};
    expect(world.committed - position).toBeLessThan(2_000);
    expect(world.errors).toEqual([]);
    await world.feed.queues.close();
  });

  test('does not come from a snapshot of another log, nor from one ahead of the feed', async () => {
    const world = await worldOf([1, 2]);
    await world.feed.follower.saveSnapshot();
    const at = world.committed;
    expect((await (await freshFollower(world)).restore(at))?.position).toBe(at);
    expect(await (await freshFollower(world)).restore(at - 1)).toBeUndefined();
    world.log[world.log.length - 1] = { ...world.log.at(-1)!, id: 'another' };
    expect(await (await freshFollower(world)).restore(at)).toBeUndefined();
    await world.feed.queues.close();
  });

  /** A follower that has not restored anything yet. */
  async function freshFollower(world: FeedWorld) {
    const other = new FeedWorld();
    Object.assign(other, { side: world.side, log: world.log, committed: 0 });
    const log = [...world.log];
    world.log.length = 0;
    await other.start();
    world.log.push(...log);
    await other.feed.queues.close();
    return other.feed.follower;
  }
});

describe('delivery', () => {
  const userIds = [1, 2, 3];
  const audience = fc.oneof(
    fc.constant(everyone),
    fc.record({ to: fc.constant('users' as const), ids: fc.uniqueArray(fc.constantFrom(...userIds)) }),
    fc.record({ to: fc.constant('others' as const), except: fc.uniqueArray(fc.constantFrom(...userIds)) }),
    fc.record({ to: fc.constant('subscribers' as const), channelId: fc.constantFrom(1, 2) }),
  );
  const fact = fc.oneof(
    fc.record({ do: fc.constant('say' as const), audience, times: fc.integer({ min: 0, max: 3 }) }),
    fc.record({
      do: fc.constant('join' as const),
      channelId: fc.constantFrom(1, 2),
      userId: fc.constantFrom(...userIds),
    }),
    fc.record({
      do: fc.constant('leave' as const),
      channelId: fc.constantFrom(1, 2),
      userId: fc.constantFrom(...userIds),
    }),
  );
  const client = fc.nat({ max: 4 });
  const step = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('record' as const),
        facts: fc.array(fact, { minLength: 1, maxLength: 5 }),
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({ do: fc.constant('poll' as const), client, wait: fc.boolean(), lose: fc.boolean() }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('breathe' as const), ms: fc.nat({ max: 3 }) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const), snapshot: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('age' as const) }) },
  );

  test('gives every client all of its events, exactly once and in order, despite lost answers and restarts', () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.constantFrom(1, 7), async (steps, stride) => {
        const world = new FeedWorld({ heartbeatSeconds: 0.002 });
        world.stride = stride;
        await world.start();
        world.record([created, ...userIds.map(userCreated), channelCreated(1), channelCreated(2)]);
        const owners = [1, 1, 2, 3, 3];
        const clients = await Promise.all(
          owners.map(async (userId) => ({
            userId,
            ...(await world.register(userId, settingsOf(), 604_800)),
            seen: [] as string[],
            expected: [] as string[],
          })),
        );
        type Client = (typeof clients)[number];
        const receive = (to: Client, events: any): void => {
          if (events === 'gone') throw new Error('The queue is gone.');
          for (const event of events) {
            // An answer to an older poll may arrive late: the client recognises it by the ID.
            if (event.id <= to.lastEventId) continue;
            to.lastEventId = event.id;
            if (event.type !== 'heartbeat') to.seen.push(`${event.message.n}.${event.message.part}`);
          }
        };
        /** Events that were acknowledged before, and came again. */
        const tooOld: number[][] = [];
        const members = new Set<string>();
        let n = 0;
        const recordOne = (one: typeof fact extends fc.Arbitrary<infer F> ? F : never) => {
          if (one.do !== 'say') {
            const key = `${one.channelId}/${one.userId}`;
            if (one.do === 'join') members.add(key);
            else members.delete(key);
            return (one.do === 'join' ? subscribed : unsubscribed)(one.channelId, one.userId);
          }
          n++;
          for (const to of clients) {
            const { audience: whom } = one;
            const isFor =
              whom.to === 'everyone' ||
              (whom.to === 'users' && whom.ids.includes(to.userId)) ||
              (whom.to === 'others' && !whom.except.includes(to.userId)) ||
              (whom.to === 'subscribers' && members.has(`${whom.channelId}/${to.userId}`));
            if (isFor) for (let part = 0; part < one.times; part++) to.expected.push(`${n}.${part}`);
          }
          return world.say(n, one.audience, one.times);
        };
        for (const one of steps) {
          switch (one.do) {
            case 'record':
              world.record(one.facts.map(recordOne));
              break;
            case 'poll': {
              const to = clients[one.client]!;
              const poll = one.wait ? 'wait' : 'fetch';
              const answered = world[poll](to.queueId, to.userId, to.lastEventId).then((events) => {
                if (!one.lose) receive(to, events);
              });
              if (one.wait) answered.catch(() => undefined);
              else await answered;
              break;
            }
            case 'breathe':
              world.clock.atMs += one.ms;
              await new Promise((resolve) => setTimeout(resolve, one.ms));
              break;
            case 'restart':
              if (one.snapshot) await world.feed.follower.saveSnapshot();
              await world.feed.queues.close();
              await world.start();
              break;
            case 'age':
              world.clock.atMs += 1_200_000;
              await world.feed.queues.sweep();
              break;
          }
        }
        for (const to of clients) {
          for (let rest: any = [1]; rest.length > 0;) {
            rest = await world.fetch(to.queueId, to.userId, to.lastEventId);
            receive(to, rest);
          }
          expect(to.seen).toEqual(to.expected);
        }
        expect(tooOld).toEqual([]);
        expect(world.errors).toEqual([]);
        await world.feed.queues.close();
      }),
      { numRuns: rounds(150) },
    ));
});
