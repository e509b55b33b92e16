import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import { DamagedRecord, EventStoreUnavailable, openEventStore, RevisionConflict, UnreadableEvent } from '#event-store';
import { sized, until } from '#testing';
import {
  contractRegistry,
  everything,
  note,
  take,
  textsOf,
} from '../../libs/engine/event-store/src/contract/log.contract.js';
import type { EventStoreDbEventStore } from '../../libs/engine/event-store/src/eventstoredb/eventstoredb-event-store.js';
import { EventStoreDbStandIn } from '../eventstoredb/index.js';
import { asStored, countTo, Follower, ServerFixture } from './eventstoredb.fixture.js';

const KILLS = sized({ nightly: 40, usual: 4 });
/** Several times what a connection and its client buffer. */
const MANY = sized({ nightly: 20_000, usual: 8_000 });

let fixture: ServerFixture;
let server: EventStoreDbStandIn;
let store: EventStoreDbEventStore;

beforeEach(async () => {
  fixture = await ServerFixture.start();
  server = fixture.server;
  store = await fixture.open();
});

afterEach(() => fixture.stop());

describe('a subscription', () => {
  test(`that is killed ${KILLS} times under load misses and repeats nothing`, async () => {
    const count = 150 * KILLS;
    const follower = new Follower(store);
    const killing = (async () => {
      for (let round = 0; round < KILLS; round++) {
        await pause(60);
        if (round % 2 === 0) server.faults.dropSubscriptions();
        else server.cutConnections();
      }
    })();
    for (const [index, text] of countTo(count).entries()) {
      await store.append('1.a', index === 0 ? 'none' : index - 1, [note(text)]);
    }
    await killing;
    await follower.has(count);
    await follower.stop();
    expect(follower.texts).toEqual(countTo(count));
  });

  test('asks for no more than a slow consumer takes', async () => {
    server.seed(
      '1.a',
      countTo(MANY).map((text) => asStored(note(text))),
    );
    const before = server.messagesSent;
    const taken: string[] = [];
    for await (const batch of store.subscribe({ signal: AbortSignal.timeout(110_000) })) {
      taken.push(...textsOf(batch));
      if (taken.length === MANY) break;
      if (taken.length > 1_500) continue;
      await pause(300);
      // Buffers of the client and its connection: some hundred events and some windows of HTTP/2.
      expect(server.messagesSent - before - taken.length).toBeLessThan(MANY / 2);
    }
    expect(taken).toEqual(countTo(MANY));
  });

  test('goes on behind what the filter has passed over, not behind its last event', async () => {
    await store.append('1.a', 'none', [note('first')]);
    const follower = new Follower(store);
    await follower.has(1);
    server.seed(
      '2.foreign',
      countTo(20_000).map((text) => asStored(note(text))),
    );
    await until(() => server.messagesSent > 15);
    let searched = 0;
    // Until it has come to the end.
    while (searched < server.messagesSent) {
      searched = server.messagesSent;
      await pause(500);
    }
    server.cutConnections();
    await pause(300);
    await store.append('1.a', 0, [note('second')]);
    await follower.has(2);
    await follower.stop();
    // From its last event it would pass twenty checkpoints again.
    expect(server.messagesSent - searched).toBeLessThan(15);
    expect(follower.texts).toEqual(['first', 'second']);
  });

  test('with prefixes that nothing of ours has waits until it is ended', async () => {
    const stop = new AbortController();
    setTimeout(() => {
      stop.abort();
    }, 50);
    for await (const batch of store.subscribe({ streamPrefixes: ['2.'], signal: stop.signal })) {
      expect(batch).toBeUndefined();
    }
  });

  test('ends with an error when the store is closed', async () => {
    const following = take(store, 1);
    await pause(50);
    await store.close();
    await expect(following).rejects.toThrow(EventStoreUnavailable);
  });
});

