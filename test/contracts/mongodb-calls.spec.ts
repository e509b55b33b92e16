import { setTimeout as pause } from 'node:timers/promises';
import { describeOnMongo, until } from '#testing';
import { ReadStoreUnavailable, type Collection, type Lease } from '#read-store';
import type { MongoReadStore } from '../../libs/engine/read-store/src/mongodb/mongo-read-store.js';
import { openMongo, type MongoReadStores } from '../../libs/engine/read-store/src/mongodb/mongo-read-stores.js';
import { MongoHarness } from '../../libs/engine/read-store/src/mongodb/mongo.fixture.js';
import { MongoProxy } from '../mongodb/index.js';

type Doc = Record<string, unknown>;

const notes = { name: 'notes', key: 'integer', fields: { channel: 'integer' }, indexes: [['channel']] } as const;
/** Short, so that an unanswered call does not delay a test. */
const LIMITS = { quickMs: 200, usualMs: 400 };
const UNUSUAL_MS = 60_000;
/** The driver's own commands. A cursor's next batch is under the limit of its first. */
const OF_THE_DRIVER = ['hello', 'ismaster', 'endSessions', 'killCursors', 'getMore'];
const WRITES = ['insert', 'update', 'delete', 'findAndModify', 'create', 'createIndexes', 'drop'];
const READS = ['find', 'aggregate'];

