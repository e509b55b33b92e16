import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { EventStoreUnavailable, RevisionConflict } from '#event-store';
import { until } from '#testing';
import {
  contractRegistry,
  everything,
  note,
  textsOf,
} from '../../../libs/engine/event-store/src/contract/log.contract.js';
import { EventStoreDbEventStore } from '../../../libs/engine/event-store/src/eventstoredb/eventstoredb-event-store.js';
import type { EventStoreDbStandIn } from '../../eventstoredb/index.js';
import { asStored, countTo, Follower, ServerFixture } from '../eventstoredb.fixture.js';

let fixture: ServerFixture;
let server: EventStoreDbStandIn;
let store: EventStoreDbEventStore;

beforeEach(async () => {
  fixture = await ServerFixture.start();
  server = fixture.server;
  store = await fixture.open();
});

afterEach(() => fixture.stop());

describe('an append that loses its connection', () => {
  const cuts = {
    'before it is stored': (times: number) => server.faults.cutBeforeAppend(times),
    'after it is stored': (times: number) => server.faults.cutAfterAppend(times),
  };
  const cases = (Object.keys(cuts) as (keyof typeof cuts)[]).flatMap((cut) =>
    (['none', 1, 'any'] as const).flatMap((expected) => [1, 4].map((times) => [cut, expected, times] as const)),
  );

  test.each(cases)('%s, at %s, %i times, is stored once', async (cut, expected, times) => {
    if (expected !== 'none') await store.append('1.a', 'none', [note('p'), note('q')]);
    const before = expected === 'none' ? -1 : 1;
    const events = [note('x'), note('y')];
    cuts[cut](times);
    const appended = await store.append('1.a', expected, events);
    expect(appended).toMatchObject({ firstRevision: before + 1, lastRevision: before + 2 });
    const stored = await store.readStream('1.a', { limit: 10 });
    expect(stored.slice(before + 1).map(({ id }) => id)).toEqual(events.map(({ id }) => id));
    expect(appended.position).toBe(stored.at(-1)?.position);
    expect(await store.head()).toBe(appended.position);
  });

  test('at any, is stored once even when the server has forgotten it', async () => {
    await store.append('1.a', 'any', [note('p')]);
    server.faults.cutAfterAppend();
    const events = [note('x'), note('y')];
    const appending = store.append('1.a', 'any', events);
    await until(() => server.eventCount >= 4);
    await server.restart();
    expect(await appending).toMatchObject({ firstRevision: 1, lastRevision: 2 });
    expect(textsOf(await store.readStream('1.a', { limit: 10 }))).toEqual(['p', 'x', 'y']);
  });

  test('is found although others have appended since', async () => {
    const other = await fixture.open();
    server.faults.cutAfterAppend();
    const appending = store.append('1.a', 'any', [note('x')]);
    await until(() => server.eventCount >= 2);
    await server.stop();
    await server.resume();
    for (let index = 0; index < 600; index += 100) {
      server.seed(
        '1.a',
        countTo(100).map((text) => asStored(note(text))),
      );
    }
    expect(await appending).toMatchObject({ firstRevision: 0, lastRevision: 0 });
    expect(await other.readStream('1.a', { limit: 1_000 })).toHaveLength(601);
  });

  test('in company, answers every caller with its own place', async () => {
    server.faults.cutAfterAppend();
    const appends = countTo(50).map((text) => store.append('1.a', 'any', [note(text), note(`${text}'`)]));
    const answers = await Promise.all(appends);
    const stored = await store.readStream('1.a', { limit: 1_000 });
    expect(stored).toHaveLength(100);
    for (const [index, { firstRevision, lastRevision, position }] of answers.entries()) {
      expect(textsOf(stored.slice(firstRevision, lastRevision + 1))).toEqual([String(index), `${index}'`]);
      expect(position).toBeGreaterThanOrEqual(stored[lastRevision]?.position ?? Infinity);
    }
    expect(store.counters.sent).toBeLessThan(10);
  });

  test('still conflicts when another has won', async () => {
    server.faults.cutBeforeAppend();
    const appending = store.append('1.a', 'none', [note('x')]);
    await pause(5);
    server.seed('1.a', [asStored(note('other'))]);
    await expect(appending).rejects.toMatchObject({ stream: '1.a', expected: 'none', actual: 0 });
    await expect(appending).rejects.toThrow(RevisionConflict);
  });
});

test('appends under load lose and repeat nothing while connections are cut again and again', async () => {
  const acknowledged: string[] = [];
  const failed: string[] = [];
  const events = countTo(600).map((text) => note(text));
  const cutting = (async () => {
    for (let round = 0; round < 10; round++) {
      await pause(40);
      server.cutConnections();
    }
  })();
  await Promise.all(
    Array.from({ length: 20 }, async (_, writer) => {
      for (let index = writer; index < events.length; index += 20) {
        const event = events[index];
        if (event === undefined) continue;
        try {
          await store.append(index % 3 === 0 ? '1.all' : `1.s-${index % 7}`, 'any', [event]);
          acknowledged.push(event.id);
        } catch (error) {
          expect(error).toBeInstanceOf(EventStoreUnavailable);
          failed.push(event.id);
        }
        await pause(2);
      }
    }),
  );
  await cutting;
  const stored = (await everything(store)).map(({ id }) => id);
  expect(new Set(stored).size).toBe(stored.length);
  expect(stored).toEqual(expect.arrayContaining(acknowledged));
  expect(acknowledged.length + failed.length).toBe(events.length);
  expect(acknowledged.length).toBeGreaterThan(0);
});

