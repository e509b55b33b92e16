import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandRunner, EventRegistry, SqliteEventStore, streams, ReadBarrier } from '#event-store';
import { SystemClock } from '#kernel';
import { Directory, organizationEventTypes } from '#people';
import { ApiKeys } from '../credentials/api-keys.js';
import { FirstStart, type FirstStartSettings } from './first-start.js';
import { Passwords } from '../credentials/passwords.js';

const SETTINGS: FirstStartSettings = {
  organizationName: 'Acme',
  ownerEmail: 'olive@example.test',
  ownerName: 'Olive',
  ownerPassword: 'correct horse',
  botDomain: 'acme.test',
};

let path: string;
let store: SqliteEventStore;

/** Applies the log when a caller waits for it. */
class Following extends ReadBarrier {
  constructor(private readonly directory: Directory) {
    super();
  }

  assertAccepting(): void {
    // Never stalls.
  }

  async waitFor(position: number): Promise<void> {
    while (this.directory.position < position) await showNext(this.directory);
  }
}

beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'first-start-'));
  store = SqliteEventStore.open(join(path, 'events.db'), new EventRegistry(organizationEventTypes));
});
afterEach(async () => {
  await store.close();
  await rm(path, { recursive: true });
});

/** Applies one more event of the log. */
async function showNext(directory: Directory): Promise<void> {
  const [event] = await store.readStream(streams.organization, { from: directory.revision + 1, limit: 1 });
  if (event !== undefined) directory.apply(event);
}

/** Hashes slowly: the directory moves on meanwhile. */
class SlowPasswords extends Passwords {
  constructor(private readonly meanwhile: () => Promise<void>) {
    super();
  }

  override async hash(password: string): Promise<string> {
    await this.meanwhile();
    return super.hash(password);
  }
}

/** A process that shares the log with others. */
function firstStartOn(directory: Directory, passwords = new Passwords()): FirstStart {
  const runner = new CommandRunner(store, new Following(directory));
  return new FirstStart(directory, runner, passwords, new ApiKeys('a secret'), new SystemClock());
}

test('the organization is created once, with its owner', async () => {
  const directory = new Directory();
  expect(await firstStartOn(directory).run(SETTINGS)).toEqual({
    ownerEmail: SETTINGS.ownerEmail,
    generatedPassword: undefined,
  });
  expect(await firstStartOn(new Directory()).run(SETTINGS)).toBeUndefined();
  expect(await firstStartOn(directory).run(SETTINGS)).toBeUndefined();
});

test.each([
  ['REALM_NAME', { organizationName: 'Ac\u200bme' }],
  ['OWNER_NAME', { ownerName: 'Olive \u202eOwner' }],
  ['OWNER_NAME', { ownerName: 'Welcome Bot' }],
])('%s that cannot be told from another is refused by its name', async (setting, change) => {
  await expect(firstStartOn(new Directory()).run({ ...SETTINGS, ...change })).rejects.toThrow(setting);
});

test('the name of the organization is kept composed', async () => {
  const directory = new Directory();
  await firstStartOn(directory).run({ ...SETTINGS, organizationName: ' Cafe\u0301 ' });
  expect(directory.organization.name).toBe('Caf\u00e9');
});

test('an organization that another process is creating becomes visible with its owner, however its events are split', async () => {
  const first = firstStartOn(new Directory());
  await first.run(SETTINGS);
  const zuliprc = first.zuliprc('http://acme.test');
  expect(zuliprc).toContain('key=');
  const head = (await store.readStream(streams.organization, { direction: 'backwards', limit: 1 }))[0]?.revision ?? 0;
  for (let shown = 0; shown <= head + 1; shown++) {
    for (const isMeanwhile of [false, true]) {
      const directory = new Directory();
      const show = async (): Promise<void> => {
        for (let count = 0; count < shown; count++) await showNext(directory);
      };
      if (!isMeanwhile) await show();
      const other = firstStartOn(directory, new SlowPasswords(isMeanwhile ? show : () => Promise.resolve()));
      expect(await other.run(SETTINGS)).toBeUndefined();
      expect(other.zuliprc('http://acme.test')).toBe(zuliprc);
    }
  }
});
