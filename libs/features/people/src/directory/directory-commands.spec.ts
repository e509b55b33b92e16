import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandRunner, EventRegistry, SqliteEventStore, streams, ReadBarrier } from '#event-store';
import { BY_SERVER } from '#kernel';
import { Directory } from './directory.js';
import { type OrganizationEvent, organizationEventTypes } from './organization.events.js';

const at = 1_790_000_000;
let path: string;
let store: SqliteEventStore;
let directory: Directory;
let runner: CommandRunner;

/** Applies the log when a caller waits for it. */
class Following extends ReadBarrier {
  assertAccepting(): void {
    // The directory never stalls.
  }

  async waitFor(): Promise<void> {
    const page = await store.readStream(streams.organization, { from: directory.revision + 1, limit: 100 });
    for (const event of page) directory.apply(event);
  }
}

beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'directory-commands-'));
  store = SqliteEventStore.open(join(path, 'events.db'), new EventRegistry(organizationEventTypes));
  directory = new Directory();
  runner = new CommandRunner(store, new Following());
});
afterEach(async () => {
  await store.close();
  await rm(path, { recursive: true });
});

function user(userId: number, fullName = `User ${userId}`): OrganizationEvent {
  const email = `user${userId}@acme.test`;
  return {
    type: 'user.created.v1',
    data: { userId, email, fullName, role: 400, botType: null, botOwnerId: null, timezone: '', at },
  };
}

test('commands at the same time each decide on what the one before wrote', async () => {
  const create = () => runner.runOn(directory, (known) => ({ events: [user(known.nextUserId)] }), BY_SERVER);
  await Promise.all([create(), create(), create()]);
  expect([...directory.users()].map(({ userId }) => userId)).toEqual([1, 2, 3]);
});

test('a race lost to another process is decided afresh', async () => {
  const other = user(1);
  await store.append(streams.organization, 'none', [{ id: crypto.randomUUID(), ...other }]);
  expect(await runner.runOn(directory, (known) => ({ events: [user(known.nextUserId)] }), BY_SERVER)).toMatchObject({
    events: [{ data: { userId: 2 } }],
    appended: { firstRevision: 1 },
  });
});

test('a decision that takes long lets others run before it is recorded, and is made again when they were faster', async () => {
  const other = new Promise((resolve) => setImmediate(resolve)).then(() =>
    store.append(streams.organization, 'none', [{ id: crypto.randomUUID(), ...user(1) }]),
  );
  let decisions = 0;
  const decided = await runner.runOn(
    directory,
    (known) => {
      decisions++;
      for (const endMs = performance.now() + 20; performance.now() < endMs;);
      return { events: [user(known.nextUserId)] };
    },
    BY_SERVER,
  );
  expect(decided.events).toMatchObject([{ data: { userId: 2 } }]);
  expect(decisions).toBe(2);
  await other;
});

test('what one append cannot hold is the fault of who asked for it', async () => {
  const events = Array.from({ length: 20 }, (_, n) => user(n + 1, 'x'.repeat(100_000)));
  await expect(runner.runOn(directory, () => ({ events }), BY_SERVER)).rejects.toMatchObject({
    code: 'PAYLOAD_TOO_LARGE',
  });
  expect((await runner.runOn(directory, () => ({ events: [user(1)] }), BY_SERVER)).events).toHaveLength(1);
});
