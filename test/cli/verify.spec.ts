/** `verify` goes on behind damage, and names all of it. */
import { statSync } from 'node:fs';
import * as fc from 'fast-check';
import { DamagedRecord } from '#event-store';
import { rounds, SEED, seeded, sized } from '#testing';
import { openLog } from '../../apps/cli/src/log-address.js';
import { DamagedLogs, damagesOf, names, verifying } from '../support/damaged-logs.js';

/** For thousands of rounds. */
const LONG_MS = 1_800_000;

let logs: DamagedLogs;

beforeEach(() => {
  logs = new DamagedLogs();
});

afterEach(() => {
  logs.remove();
});

test('a whole log is verified, and so is a copy without its mark', async () => {
  await logs.append('events.db', 3);
  expect(await logs.verify('events.db')).toMatchObject({ events: 3, head: 3, damages: [] });
  logs.copy('events.db', 'backup.db');
  expect(await logs.verify('backup.db')).toMatchObject({ events: 3, head: 3, damages: [] });
});

test('a log that ends before what was acknowledged is damaged, although each of its records is whole', async () => {
  await logs.append('events.db', 5);
  logs.tamper('events.db', 'DELETE FROM events WHERE position > 2');
  const { events, damages } = await logs.verify('events.db');
  expect(events).toBe(2);
  expect(damages).toEqual([
    { position: 3, through: 5, reason: 'acknowledged events are missing: the log ends before them' },
  ]);
});

test('a log on a server that lacks an event is damaged, and the place is named', async () => {
  await logs.append('events.db', 4);
  const whole = await openLog(`sqlite:${logs.at('events.db')}`);
  const scavenged = {
    head: () => whole.head(),
    async *readAll() {
      for await (const page of whole.readAll({})) yield page.filter(({ revision }) => revision !== 1);
    },
  };
  expect((await verifying(scavenged, undefined)).damages).toEqual([
    { position: 3, stream: '1.user-0', revision: 2, reason: 'revision 1 of its stream is missing before it' },
  ]);
  await whole.close();
});

test('data that do not fit their type are named, without what people wrote', async () => {
  await logs.append('events.db', 1);
  const [event] = (await logs.verify('events.db')).whole;
  const whole = await openLog(`sqlite:${logs.at('events.db')}`);
  const changed = {
    head: () => whole.head(),
    async *readAll() {
      yield [{ ...event!, data: { ...(event?.data as object), hash: { secret: 'word' } } }];
    },
  };
  const { damages } = await verifying(changed, undefined);
  await whole.close();
  const reason = 'its data do not fit the schema of user.api-key-issued.v1, at hash';
  expect(damages).toEqual([{ position: 1, stream: '1.user-0', revision: 0, reason }]);
});

test('a file of which nothing can be read is damaged as a whole', async () => {
  await logs.append('events.db', 3);
  logs.flip('events.db', 2, 3);
  await expect(logs.verify('events.db')).rejects.toThrow(DamagedRecord);
});

describe('whatever is changed', () => {
  const EVENTS = 120;
  const STREAMS = 5;

  async function readByStream(name: string): Promise<Set<string>> {
    const store = await openLog(`sqlite:${logs.at(name)}`);
    const ids = new Set<string>();
    for (let stream = 0; stream < STREAMS; stream++)
      for (const { id } of await store.readStream(`1.user-${stream}`, { limit: EVENTS })) ids.add(id);
    await store.close();
    return ids;
  }

  test(
    'each damaged, missing and swapped record is named, and no other',
    async () => {
      await logs.append('events.db', EVENTS, STREAMS);
      await fc.assert(
        fc.asyncProperty(damagesOf(EVENTS), async (chosen) => {
          logs.copy('events.db', 'copy.db');
          const damaged = logs.damage('copy.db', chosen);
          const { damages, whole } = await logs.verify('copy.db');
          const expected = [...damaged].sort((one, next) => one - next);
          const all = Array.from({ length: EVENTS }, (_, index) => index + 1);
          expect(all.filter((position) => names(damages, position))).toEqual(expected);
          expect(whole.map(({ position }) => position)).toEqual(all.filter((position) => !damaged.has(position)));
          expect(JSON.stringify(damages)).not.toMatch(/hash-|hush/);
        }),
        { seed: SEED, numRuns: rounds(sized({ nightly: 400, usual: 12 })) },
      );
    },
    LONG_MS,
  );

  test(
    'with bits flipped anywhere in the file, each record is what it was, or is named',
    async () => {
      await logs.append('events.db', EVENTS, STREAMS);
      const { whole: before } = await logs.verify('events.db');
      const { size } = statSync(logs.at('events.db'));
      const chance = seeded(SEED);
      const outcomes = { whole: 0, named: 0, unopened: 0 };
      for (let round = 0; round < rounds(sized({ nightly: 3_000, usual: 60 })); round++) {
        logs.copy('events.db', 'copy.db');
        const flips = 1 + Math.floor(chance() * 3);
        for (let flip = 0; flip < flips; flip++) {
          logs.flip('copy.db', Math.floor(chance() * size), Math.floor(chance() * 8));
        }
        try {
          const { damages, whole } = await logs.verify('copy.db');
          const found = new Map(whole.map((event) => [event.position, event]));
          for (const event of before) {
            if (found.has(event.position)) expect(found.get(event.position)).toEqual(event);
            else
              expect({ position: event.position, isNamed: names(damages, event.position) }).toMatchObject({
                isNamed: true,
              });
          }
          expect([...found.keys()].every((position) => position <= EVENTS)).toBe(true);
          if (damages.length === 0) expect(await readByStream('copy.db')).toEqual(new Set(before.map(({ id }) => id)));
          outcomes[damages.length === 0 ? 'whole' : 'named']++;
        } catch (error) {
          if (!(error instanceof DamagedRecord) && !(error instanceof Error && error.name === 'EventStoreUnavailable'))
            throw error;
          outcomes.unopened++;
        }
      }
      expect(outcomes.named).toBeGreaterThan(outcomes.unopened);
    },
    LONG_MS,
  );
});