describe('a server that is away for a while', () => {
  test('is told of, refused appends to, and carried on with', async () => {
    const follower = new Follower(store);
    await store.append('1.a', 'none', [note('0')]);
    await follower.has(1);
    expect(store.failure).toBeUndefined();

    await server.stop();
    const during = store.append('1.a', 0, [note('1')]);
    await until(() => store.failure !== undefined);
    expect(store.failure?.message).toBe(
      `The event store at 127.0.0.1:${server.port} is not available: connection refused.`,
    );
    expect(fixture.failures).toHaveLength(1);
    await expect(store.append('1.b', 'none', [note('refused')])).rejects.toThrow(EventStoreUnavailable);
    await expect(store.readStream('1.a', { limit: 1 })).rejects.toThrow(EventStoreUnavailable);
    await expect(store.head()).rejects.toThrow(EventStoreUnavailable);
    await expect(everything(store)).rejects.toThrow(EventStoreUnavailable);

    await server.resume();
    expect(await during).toMatchObject({ lastRevision: 1 });
    await until(() => store.failure === undefined);
    await store.append('1.a', 1, [note('2')]);
    await follower.has(3);
    await follower.stop();
    expect(follower.texts).toEqual(['0', '1', '2']);
    expect(fixture.failures).toHaveLength(1);
  });

  test.each(['none', 'any'] as const)(
    'gives appends at %s up in the end, and takes new ones when it is back',
    async (expected) => {
      await server.stop();
      const startedMs = Date.now();
      await expect(store.append('1.a', expected, [note('lost')])).rejects.toThrow(/not available: connection refused/);
      expect(Date.now() - startedMs).toBeGreaterThan(8_000);
      await server.resume();
      await until(() => store.failure === undefined);
      await store.append('1.a', 'any', [note('kept')]);
      expect(textsOf(await everything(store))).toEqual(['kept']);
    },
  );

  test('is one that answers but is not ready, as well', async () => {
    const follower = new Follower(store);
    server.faults.refuseCalls();
    server.cutConnections();
    // The first look may have met the cut, and not the refusal.
    await until(() => (store.failure?.message ?? '').includes('it is not ready'));
    server.faults.heal();
    await until(() => store.failure === undefined);
    await store.append('1.a', 'none', [note('x')]);
    await follower.has(1);
    await follower.stop();
  });

  test('lets a store be closed', async () => {
    const follower = new Follower(store);
    await server.stop();
    await pause(50);
    await follower.stop();
    await store.close();
    await expect(store.append('1.a', 'any', [note('x')])).rejects.toThrow('closed');
  });
});

test('an append that the server does not answer ends in time', async () => {
  server.faults.delayAppends(60_000);
  await expect(store.append('1.a', 'none', [note('x')])).rejects.toThrow(/does not answer in time/);
});

test('an append whose connection was left because the server says nothing tells that, not of a lost connection', async () => {
  const sockets: Socket[] = [];
  let isSilent = false;
  const relay = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
    if (isSilent) return;
    const there = connect(server.port, '127.0.0.1').on('error', () => undefined);
    sockets.push(there);
    socket.pipe(there).pipe(socket);
  });
  await new Promise<void>((listening) => relay.listen(0, '127.0.0.1', listening));
  const { port } = relay.address() as AddressInfo;
  const silenced = await EventStoreDbEventStore.open(`esdb://127.0.0.1:${port}?tls=false`, contractRegistry);
  try {
    isSilent = true;
    for (const socket of sockets) socket.unpipe().pause();
    // The heartbeat asks now, and leaves the connection before the append does.
    await pause(1_000);
    await expect(silenced.append('1.a', 'none', [note('x')])).rejects.toThrow(/does not answer in time/);
  } finally {
    await silenced.close();
    for (const socket of sockets) socket.destroy();
    await new Promise((closed) => relay.close(closed));
  }
});

test('appends that pile up are refused before they fill the memory', async () => {
  server.faults.delayAppends(300);
  const appends = Array.from({ length: 9_000 }, (_, index) => store.append(`1.s-${index % 3}`, 'any', [note('x')]));
  const outcomes = await Promise.allSettled(appends);
  const refused = outcomes.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(9_000 - 8_192);
  for (const outcome of refused) {
    expect((outcome as PromiseRejectedResult).reason).toBeInstanceOf(EventStoreUnavailable);
  }
  expect(store.counters).toMatchObject({ waiting: 0, events: 8_192 });
  expect(await everything(store)).toHaveLength(8_192);
});

test('a node that follows sends writers to its leader', async () => {
  const leader = await ServerFixture.start();
  server.faults.followLeader('127.0.0.1', leader.server.port);
  expect(await store.append('1.a', 'none', [note('x')])).toMatchObject({ lastRevision: 0 });
  expect(textsOf(await everything(await leader.open()))).toEqual(['x']);
  await leader.stop();
});
