import { EphemeralEvents } from './ephemeral-events.js';
import { channelCreated, FeedWorld, settingsOf, subscribed, unsubscribed, userCreated } from '../feed.fixture.js';

async function opened() {
  const world = await new FeedWorld().start();
  world.record([userCreated(1), userCreated(2)]);
  const announcer = new EphemeralEvents(world.broadcast);
  const say = (n: number, position = world.directory.position, ids: readonly number[] = [2]): Promise<void> =>
    announcer.announce({ type: 'typing', audience: { to: 'users', ids }, body: { n } }, position);
  return { world, say };
}

/** Numbers in the events, in the order of arrival. */
const numbersOf = (events: any[] | 'gone'): number[] =>
  (events as any[]).map(({ n, message }) => (n ?? message.n) as number);

/**
 * Polls repeatedly.
 * @returns the events of each answer
 */
async function drained(world: FeedWorld, queueId: string, from: number): Promise<number[][]> {
  const answers: number[][] = [];
  const ids: number[] = [];
  for (let last = from; ; last = ids.at(-1) ?? last) {
    const events = (await world.fetch(queueId, 2, last)) as { id: number }[];
    if (events.length === 0) break;
    answers.push(numbersOf(events));
    ids.push(...events.map(({ id }) => id));
  }
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  return answers;
}

describe('what is announced', () => {
  test('answers only waiting polls of its recipients', async () => {
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

  test('waits a moment for a client between two polls, and comes before the events that are newer', async () => {
    const { world, say } = await opened();
    const { queueId, lastEventId } = await world.register(2);
    await say(1);
    await say(2);
    world.record([world.say(3, { to: 'everyone' })]);
    world.record([world.say(4, { to: 'everyone' })]);
    expect(await drained(world, queueId, lastEventId)).toEqual([[1, 2, 3, 4]]);
  });

  test('comes behind the events that are older, each in its place', async () => {
    const { world, say } = await opened();
    const { queueId, lastEventId } = await world.register(2);
    world.record([world.say(1, { to: 'everyone' }, 2)]);
    await say(2);
    world.record([world.say(3, { to: 'everyone' })]);
    world.record([world.say(0, { to: 'users', ids: [1] })]);
    await say(4);
    await say(5);
    world.record([world.say(6, { to: 'everyone' })]);
    expect(await drained(world, queueId, lastEventId)).toEqual([[1, 1, 2, 3, 4, 5, 6]]);
  });

  test('comes behind the rest of an event of which the client has a part', async () => {
    const { world, say } = await opened();
    const { queueId } = await world.register(2);
    world.record([world.say(1, { to: 'everyone' }, 3)]);
    const [first] = (await world.fetch(queueId, 2, -1)) as { id: number }[];
    await say(2);
    world.record([world.say(3, { to: 'everyone' })]);
    expect(await drained(world, queueId, first?.id ?? 0)).toEqual([[1, 1, 2, 3]]);
  });

  test('is not delivered to clients that have newer events', async () => {
    const { world, say } = await opened();
    const [told, waits, quiet] = [await world.register(2), await world.register(2), await world.register(2)];
    const only = settingsOf({ eventTypes: ['typing'] });
    const other = await world.register(2, only);
    const { position } = world.directory;
    world.record([world.say(1, { to: 'everyone' })]);
    const [fact] = (await world.fetch(told.queueId, 2, told.lastEventId)) as { id: number }[];
    expect(numbersOf((await world.fetch(waits.queueId, 2, waits.lastEventId)) as any[])).toEqual([1]);
    const waiting = world.wait(waits.queueId, 2, fact?.id ?? 0);
    const listening = world.wait(other.queueId, 2, other.lastEventId);
    await new Promise(setImmediate);
    await say(2, position);
    expect(await drained(world, told.queueId, fact?.id ?? 0)).toEqual([]);
    // Whether this queue's client received the answer is not known yet: it may have been lost.
    expect(await drained(world, quiet.queueId, quiet.lastEventId)).toEqual([[2, 1]]);
    // This queue got no events of the log.
    expect(numbersOf((await listening) as any[])).toEqual([2]);
    world.record([world.say(3, { to: 'everyone' })]);
    expect(numbersOf((await waiting) as any[])).toEqual([3]);
  });

  test('of a process that is ahead comes before the events that are not here yet', async () => {
    const { world, say } = await opened();
    const { queueId, lastEventId } = await world.register(2);
    world.record([world.say(1, { to: 'everyone' })]);
    await say(2, world.directory.position + 5);
    const [fact, announced] = (await world.fetch(queueId, 2, lastEventId)) as { id: number }[];
    world.record([world.say(3, { to: 'everyone' })]);
    expect(numbersOf([fact, announced])).toEqual([1, 2]);
    expect(await drained(world, queueId, announced?.id ?? 0)).toEqual([[3]]);
  });

  test('gives a poll that is replaced meanwhile no ID beyond events that it did not get', async () => {
    for (let turns = 0; turns < 4; turns++) {
      const { world, say } = await opened();
      const { queueId, lastEventId } = await world.register(2);
      world.record([world.say(1, { to: 'everyone' })]);
      await say(2);
      world.record([world.say(3, { to: 'everyone' })]);
      const older = world.fetch(queueId, 2, lastEventId);
      for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
      await world.fetch(queueId, 2, lastEventId);
      const [last] = ((await older) as { id: number; type: string }[]).slice(-1);
      if (last?.type !== 'heartbeat') continue;
      expect(numbersOf(await world.fetch(queueId, 2, last.id))).toEqual([1, 3]);
    }
  });

  test('is dropped when no client fetches it, within a bound', async () => {
    const { world, say } = await opened();
    const { queueId, lastEventId } = await world.register(2);
    for (let n = 0; n < 100; n++) await say(n);
    const kept = (await world.fetch(queueId, 2, lastEventId)) as unknown[];
    expect(kept).toHaveLength(20);
    await say(100);
    world.clock.atMs += 60_000;
    expect(await world.fetch(queueId, 2, lastEventId)).toEqual([]);
  });

  test('is not delivered to a user who lost access before the poll', async () => {
    const { world } = await opened();
    world.record([channelCreated(1, true), subscribed(1, 1), subscribed(1, 2)]);
    const [stayed, left] = [await world.register(1), await world.register(2)];
    const entry = { type: 'typing', audience: { to: 'channel-knowers', channelId: 1 }, body: { n: 1 } } as const;
    await new EphemeralEvents(world.broadcast).announce(entry, world.directory.position);
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