describeOnMongo('calls to MongoDB through a proxy that misbehaves', (server) => {
  let harness: MongoHarness;
  let proxy: MongoProxy;
  let stores: MongoReadStores;
  let lease: Lease;
  let store: MongoReadStore;
  let collection: Collection<Doc>;

  const commit = (position: number, doc: Doc = {}): Promise<void> =>
    store.commit({ writes: [{ collection: 'notes', key: position, doc }], position, passed: position });
  const open = async (limits = LIMITS): Promise<void> => {
    stores = await openMongo(proxy.url, { limits });
    lease = (await stores.leases.acquire('projector', 'me', UNUSUAL_MS)) as Lease;
    store = await stores.writing(lease);
    collection = await store.collection<Doc>(notes);
    await commit(1);
  };
  const failureOf = (call: Promise<unknown>): Promise<unknown> =>
    call.then(
      () => undefined,
      (error: unknown) => error,
    );

  beforeEach(async () => {
    harness = await MongoHarness.on(server.freshUrl());
    proxy = await MongoProxy.start(harness.url);
  });
  afterEach(async () => {
    await proxy.heal();
    await stores.close();
    await harness.destroy();
    await proxy.stop();
  });

  test('tell the server their limit, decide by majority, and read what a majority has', async () => {
    const seen = jest.spyOn(proxy.faults, 'of');
    await open({ quickMs: 4_000, usualMs: 8_000 });
    await commit(2);
    await store.commit({ writes: [{ collection: 'notes', key: 2, doc: undefined }], position: 3, passed: 3 });
    await store.commit({ writes: [], prunes: [{ collection: 'notes', below: 1 }], position: 4 });
    const rebuild = await store.startRebuild(notes);
    await store.finishRebuild(notes, rebuild);
    const reader = await stores.reading().collection<Doc>(notes);
    await reader.count(undefined, 5);
    await reader.find({ limit: 5 });
    await stores.progress.position();
    await stores.leases.renew(lease);
    await stores.leases.release(lease);
    await stores.side.put('queues', 'a', { text: 'é'.repeat(4_100_000) });
    await stores.side.list('queues');
    await stores.side.remove('queues', 'a');
    await stores.broadcast.publish('typing', {});
    const requests = seen.mock.calls
      .map(([request]) => request)
      .filter(({ command }) => !OF_THE_DRIVER.includes(command));
    const named = (request: (typeof requests)[number]): string => `${request.command} ${request.collection ?? ''}`;
    expect(new Set(requests.map(({ command }) => command))).toEqual(
      new Set([...WRITES, ...READS, 'listCollections', 'buildInfo']),
    );
    const limits = requests.map((request) => [named(request), Number(request.body['maxTimeMS'])] as const);
    expect(limits.filter(([, limit]) => limit !== 4_000 && limit !== 8_000)).toEqual(
      limits.filter(([name]) => name === 'update state').map(([name]) => [name, 2_000]),
    );
    // Hints may be lost.
    const rest = requests.filter(({ command, collection: name }) => name !== 'signals' || command === 'create');
    const writes = rest.filter(({ command }) => WRITES.includes(command));
    expect(writes.filter(({ body }) => body['writeConcern']?.w !== 'majority').map(named)).toEqual([]);
    const reads = rest.filter(({ command, collection: name }) => READS.includes(command) && name !== 'state');
    expect(reads.filter(({ body }) => body['readConcern']?.level !== 'majority').map(named)).toEqual([]);
  });

  test('are given up when they are never answered, and later calls do not wait', async () => {
    await open();
    expect(await stores.progress.position()).toBe(1);
    const fault = proxy.faults.ignore({ command: 'find', collection: 'journal' });
    const asked = stores.progress.position();
    const failed = failureOf(asked);
    await until(() => fault.struck === 1);
    const after = stores.progress.position();
    expect(await failed).toBeInstanceOf(ReadStoreUnavailable);
    expect(await after).toBe(1);
    for (const [command, call] of [
      ['insert', () => commit(2)],
      ['update', () => stores.leases.renew(lease)],
      ['find', () => collection.get(1)],
      ['findAndModify', () => stores.side.put('queues', 'a', {})],
    ] as const) {
      proxy.faults.ignore({ command });
      expect(await failureOf(call())).toBeInstanceOf(ReadStoreUnavailable);
      expect(await failureOf(call())).toBeUndefined();
    }
    expect(await collection.get(2)).toEqual({});
  });

  test('are given up early when it is the write that decides a commit', async () => {
    await open({ quickMs: 200, usualMs: UNUSUAL_MS });
    proxy.faults.ignore({ command: 'insert', collection: 'journal' });
    const failed = failureOf(commit(2));
    expect(await Promise.race([failed, pause(UNUSUAL_MS / 2, 'still waiting')])).toBeInstanceOf(ReadStoreUnavailable);
    await commit(3);
    expect(await stores.progress.position()).toBe(3);
  });

  test('hold up no commit when it is the write that counts one', async () => {
    await open({ quickMs: 200, usualMs: UNUSUAL_MS });
    await store.settled();
    const fault = proxy.faults.ignore({ command: 'update', collection: 'state' });
    await commit(2);
    await until(() => fault.struck === 1);
    await commit(3);
    expect(await stores.progress.position()).toBe(3);
    await until(() =>
      collection.getMany([2, 3]).then(
        ({ size }) => size === 2,
        () => false,
      ),
    );
    await until(() =>
      store.settled().then(
        () => true,
        () => false,
      ),
    );
  });

  // The driver of a replica set repeats a write by itself, so that nobody sees a failure there.
  test.each([
    ['the answer to what decides it is lost', { command: 'insert', collection: 'journal' }, 'loseAnswer'],
    ['the answer to what counts it is lost', { command: 'update', collection: 'state' }, 'loseAnswer'],
    ['what counts it is lost', { command: 'update', collection: 'state' }, 'ignore'],
  ] as const)('write a commit once when it is made again because %s', async (_, chosen, fault) => {
    await open();
    await store.settled();
    const seen = jest.spyOn(proxy.faults, 'of');
    for (const position of [2, 3]) {
      const commit = { writes: [{ collection: 'notes', key: 1, doc: { position } }], position, passed: position };
      const struck = proxy.faults[fault](chosen);
      const failure = await failureOf(store.commit(commit));
      if (failure !== undefined) expect(failure).toBeInstanceOf(ReadStoreUnavailable);
      await until(() => struck.struck === 1);
      if (failure !== undefined) await store.commit(commit);
      await until(() =>
        store.settled().then(
          () => true,
          () => false,
        ),
      );
      expect(await stores.progress.position()).toBe(position);
    }
    await commit(4);
    expect(await collection.getMany([1, 4])).toEqual(
      new Map([
        [1, { position: 3 }],
        [4, {}],
      ]),
    );
    const inserts = seen.mock.calls.filter(
      ([{ command, collection: name }]) => command === 'insert' && name === 'journal',
    );
    expect(new Set(inserts.map(([{ body }]) => JSON.stringify(body['documents']?.[0]?._id))).size).toBe(3);
  });

  test('are not shared once they are overdue', async () => {
    await open({ quickMs: UNUSUAL_MS, usualMs: UNUSUAL_MS });
    const other = await openMongo(proxy.url, { limits: { quickMs: 3_000, usualMs: 3_000 } });
    const reader = await other.reading().collection<Doc>(notes);
    const fault = proxy.faults.ignore({ command: 'find', collection: 'state' });
    let isOver = false;
    const first = failureOf(reader.get(1)).finally(() => (isOver = true));
    await until(() => fault.struck === 1);
    await until(async () => (await Promise.race([reader.get(1), pause(300)])) !== undefined);
    expect(isOver).toBe(false);
    expect(await first).toBeInstanceOf(ReadStoreUnavailable);
    await other.close();
  });

  test('leave all connections when some are silent: at most those under way fail', async () => {
    await open();
    const collection = await stores.reading().collection<Doc>(notes);
    await Promise.all(Array.from({ length: 10 }, () => collection.get(1)));
    const silent = proxy.connections;
    expect(silent.length).toBeGreaterThan(4);
    for (const connection of silent) connection.hold('to server', 'to client');
    expect(await failureOf(collection.get(1))).toBeInstanceOf(ReadStoreUnavailable);
    for (let call = 0; call < 30; call++) expect(await collection.get(1)).toEqual({});
    await commit(2);
    expect(await stores.progress.position()).toBe(2);
    // The old client ended with its last call, and its connections with it.
    for (const connection of silent) connection.release();
    await until(() => proxy.connections.every((connection) => !silent.includes(connection)));
  });

  test.each(['reset', 'end'] as const)('go on after all connections were cut twelve times (%s)', async (how) => {
    await open({ quickMs: 4_000, usualMs: 8_000 });
    let position = 1;
    let tries = 0;
    const load = { isOver: false };
    const writing = (async () => {
      while (!load.isOver) {
        tries++;
        if ((await failureOf(commit(position + 1))) === undefined) position++;
        else await pause(20);
      }
    })();
    for (let round = 0; round < 12; round++) {
      await pause(50);
      proxy.cut(how);
    }
    const [reached, tried] = [position, tries];
    await until(() => position > reached + 2);
    // Each attempt fails or succeeds at once: none waits for a lost connection.
    expect(tries - tried).toBeLessThan(60);
    load.isOver = true;
    await writing;
    expect(await stores.progress.position()).toBe(position);
    expect(await collection.count(undefined, 1_000)).toBe(position);
  });

  test('are given up soon after the driver has found connections closed, when theirs says nothing', async () => {
    await open({ quickMs: UNUSUAL_MS, usualMs: UNUSUAL_MS });
    const collection = await stores.reading().collection<Doc>(notes);
    expect(await collection.get(1)).toEqual({});
    const unanswered = (['aggregate', 'find'] as const).map((command) => proxy.faults.ignore({ command }));
    const failed = failureOf(collection.count(undefined, 5));
    const cut = failureOf(collection.get(1));
    await until(() => unanswered.every(({ struck }) => struck === 1));
    const has = (sent: ReadonlyMap<string, number>, command: string): boolean =>
      [...sent.keys()].some((name) => name.startsWith(`${command} `));
    proxy.cut('end', ({ sent }) => has(sent, 'find') && !has(sent, 'aggregate'));
    await cut;
    // Not at a limit, nor when the driver has met its own.
    expect((await failed) as Error).toMatchObject({ name: 'CallGivenUp', message: expect.stringContaining('lost') });
    expect(await collection.count(undefined, 5)).toBe(1);
  });

  test('do not wait until their limit for a server that the driver has lost sight of, after connections were closed', async () => {
    await open({ quickMs: 4_000, usualMs: 8_000 });
    const calls = [
      ...Array.from({ length: 4 }, () => () => stores.progress.position()),
      ...Array.from({ length: 2 }, (_, index) => () => stores.side.put('queues', `q${index}`, {})),
    ];
    const answered = calls.map(() => 0);
    const failures = new Set<string>();
    const load = { isOver: false };
    const calling = calls.map(async (call, index) => {
      while (!load.isOver) {
        const failure = await failureOf(call());
        if (failure === undefined) answered[index] = (answered[index] ?? 0) + 1;
        else failures.add((failure as Error).message);
        await pause(20);
      }
    });
    for (let round = 0; round < 12; round++) {
      await pause(250);
      proxy.cut('end');
    }
    const before = [...answered];
    await until(() => answered.every((count, index) => count > (before[index] ?? 0) + 3));
    load.isOver = true;
    await Promise.all(calling);
    expect([...failures].filter((text) => /MongoServerSelectionError|did not answer|does not say/.test(text))).toEqual(
      [],
    );
  });
});
