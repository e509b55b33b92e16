import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  AccessDeniedError,
  DeadlineExceededError,
  EventStoreDBClient,
  jsonEvent,
  NO_STREAM,
  NotLeaderError,
  START,
  TimeoutError,
  UnavailableError,
} from '@eventstore/db-client';
import { until } from '#testing';
import { EventStoreDbStandIn } from './index.js';

let standIn: EventStoreDbStandIn;
let client: EventStoreDBClient;

beforeEach(async () => {
  standIn = await EventStoreDbStandIn.start();
  client = EventStoreDBClient.connectionString(standIn.url);
});
afterEach(async () => {
  await client.dispose();
  await standIn.stop();
});

const event = (id: string = randomUUID()) => jsonEvent({ id, type: 'Tested', data: { id } });

async function failure(promise: Promise<unknown>): Promise<any> {
  try {
    await promise;
    return undefined;
  } catch (error) {
    return error;
  }
}

describe('an append whose connection drops', () => {
  test('before it is applied stores nothing, and the same client can repeat it', async () => {
    await client.appendToStream('s', event());
    const id = randomUUID();
    standIn.faults.cutBeforeAppend();
    expect(await failure(client.appendToStream('s', event(id), { expectedRevision: 0n }))).toBeInstanceOf(
      UnavailableError,
    );
    expect(standIn.eventCount).toBe(2);
    const { nextExpectedRevision } = await client.appendToStream('s', event(id), { expectedRevision: 0n });
    expect(nextExpectedRevision).toBe(1n);
  });

  test('after it was applied is stored, and known when it is repeated', async () => {
    await client.appendToStream('s', event());
    const id = randomUUID();
    standIn.faults.cutAfterAppend();
    expect(await failure(client.appendToStream('s', event(id), { expectedRevision: 0n }))).toBeInstanceOf(
      UnavailableError,
    );
    expect(standIn.eventCount).toBe(3);
    const { nextExpectedRevision } = await client.appendToStream('s', event(id), { expectedRevision: 0n });
    expect(nextExpectedRevision).toBe(1n);
    expect(standIn.eventCount).toBe(3);
  });

  test('takes those in flight with it, of every client of the process', async () => {
    const other = await EventStoreDbStandIn.start();
    const otherClient = EventStoreDBClient.connectionString(other.url);
    await Promise.all([client.appendToStream('s', event()), otherClient.appendToStream('s', event())]);
    other.faults.holdAppends();
    const theirAppend = failure(otherClient.appendToStream('s', event()));
    await until(() => other.faults.appendsReceived === 2);
    standIn.faults.cutBeforeAppend();
    const [mine, also, theirs] = await Promise.all([
      failure(client.appendToStream('s', event())),
      failure(client.appendToStream('s', event())),
      theirAppend,
    ]);
    expect([mine, also, theirs].every((error) => error instanceof UnavailableError)).toBe(true);
    expect(standIn.eventCount).toBe(2);
    await other.stop();
    await otherClient.dispose();
  });
});

describe('delayed appends', () => {
  test('keep their order', async () => {
    // The client lets others overtake the append that opens its call.
    await client.appendToStream('t', event());
    standIn.faults.delayAppends(100);
    const started = performance.now();
    const results = await Promise.all([1, 2, 3].map(() => client.appendToStream('s', event())));
    expect(performance.now() - started).toBeGreaterThanOrEqual(95);
    expect(results.map(({ nextExpectedRevision }) => nextExpectedRevision)).toEqual([0n, 1n, 2n]);
  });

  test('are refused when their deadline is over', async () => {
    standIn.faults.delayAppends(200);
    expect(await failure(client.appendToStream('s', event(), { deadline: 100 }))).toBeInstanceOf(DeadlineExceededError);
    expect(standIn.eventCount).toBe(1);
  });

  test('are not applied once their connection is gone', async () => {
    standIn.faults.holdAppends();
    const appended = failure(client.appendToStream('s', event()));
    await until(() => standIn.faults.appendsReceived === 1);
    standIn.cutConnections();
    expect(await appended).toBeInstanceOf(UnavailableError);
    standIn.faults.heal();
    await sleep(50);
    expect(standIn.eventCount).toBe(1);
  });
});

describe('appends that are held', () => {
  test('keep their order, and are applied when the node is healed', async () => {
    await client.appendToStream('t', event());
    standIn.faults.holdAppends();
    const appends = [1, 2, 3].map(() => client.appendToStream('s', event()));
    await until(() => standIn.faults.appendsReceived === 4);
    expect(standIn.eventCount).toBe(2);
    standIn.faults.heal();
    const results = await Promise.all(appends);
    expect(results.map(({ nextExpectedRevision }) => nextExpectedRevision)).toEqual([0n, 1n, 2n]);
  });
});

describe('a connection that is cut before the client knows the node', () => {
  test('fails an append with a plain error, as later appends to a node that is away', async () => {
    standIn.faults.holdAppends();
    const appended = failure(client.appendToStream('s', event()));
    await until(() => standIn.connectionCount > 0);
    standIn.cutConnections();
    expectPlain(await appended);
    expect(standIn.faults.appendsReceived).toBe(0);
  });
});

/** As the client passes on errors of gRPC that no call of its own converts. */
function expectPlain(error: any): void {
  expect(error).toMatchObject({ code: 14 });
  expect(error.type).toBeUndefined();
  expect(error.constructor.name).toBe('Error');
}