describe('a server that others use as well', () => {
  test('has a head of ours', async () => {
    expect(await store.head()).toBe(0);
    server.seed('2.foreign', [asStored(note('foreign'))]);
    expect(await store.head()).toBe(0);
    const { position } = await store.append('1.a', 'none', [note('ours')]);
    expect(await store.head()).toBe(position);
    server.seed(
      '$stats-0.0.0.0:2113',
      countTo(3_000).map((text) => asStored(note(text))),
    );
    expect(await store.head()).toBe(position);
    const sent = server.messagesSent;
    expect(await Promise.all([store.head(), store.head(), store.head()])).toEqual([position, position, position]);
    expect(server.messagesSent - sent).toBeLessThan(50);
    expect(await (await fixture.open()).head()).toBe(position);
  });

  test('shows of them neither to readers nor to subscribers', async () => {
    const follower = new Follower(store);
    for (const text of countTo(50)) {
      server.seed(Number(text) % 2 === 0 ? '10.near' : 'other', [asStored(note('foreign'))]);
      await store.append('1.a', 'any', [note(text)]);
    }
    await follower.has(50);
    await follower.stop();
    expect(follower.texts).toEqual(countTo(50));
    expect(textsOf(await everything(store))).toEqual(countTo(50));
  });

  test('can be shared under a prefix', async () => {
    const acme = await fixture.open({ streamPrefix: 'acme' });
    await store.append('1.a', 'none', [note('ours')]);
    await acme.append('1.a', 'none', [note('theirs')]);
    expect(await acme.head()).toBeGreaterThan(await store.head());
    expect(await everything(acme)).toMatchObject([{ stream: '1.a', revision: 0, data: { text: 'theirs' } }]);
    expect(textsOf(await everything(store))).toEqual(['ours']);
    expect(textsOf(await take(acme, 1, { streamPrefixes: ['1.a'] }))).toEqual(['theirs']);
  });

  test('takes nothing of ours outside our prefix', async () => {
    for (const name of ['2.a', '$streams', 'a', '$1.a', '']) {
      await expect(store.append(name, 'any', [note('x')])).rejects.toThrow(RangeError);
    }
    expect(await store.head()).toBe(0);
  });

  test.each([
    ['text that is not JSON', Buffer.from('{"text":'), 'application/json', ''],
    ['bytes', Buffer.from('{"text":"x"}'), 'application/octet-stream', ''],
    ['a list', Buffer.from('[1]'), 'application/json', ''],
    ['another shape', Buffer.from('{"text":5}'), 'application/json', ''],
    ['metadata that are not JSON', Buffer.from('{"text":"x"}'), 'application/json', 'no'],
  ])('%s among our events is damage that nobody passes', async (_, data, contentType, metadata) => {
    await store.append('1.a', 'none', [note('fine')]);
    const { id, type } = note('');
    server.seed('1.a', [{ id, type, contentType, data, metadata: Buffer.from(metadata) }]);
    const position = await store.head();
    const complaint = { name: DamagedRecord.name, position };
    await expect(everything(store)).rejects.toMatchObject(complaint);
    await expect(take(store, 2)).rejects.toMatchObject(complaint);
    await expect(store.readStream('1.a', { limit: 5 })).rejects.toMatchObject(complaint);
  });
});

describe('a checkpoint', () => {
  test('of another log is refused', async () => {
    const other = await ServerFixture.start();
    const elsewhere = await other.open();
    for (const place of [store, elsewhere]) await place.append('1.a', 'none', [note('x'), note('y')]);
    const [, last] = await everything(elsewhere);
    if (last === undefined) throw new Error('Two events were appended.');
    for (const foreign of [
      elsewhere.checkpointAfter(last),
      elsewhere.checkpointAfter({ ...last, position: last.position + 1 }),
      elsewhere.checkpointAfter({ ...last, position: 999_999_999 }),
      `12@${last.id}`,
    ]) {
      await expect(take(store, 1, { after: foreign })).rejects.toThrow(DamagedRecord);
      const reading = store.readAll({ after: foreign });
      await expect(reading.next()).rejects.toThrow(DamagedRecord);
    }
    await other.stop();
  });

  test('is proved also when the server comes back only later', async () => {
    await store.append('1.a', 'none', [note('x'), note('y')]);
    const [first] = await everything(store);
    if (first === undefined) throw new Error('Two events were appended.');
    await server.stop();
    const follower = new Follower(store, { after: store.checkpointAfter(first) });
    await pause(200);
    await server.resume();
    await follower.has(1);
    await follower.stop();
    expect(follower.texts).toEqual(['y']);
  });
});

