import { setTimeout as pause } from 'node:timers/promises';
import { EventStoreUnavailable } from '#event-store';
import { until } from '#testing';
import {
  contractRegistry,
  everything,
  note,
  textsOf,
} from '../../../libs/engine/event-store/src/contract/log.contract.js';
import { EventStoreDbEventStore } from '../../../libs/engine/event-store/src/eventstoredb/eventstoredb-event-store.js';
import { EventStoreDbCluster, type EventStoreDbStandIn } from '../../eventstoredb/index.js';
import { Follower } from '../eventstoredb.fixture.js';

const ELECTION_MS = 300;
/** From the moment when a leader of such a cluster is lost, more than until the silence of the frozen one is noticed. */
const YOUNG_MS = 3_000;

let cluster: EventStoreDbCluster;
const stores: EventStoreDbEventStore[] = [];
const failures: string[] = [];
let recoveries = 0;

beforeEach(async () => {
  cluster = await EventStoreDbCluster.start({ electionMs: ELECTION_MS });
  failures.length = recoveries = 0;
});

afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  await cluster.stop();
});

async function open(url = cluster.url): Promise<EventStoreDbEventStore> {
  const onFailure = ({ message }: EventStoreUnavailable): void => void failures.push(message);
  const onRecovery = (): void => {
    recoveries++;
  };
  const store = await EventStoreDbEventStore.open(url, contractRegistry, { onFailure, onRecovery });
  stores.push(store);
  return store;
}

const EXPECTED = ['none', 1, 'any'] as const;

/** Appends at each kind of expectation in parallel, to streams that hold two events, or none for `none`. */
async function appendAll(store: EventStoreDbEventStore, begin: () => void): Promise<void> {
  for (const expected of EXPECTED) {
    if (expected !== 'none') await store.append(`1.${expected}`, 'none', [note('p'), note('q')]);
  }
  begin();
  const appends = await Promise.all(
    EXPECTED.map((expected) => store.append(`1.${expected}`, expected, [note('x'), note('y')])),
  );
  await until(() => store.failure === undefined);
  for (const [index, expected] of EXPECTED.entries()) {
    const before = expected === 'none' ? -1 : 1;
    const appended = appends[index];
    expect(appended).toMatchObject({ firstRevision: before + 1, lastRevision: before + 2 });
    const stored = await store.readStream(`1.${expected}`, { from: before + 1, limit: 5 });
    expect(textsOf(stored)).toEqual(['x', 'y']);
    expect(appended?.position).toBe(stored.at(-1)?.position);
  }
}

describe('a leader that is frozen', () => {
  test('before it has stored appends does not get to: the next leader stores them once', async () => {
    const store = await open();
    const old = cluster.leader;
    await appendAll(store, () => cluster.freeze(old));
    const { eventCount } = cluster;
    cluster.thaw(old);
    await pause(100);
    expect(cluster.eventCount).toBe(eventCount);
  });

  test.each([1, 2, 3])('after it has stored %i of three appends, has stored them once', async (nth) => {
    const store = await open();
    const old = cluster.leader;
    await appendAll(store, () => cluster.freeze(old, { afterAppends: nth }));
    const { eventCount } = cluster;
    cluster.thaw(old);
    await pause(100);
    expect(cluster.eventCount).toBe(eventCount);
  });

  test('is told of at once when an append has no answer; who waits is refused, and the next one passes', async () => {
    const store = await open();
    await store.append('1.a', 'any', [note('0')]);
    cluster.freeze(cluster.leader);
    const first = store.append('1.a', 'any', [note('first')]);
    await pause(100);
    const waiting = store.append('1.a', 'any', [note('waiting')]);
    await expect(waiting).rejects.toThrow(/is not available: it does not answer in time/);
    expect(await first).toMatchObject({ lastRevision: 1 });
    await until(() => store.failure === undefined);
    await store.append('1.a', 'any', [note('next')]);
    expect(textsOf(await everything(store))).toEqual(['0', 'first', 'next']);
    expect(failures).toHaveLength(1);
    expect(recoveries).toBe(1);
  });

  test('is known as such by a store that only follows the log, which goes on at another node', async () => {
    const [store, reader] = [await open(), await open()];
    const follower = new Follower(reader);
    await store.append('1.a', 'any', [note('0')]);
    await follower.has(1);
    await store.close();
    cluster.freeze(cluster.leader);
    await until(() => reader.failure !== undefined);
    await until(() => reader.failure === undefined);
    await (await open()).append('1.a', 'any', [note('1')]);
    await follower.has(2);
    await follower.stop();
    expect(follower.texts).toEqual(['0', '1']);
  });

  test('is not waited for at the start', async () => {
    const old = cluster.node(0);
    cluster.freeze(old);
    const store = await open();
    await store.append('1.a', 'none', [note('x')]);
    expect(failures).toEqual([]);
  });
});