describe('a node that goes away', () => {
  test('fails appends in flight as unavailable, and later ones with a plain error', async () => {
    await client.appendToStream('s', event());
    standIn.faults.holdAppends();
    const inFlight = failure(client.appendToStream('s', event()));
    await until(() => standIn.faults.appendsReceived === 2);
    await standIn.stop();
    expect(await inFlight).toMatchObject({ type: 'unavailable', code: 14 });
    expectPlain(await failure(client.appendToStream('s', event())));
  });

  test('serves the same client when it is back on its port, with all its events', async () => {
    await client.appendToStream('s', event());
    const { url } = standIn;
    await standIn.stop();
    await failure(client.appendToStream('s', event()));
    await standIn.resume();
    expect(standIn.url).toBe(url);
    expect((await client.appendToStream('s', event(), { expectedRevision: 0n })).nextExpectedRevision).toBe(1n);
  });

  test('leaves a subscription with one error, no end, and no way back', async () => {
    await client.appendToStream('s', event());
    const signals: string[] = [];
    const subscription = client.subscribeToAll({ fromPosition: START });
    for (const signal of ['error', 'end', 'close'] as const) subscription.on(signal, () => signals.push(signal));
    let seen = 0;
    await new Promise<void>((resolve) => subscription.on('data', () => ++seen === 2 && resolve()));
    await standIn.restart();
    await sleep(300);
    const fresh = EventStoreDBClient.connectionString(standIn.url);
    await fresh.appendToStream('s', event());
    await sleep(200);
    expect(signals).toEqual(['error']);
    expect(seen).toBe(2);
    await fresh.dispose();
  });
});

describe('subscriptions', () => {
  test('are dropped with an error on demand, and new ones are served', async () => {
    const subscription = client.subscribeToAll({ fromPosition: START });
    const error = new Promise((resolve) => subscription.on('error', resolve));
    await new Promise((resolve) => subscription.once('data', resolve));
    standIn.faults.dropSubscriptions();
    expect(await error).toBeInstanceOf(TimeoutError);
    await client.appendToStream('s', event());
    let seen = 0;
    for await (const _ of client.subscribeToAll({ fromPosition: START })) if (++seen === 2) break;
    expect(seen).toBe(2);
  });

  test('are dropped as unavailable on demand', async () => {
    const subscription = client.subscribeToAll({ fromPosition: START });
    const error = new Promise((resolve) => subscription.on('error', resolve));
    await new Promise((resolve) => subscription.once('data', resolve));
    standIn.faults.dropSubscriptions('unavailable');
    expect(await error).toBeInstanceOf(UnavailableError);
  });

  test('are slow on demand, and reads are not', async () => {
    for (let i = 0; i < 9; i++) await client.appendToStream('s', event());
    standIn.faults.slowSubscriptions(30);
    const started = performance.now();
    let seen = 0;
    for await (const _ of client.subscribeToAll({ fromPosition: START })) if (++seen === 10) break;
    expect(performance.now() - started).toBeGreaterThan(250);
    standIn.faults.slowSubscriptions(3_600_000);
    for await (const _ of client.readAll()) seen++;
    expect(seen).toBe(20);
  });
});

describe('refusals', () => {
  test('of every call, until the node is healed', async () => {
    standIn.faults.refuseCalls();
    expect(await failure(client.appendToStream('s', event()))).toMatchObject({ code: 14 });
    standIn.faults.heal();
    expect((await client.appendToStream('s', event())).success).toBe(true);
    standIn.faults.refuseCalls();
    expect(await failure(client.appendToStream('s', event()))).toBeInstanceOf(UnavailableError);
  });

  test('of writes by a follower, which the client answers by going to the leader', async () => {
    const leader = await EventStoreDbStandIn.start();
    standIn.faults.followLeader('127.0.0.1', leader.port);
    const refused = await failure(client.appendToStream('s', event()));
    expect(refused).toBeInstanceOf(NotLeaderError);
    expect(refused.leader).toEqual({ address: '127.0.0.1', port: leader.port });
    await client.appendToStream('s', event(), { expectedRevision: NO_STREAM });
    expect([standIn.eventCount, leader.eventCount]).toEqual([1, 2]);
    await leader.stop();
  });

  test('of passwords on demand, for calls that begin after that', async () => {
    standIn.faults.refusePasswords();
    expect(await failure(client.appendToStream('s', event()))).toBeInstanceOf(AccessDeniedError);
    const subscription = client.subscribeToAll({ fromPosition: START });
    expect(await new Promise((resolve) => subscription.on('error', resolve))).toBeInstanceOf(AccessDeniedError);
  });
});

describe('a node with users', () => {
  let folder: string;
  let secured: EventStoreDbStandIn;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stand-in-'));
    secured = await EventStoreDbStandIn.start({ users: { ann: 'sec:ret' }, tlsCAFile: join(folder, 'ca.pem') });
  });
  afterAll(async () => {
    await secured.stop();
    await rm(folder, { recursive: true });
  });

  async function attempts(url: string): Promise<unknown[]> {
    const visitor = EventStoreDBClient.connectionString(url);
    const reading = async (): Promise<void> => {
      for await (const _ of visitor.readAll({ maxCount: 1 }));
    };
    const credentials = { username: 'ann', password: 'sec:ret' };
    const attempted = [
      await failure(visitor.appendToStream('s', event())),
      await failure(reading()),
      await failure(visitor.appendToStream('s', event(), { credentials })),
    ];
    await visitor.dispose();
    return attempted.map((error) => error?.type);
  }

  test('knows them by their passwords', async () => {
    expect(await attempts(secured.urlAs('ann', 'sec:ret'))).toEqual([undefined, undefined, undefined]);
  });

  test('refuses a wrong password', async () => {
    expect(await attempts(secured.urlAs('ann', 'wrong'))).toEqual(['access-denied', 'access-denied', undefined]);
  });

  test('refuses strangers', async () => {
    expect(await attempts(secured.url)).toEqual(['access-denied', 'access-denied', undefined]);
  });
});