describe('two stores on one server', () => {
  test('race for a revision, and exactly one wins each', async () => {
    const stores = [store, await fixture.open(), await fixture.open()];
    for (let revision = -1; revision < 20; revision++) {
      const expected = revision < 0 ? 'none' : revision;
      const outcomes = await Promise.allSettled(stores.map((each) => each.append('1.a', expected, [note('x')])));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(RevisionConflict);
      }
    }
  });

  test('share the revisions of a stream densely', async () => {
    const second = await fixture.open();
    const answers = await Promise.all(
      countTo(2_000).map((text, index) => (index % 2 === 0 ? store : second).append('1.a', 'any', [note(text)])),
    );
    const revisions = answers.map(({ firstRevision }) => firstRevision);
    expect([...revisions].sort((a, b) => a - b)).toEqual(Array.from({ length: 2_000 }, (_, index) => index));
    const stored = await store.readStream('1.a', { limit: 3_000 });
    for (const [index, revision] of revisions.entries())
      expect(stored[revision]?.data).toEqual({ text: String(index) });
  });
});

test('metadata with the name that the store keeps for itself are refused', async () => {
  const event = note('x', { 'scrollback.recordedAtMs': 5 });
  await expect(store.append('1.a', 'none', [event])).rejects.toThrow(UnreadableEvent);
});

describe('opening', () => {
  test('a server that is not there, or says nothing, or refuses the password, is given up, and the error says which', async () => {
    await server.stop();
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const guarded = await EventStoreDbStandIn.start({ users: { admin: 'changeit' } });
    const reasons: Record<string, string> = {
      [`esdb://admin:s3cret@127.0.0.1:${server.port}?tls=false`]: `127.0.0.1:${server.port} is not available: connection refused.`,
      [`esdb://127.0.0.1:${port}?tls=false`]: `127.0.0.1:${port} is not available: it does not answer in time`,
      'esdb://no-such-host.invalid:2113?tls=false': 'no-such-host.invalid:2113 is not available: no such host',
      [guarded.urlAs('admin', 's3cret')]: `127.0.0.1:${guarded.port} is not available: it refuses the credentials.`,
    };
    // All at once, since each is tried for seconds.
    await Promise.all(
      Object.entries(reasons).map(async ([url, reason]) => {
        const error = await openEventStore(url, contractRegistry).catch((caught: unknown) => caught);
        expect(error).toBeInstanceOf(EventStoreUnavailable);
        expect((error as Error).message).toContain(reason);
        expect((error as Error).message).not.toContain('s3cret');
      }),
    );
    silent.close();
    for (const socket of sockets) socket.destroy();
    await guarded.stop();
  });

  test('a server that comes up meanwhile waits for it', async () => {
    await server.stop();
    const opening = openEventStore(server.url.replace('esdb:', 'kurrentdb:'), contractRegistry);
    await pause(500);
    await server.resume();
    const opened = await opening;
    expect(await opened.head()).toBe(0);
    await opened.close();
  });

  test('a server that comes to refuse the password is waited for', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'event-store-'));
    const guarded = await EventStoreDbStandIn.start({
      users: { admin: 'changeit' },
      tlsCAFile: join(folder, 'ca.pem'),
    });
    const opened = await openEventStore(guarded.urlAs('admin', 'changeit'), contractRegistry);
    await opened.append('1.a', 'none', [note('x')]);
    expect(await everything(opened)).toHaveLength(1);
    guarded.faults.refusePasswords();
    guarded.cutConnections();
    await expect(opened.append('1.a', 0, [note('y')])).rejects.toThrow(/it refuses the credentials/);
    await until(() => opened.failure !== undefined);
    expect(opened.failure?.message).toMatch(/it refuses the credentials/);
    guarded.faults.heal();
    await until(() => opened.failure === undefined);
    await opened.append('1.a', 0, [note('z')]);
    expect(textsOf(await everything(opened))).toEqual(['x', 'z']);
    await opened.close();
    await guarded.stop();
    await rm(folder, { recursive: true });
  });

  test('an address that is none is a TypeError', async () => {
    await expect(openEventStore('http://localhost', contractRegistry)).rejects.toThrow(TypeError);
    for (const rest of ['', 'h?tls=perhaps', 'h?nodePreference=best', 'h?tlsCAFile=/no/such/file']) {
      const opening = openEventStore(`esdb://a:s3cret@${rest}`, contractRegistry);
      await expect(opening).rejects.toThrow(TypeError);
      const error: unknown = await opening.catch((reason: unknown) => reason);
      expect(inspect(error, { showHidden: true, depth: 5 })).not.toContain('s3cret');
    }
  });
});
