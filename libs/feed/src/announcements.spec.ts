import { Announcer } from './announcer.js';
import { channelCreated, FeedWorld, settingsOf, subscribed, unsubscribed, userCreated } from './feed.fixture.js';

async function opened() {
  const world = await new FeedWorld().start();
  world.record([userCreated(1), userCreated(2)]);
  const announcer = new Announcer(world.broadcast);
  const say = (n: number, ids: readonly number[] = [2]): Promise<void> =>
    announcer.announce({ type: 'typing', audience: { to: 'users', ids }, body: { n } });
  return { world, say };
}

describe('what is announced', () => {
  test('answers a waiting poll of who is meant, and of nobody else', async () => {
    const { world, say } = await opened();
    const mine = await world.register(2);
    const others = await world.register(1);
    const heard = world.wait(mine.queueId, 2, -1);
    const waiting = world.wait(others.queueId, 1, -1);
    await new Promise(setImmediate);
    await say(7);
    const events = await heard;
    expect(events).toEqual([expect.objectContaining({ type: 'typing', n: 7 })]);
    world.record([world.say(8, { to: 'everyone' })]);
    expect(await waiting).toEqual([expect.objectContaining({ message: { n: 8, part: 0 } })]);
  });

  test('waits a moment for a client between two polls, and gives way to facts', async () => {
    const { world, say } = await opened();
    const { queueId, lastEventId } = await world.register(2);
    await say(1);
    await say(2);
    world.record([world.say(3, { to: 'everyone' })]);
    const [fact] = (await world.fetch(queueId, 2, lastEventId)) as { id: number; message: object }[];
    expect(fact?.message).toEqual({ n: 3, part: 0 });
    const passing = (await world.fetch(queueId, 2, fact?.id ?? 0)) as { id: number; n: number }[];
    expect(passing.map(({ n }) => n)).toEqual([1, 2]);
    const ids = passing.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    expect(new Set([fact?.id, ...ids]).size).toBe(3);
    // Acknowledging it loses nothing that comes after it.
    world.record([world.say(4, { to: 'everyone' })]);
    expect(await world.fetch(queueId, 2, ids.at(-1) ?? 0)).toEqual([
      expect.objectContaining({ message: { n: 4, part: 0 } }),
    ]);
  });

  test('is forgotten when nobody came for it, and never grows without bound', async () => {
    const { world, say } = await opened();
    const { queueId, lastEventId } = await world.register(2);
    for (let n = 0; n < 100; n++) await say(n);
    const kept = (await world.fetch(queueId, 2, lastEventId)) as unknown[];
    expect(kept).toHaveLength(20);
    await say(100);
    world.clock.atMs += 60_000;
    expect(await world.fetch(queueId, 2, lastEventId)).toEqual([]);
  });

  test('is told to nobody who may not hear it any more when they come for it', async () => {
    const { world } = await opened();
    world.record([channelCreated(1, true), subscribed(1, 1), subscribed(1, 2)]);
    const [stayed, left] = [await world.register(1), await world.register(2)];
    await new Announcer(world.broadcast).announce({
      type: 'typing',
      audience: { to: 'channel-knowers', channelId: 1 },
      body: { n: 1 },
    });
    world.record([unsubscribed(1, 2)]);
    expect(await world.fetch(left.queueId, 2, left.lastEventId)).toEqual([]);
    expect(await world.fetch(stayed.queueId, 1, stayed.lastEventId)).toEqual([expect.objectContaining({ n: 1 })]);
  });

  test('reaches only queues that asked for its type', async () => {
    const { world, say } = await opened();
    const { queueId, lastEventId } = await world.register(2, settingsOf({ eventTypes: ['reaction'] }));
    await say(1);
    expect(await world.fetch(queueId, 2, lastEventId)).toEqual([]);
  });
});
