import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describeOnMongo, FerretDb } from '#testing';
import { ReadStoreUnavailable } from '../../read-store.js';
import type { ReadStore } from '../../read-store.js';
import { openMongo } from '../mongo-read-stores.js';
import { clientFor, databaseOf, hostsOf } from './mongo-client.js';
import { MongoHarness } from '../mongo.fixture.js';
import { MongoServer } from './mongo-server.js';

const failureOf = async (url: string, kind: new (message: string) => Error = ReadStoreUnavailable): Promise<Error> => {
  const outcome: unknown = await openMongo(url).then(
    (stores) => stores.close(),
    (error: unknown) => error,
  );
  if (!(outcome instanceof kind)) throw new Error(`${url} gave no ${kind.name}.`);
  return outcome;
};

describe('the address of a read store on MongoDB', () => {
  test.each([
    ['mongodb://h1:27017,h2/', 'h1:27017,h2', 'scrollback'],
    ['mongodb://u:p@h1', 'h1', 'scrollback'],
    ['mongodb://u:p@h1?tls=true', 'h1', 'scrollback'],
    ['mongodb+srv://u:p@cluster.example/chat?retryWrites=true', 'cluster.example', 'chat'],
    ['mongodb://[::1]:5/caf%C3%A9', '[::1]:5', 'café'],
    ['mongodb://u:p%40@h/x', 'h', 'x'],
  ])('%s names hosts and a database', (url, hosts, database) => {
    expect(hostsOf(url)).toBe(hosts);
    expect(databaseOf(url)).toBe(database);
  });

  test.each([
    ['mongodb://'],
    ['mongodb://olive:s3cret/word@127.0.0.1:1/x'],
    ['mongodb://olive:s3cret@host:notaport/x'],
    ['mongodb://olive:s3cret@127.0.0.1:1/x?nosuchoption=s3cret'],
    ['mongodb://ol:ive:s3cret@127.0.0.1:1/x'],
    ['mongodb://olive:s3cret?word@127.0.0.1:1/x'],
  ])('%s is refused without telling the password', async (url) => {
    const error = await failureOf(url, TypeError);
    expect(error.message).toMatch(/address/);
    expect(JSON.stringify([error.message, error.stack, error.cause])).not.toMatch(/s3cret|olive/);
  });

  test('that does not answer is named within seconds', async () => {
    const startedMs = performance.now();
    const error = await failureOf('mongodb://olive:s3cret@127.0.0.1:1/x');
    expect(error.message).toMatch(/127\.0\.0\.1:1 .*ECONNREFUSED/);
    expect(error.message).not.toMatch(/s3cret|olive/);
    // The driver's own limit is 30 s.
    expect(performance.now() - startedMs).toBeLessThan(25_000);
  });
});

test('a server is told which driver connects, or a real one would refuse it', async () => {
  let told: (bytes: Buffer) => void = () => undefined;
  const greeting = new Promise<Buffer>((resolve) => (told = resolve));
  const server = createServer((socket) => {
    socket
      .on('error', () => undefined)
      .once('data', (bytes) => {
        told(bytes);
        socket.destroy();
      });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const opening = failureOf(`mongodb://127.0.0.1:${(server.address() as AddressInfo).port}/x`);
  const text = (await greeting).toString('latin1');
  for (const field of ['driver', 'nodejs', 'platform', 'application', 'scrollback']) expect(text).toContain(field);
  await opening;
  await new Promise((closed) => server.close(closed));
});

describeOnMongo('a MongoDB server', (server) => {
  test('is asked what it can do', async () => {
    const harness = await MongoHarness.on(server.freshUrl());
    const mongo = await MongoServer.connect(harness.url);
    const hello: { setName?: string; msg?: string } = await harness.client.db('admin').command({ hello: 1 });
    const { setName, msg } = hello;
    const isReplicated = setName !== undefined || msg === 'isdbgrid';
    expect(mongo.capabilities.writesAtOnce > 1).toBe(isReplicated);
    await mongo.close();
    await harness.destroy();
  });

  test('is looked for connections to close every few seconds, not ten times a second', async () => {
    const client = clientFor(server.freshUrl(), 'here');
    await client.db().command({ ping: 1 });
    // The driver tells it nowhere.
    const { topology } = client as unknown as {
      readonly topology: { readonly s: { readonly servers: ReadonlyMap<string, { pool: { options: object } }> } };
    };
    for (const { pool } of topology.s.servers.values())
      expect(pool.options).toMatchObject({ minPoolSize: 0, minPoolSizeCheckFrequencyMS: 10_000 });
    await client.close();
  });

  test('that knows the user or the password not is named, without them', async () => {
    const url = server.freshUrl().replace(/^(mongodb(?:\+srv)?:\/\/)(?:[^@/]*@)?/, '$1olive:s3cret@');
    const error = await failureOf(url);
    expect(error.message).toContain(hostsOf(url));
    expect(error.message).toMatch(/[Aa]uthentication/);
    expect(error.message).not.toMatch(/s3cret|olive/);
  });
});

(FerretDb.isBuilt ? describe : describe.skip)('a server that goes away and comes back (needs FERRETDB_BIN)', () => {
  const ferretDb = new FerretDb();
  beforeAll(() => ferretDb.start());
  afterAll(() => ferretDb.stop());

  const schema = { name: 'notes', key: 'integer', fields: {}, indexes: [] } as const;

  test('is waited for, and everything goes on without a restart', async () => {
    const stores = await openMongo(`${ferretDb.url}back`);
    const lease = (await stores.leases.acquire('projector', 'me', 60_000))!;
    const store: ReadStore = await stores.writing(lease);
    const collection = await store.collection(schema);
    const commit = (position: number): Promise<void> =>
      store.commit({ writes: [{ collection: 'notes', key: position, doc: {} }], position, passed: position });
    await commit(1);
    const heard: unknown[] = [];
    stores.broadcast.subscribe('typing', (body) => heard.push(body));
    await ferretDb.kill();
    const refused = await Promise.allSettled([
      commit(2),
      collection.get(1),
      collection.count(undefined, 5),
      stores.progress.position(),
      stores.leases.renew(lease),
      stores.side.put('queues', 'a', {}),
      stores.broadcast.publish('typing', {}),
      stores.reading().checkpoint('notes'),
    ]);
    for (const outcome of refused) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(ReadStoreUnavailable) as unknown });
    }
    await ferretDb.start();
    await commit(2);
    expect(await collection.count(undefined, 5)).toBe(2);
    expect(await stores.progress.position()).toBe(2);
    expect(await stores.leases.renew(lease)).toBe(true);
    while (heard.length === 0) {
      await stores.broadcast.publish('typing', { n: 1 });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(heard[0]).toEqual({ n: 1 });
    await stores.close();
  });
});