describe('a new leader that cannot append yet', () => {
  test.each([
    ['refuses what only a leader may do', { inaugurationMs: YOUNG_MS }, () => undefined],
    ['does not answer appends', {}, (node: EventStoreDbStandIn) => node.faults.holdAppends()],
    ['never answers appends that came early', {}, (node: EventStoreDbStandIn) => node.faults.ignoreAppends()],
  ] as const)('and %s: the store is back when an append passes, not before', async (how, options, hinder) => {
    await cluster.stop();
    cluster = await EventStoreDbCluster.start({ electionMs: ELECTION_MS, ...options });
    const store = await open();
    await store.append('1.a', 'any', [note('0')]);
    const old = cluster.leader;
    for (const node of cluster.followers) hinder(node);
    cluster.freeze(old);
    // The stream's end is not known, so a read notices that the leader is frozen.
    const first = store.append('1.b', 'any', [note('first')]);
    await until(() => cluster.leader !== old);
    await pause(YOUNG_MS);
    expect(recoveries).toBe(0);
    const actsMs = performance.now();
    for (const node of cluster.nodes) node.faults.heal();
    await first;
    process.stdout.write(
      `A new leader that ${how}: an append passes ${Math.round(performance.now() - actsMs)} ms after it acts.\n`,
    );
    await until(() => store.failure === undefined);
    expect([failures.length, recoveries]).toEqual([1, 1]);
    expect(textsOf(await everything(store))).toEqual(['0', 'first']);
  });
});

test('a leader that is killed costs an election, and no append is refused', async () => {
  const store = await open();
  const follower = new Follower(store);
  await store.append('1.a', 'any', [note('0')]);
  const old = cluster.leader;
  await cluster.kill(old);
  await store.append('1.a', 'any', [note('1')]);
  await cluster.revive(old);
  await cluster.kill(cluster.leader);
  await store.append('1.a', 'any', [note('2')]);
  await follower.has(3);
  await follower.stop();
  expect(textsOf(await everything(store))).toEqual(['0', '1', '2']);
  expect(failures).toEqual([]);
});

test('a leader that resigns, and followers that are frozen or killed, have no effect on callers', async () => {
  const store = await open();
  const follower = new Follower(store);
  const [other] = cluster.followers;
  if (other === undefined) throw new Error('A cluster has three nodes.');
  cluster.freeze(other);
  await store.append('1.a', 'any', [note('0')]);
  cluster.thaw(other);
  await cluster.kill(other);
  await store.append('1.a', 'any', [note('1')]);
  await cluster.revive(other);
  cluster.resign();
  await store.append('1.a', 'any', [note('2')]);
  await follower.has(3);
  await follower.stop();
  expect(follower.texts).toEqual(['0', '1', '2']);
  expect(failures).toEqual([]);
});

test('a cluster without a majority says so, and goes on by itself', async () => {
  const store = await open();
  const [first, second] = cluster.followers;
  if (first === undefined || second === undefined) throw new Error('A cluster has three nodes.');
  await cluster.kill(first);
  await cluster.kill(second);
  await until(() => store.failure !== undefined);
  await expect(store.append('1.a', 'any', [note('refused')])).rejects.toThrow(EventStoreUnavailable);
  await cluster.revive(second);
  await until(() => store.failure === undefined);
  await store.append('1.a', 'any', [note('x')]);
  expect(textsOf(await everything(store))).toEqual(['x']);
});

test('no node answers: the reason is that of a node', async () => {
  const { url } = cluster;
  await cluster.stop();
  await expect(open(url)).rejects.toThrow(/is not available: connection refused/);
});

test('appends under load lose and repeat nothing while one leader after the other is frozen or killed', async () => {
  const store = await open();
  const acknowledged: string[] = [];
  let isOver = false;
  let count = 0;
  const writing = Array.from({ length: 8 }, async (_, writer) => {
    while (!isOver) {
      const event = note(String(count++));
      try {
        await store.append(writer % 2 === 0 ? '1.all' : `1.s-${writer}`, 'any', [event]);
        acknowledged.push(event.id);
      } catch (error) {
        expect(error).toBeInstanceOf(EventStoreUnavailable);
      }
      await pause(5);
    }
  });
  for (const how of ['freeze', 'freeze after', 'kill'] as const) {
    const old = cluster.leader;
    if (how === 'kill') await cluster.kill(old);
    else cluster.freeze(old, { afterAppends: how === 'freeze after' ? 1 : 0 });
    const before = acknowledged.length;
    await until(() => cluster.leader !== old && acknowledged.length > before + 20);
    if (how === 'kill') await cluster.revive(old);
    else cluster.thaw(old);
  }
  isOver = true;
  await Promise.all(writing);
  const stored = (await everything(store)).map(({ id }) => id);
  expect(new Set(stored).size).toBe(stored.length);
  expect(stored).toEqual(expect.arrayContaining(acknowledged));
});
