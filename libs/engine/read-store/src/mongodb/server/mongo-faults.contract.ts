import { type MongoForTests, until } from '#testing';
import { ReadStoreUnavailable, WriterReplaced } from '../../read-store.js';
import type { CollectionSchema, Commit, Key, ReadStore, Write } from '../../read-store.js';
import type { Capabilities } from './mongo-server.js';
import type { MongoReadStore } from '../mongo-read-store.js';
import { MongoHarness } from '../mongo.fixture.js';

type Doc = Record<string, unknown>;

const notes = {
  name: 'notes',
  key: 'integer',
  fields: { channel: 'integer' },
  indexes: [['channel']],
} as const satisfies CollectionSchema;

const people = { name: 'people', key: 'text', fields: {}, indexes: [] } as const satisfies CollectionSchema;

const put = (collection: string, key: Key, doc: Doc | undefined, fresh = false): Write => ({
  collection,
  key,
  doc,
  ...(fresh && { fresh: true }),
});

const saved = (position: number): { checkpoint: string; position: number } => ({
  checkpoint: `c${position}`,
  position,
});

class Crash extends Error {}

/** Commits, and waits for the documents. */
async function commitWhole(store: MongoReadStore, commit: Commit): Promise<void> {
  await store.commit(commit);
  await store.settled();
}

/** @param steps least number of steps of a commit with every kind of write */
export function describeInterruptions(server: MongoForTests, steps: number): void {
  describe('a read store on MongoDB that is interrupted', () => {
    let harness: MongoHarness;

    beforeEach(async () => (harness = await MongoHarness.on(server.freshUrl())));
    afterEach(() => harness.destroy());

    const all = async (store: ReadStore, schema: CollectionSchema): Promise<Record<string, object>> => {
      const collection = await store.collection<Doc>(schema);
      const found = await collection.find({ limit: 1000 });
      expect(await collection.count(undefined, 1000)).toBe(found.length);
      return Object.fromEntries(found.map(({ key, doc }) => [key, doc]));
    };
    const content = async (store: ReadStore): Promise<object> => ({
      notes: await all(store, notes),
      people: await all(store, people),
      checkpoint: await store.checkpoint('notes'),
    });

    const first: Commit = {
      position: 4,
      passed: 4,
      checkpoints: { notes: saved(4) },
      writes: [
        ...Array.from({ length: 12 }, (_, key) => put('notes', key, { channel: 1 })),
        put('people', 'ann', { age: 1 }),
        put('people', 'bob', { age: 1 }),
      ],
    };
    // Every kind of step: inserts of both kinds, replaces in two portions, a removal, a prune, two collections.
    const second: Commit = {
      position: 5,
      passed: 5,
      checkpoints: { notes: saved(5) },
      prunes: [{ collection: 'notes', below: 1 }],
      writes: [
        ...Array.from({ length: 12 }, (_, key) => put('notes', key, { channel: 2 })),
        put('notes', 20, { channel: 2 }, true),
        put('people', 'ann', undefined),
        put('people', 'cid', { age: 2 }),
      ],
    };
    const before = {
      notes: Object.fromEntries(Array.from({ length: 12 }, (_, key) => [key, { channel: 1 }])),
      people: { ann: { age: 1 }, bob: { age: 1 } },
      checkpoint: saved(4),
    };
    const after = {
      notes: {
        ...Object.fromEntries(Array.from({ length: 11 }, (_, index) => [index + 1, { channel: 2 }])),
        20: { channel: 2 },
      },
      people: { bob: { age: 1 }, cid: { age: 2 } },
      checkpoint: saved(5),
    };

    /** Opens a store whose `beforeStep` is called after the first commit. */
    const prepared = async (
      beforeStep: (step: string) => Promise<void>,
      capabilities: Partial<Capabilities> = {},
    ): Promise<MongoReadStore> => {
      let isArmed = false;
      const store = await harness.write({
        beforeStep: (step) => (isArmed ? beforeStep(step) : Promise.resolve()),
        capabilities,
      });
      await store.collection(notes);
      await store.collection(people);
      await store.commit(first);
      await store.settled();
      isArmed = true;
      return store;
    };

    test.each([1, 8])('between any two steps, %i at once, shows all of a commit or nothing', async (writesAtOnce) => {
      const seen: object[] = [];
      let last = Infinity;
      for (let crashAt = 0; crashAt <= last; crashAt++) {
        if (crashAt > 0) {
          await harness.destroy();
          harness = await MongoHarness.on(server.freshUrl());
        }
        let step = 0;
        // All other work in progress at that moment fails as well.
        const store = await prepared(() => (step++ < crashAt ? Promise.resolve() : Promise.reject(new Crash())), {
          writesAtOnce,
        });
        const outcome = await commitWhole(store, second).catch((error: unknown) => error);
        if (outcome === undefined) last = crashAt;
        else expect(outcome).toBeInstanceOf(Crash);
        const reopened = await harness.write();
        const now = await content(reopened);
        seen.push(now);
        expect([before, after]).toContainEqual(now);
        // The engine continues from the checkpoint.
        await reopened.commit(second);
        expect(await content(reopened)).toEqual(after);
      }
      expect(seen.at(-1)).toEqual(after);
      expect(seen[0]).toEqual(before);
      expect(last).toBeGreaterThanOrEqual(steps);
    });

    test.each(['insert', 'replace', 'prune', 'state'])(
      'at the step %s, and goes on in the same process, finishes what it had decided',
      async (at) => {
        let failures = 0;
        const store = await prepared((step) =>
          step === at && failures++ === 0
            ? Promise.reject(new ReadStoreUnavailable('The server is away.'))
            : Promise.resolve(),
        );
        await store.commit(second);
        expect(await store.checkpoint('notes')).toEqual(saved(5));
        await until(() =>
          store.settled().then(
            () => true,
            () => false,
          ),
        );
        expect(failures).toBeGreaterThan(0);
        expect(await content(store)).toEqual(after);
      },
    );

    test('and replaced, then comes back in the middle of applying, changes nothing', async () => {
      for (const stop of ['decide', 'insert', 'replace', 'prune', 'state']) {
        await harness.destroy();
        harness = await MongoHarness.on(server.freshUrl());
        let goOn = (): void => undefined;
        let isStopped = (): void => undefined;
        const stopped = new Promise<void>((resolve) => (isStopped = resolve));
        const held = new Promise<void>((resolve) => (goOn = resolve));
        const old = await prepared(async (step) => {
          if (step !== stop) return;
          isStopped();
          await held;
        });
        const outcome = commitWhole(old, second).catch((error: unknown) => error);
        await stopped;
        const successor = await harness.write();
        const later: Commit = {
          position: 6,
          checkpoints: { notes: saved(6) },
          prunes: [{ collection: 'notes', below: 3 }],
          writes: [
            ...[3, 4, 20].map((key) => put('notes', key, { channel: 3 })),
            put('notes', 21, { channel: 3 }),
            put('people', 'bob', undefined),
            put('people', 'cid', undefined),
          ],
        };
        await content(successor);
        await successor.commit(second);
        await successor.commit(later);
        const atThen = await content(successor);
        goOn();
        const error = await outcome;
        if (error !== undefined) expect(['WriterReplaced', 'StateMoved']).toContain((error as Error).name);
        expect(await content(successor)).toEqual(atThen);
        await expect(old.commit({ ...second, position: 7 })).rejects.toThrow(WriterReplaced);
        await expect(old.startRebuild(notes)).rejects.toThrow(WriterReplaced);
        expect(await content(successor)).toEqual(atThen);
        await successor.commit({ writes: [put('people', 'dan', {})], position: 7 });
        expect(await all(successor, people)).toEqual({ dan: {} });
      }
    });

    test('by a lower term is refused at once, and by one that comes at the same time, one of them', async () => {
      const stores = await harness.open();
      const [low, high] = [3, 4].map((term) => ({ name: 'projector', holder: 'test', term }));
      await stores.writing(high!);
      await expect(stores.writing(low!)).rejects.toThrow(WriterReplaced);
      const many = await Promise.all(
        Array.from({ length: 4 }, async () => (await harness.open()).writing({ ...high!, term: 5 })),
      );
      for (const store of many) await store.collection(notes).catch(() => undefined);
      const outcomes = await Promise.allSettled(many.map((store) => store.commit({ writes: [], position: 1 })));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    test('with a commit too large for one document is whole again', async () => {
      const text = 'x'.repeat(200_000);
      const large: Commit = {
        position: 5,
        writes: Array.from({ length: 14 }, (_, key) => put('notes', key, { text: `${key}${text}` }, key >= 12)),
        checkpoints: { notes: saved(5) },
      };
      for (const stop of ['decide', 'state']) {
        await harness.destroy();
        harness = await MongoHarness.on(server.freshUrl());
        const store = await prepared((step) => (step === stop ? Promise.reject(new Crash()) : Promise.resolve()));
        await commitWhole(store, large).catch((error: unknown) => expect(error).toBeInstanceOf(Crash));
        const reopened = await harness.write();
        const found = await all(reopened, notes);
        const { position } = (await reopened.checkpoint('notes'))!;
        expect(Object.keys(found)).toHaveLength(position === 5 ? 14 : 12);
        for (const [key, doc] of Object.entries(found)) {
          expect(doc).toEqual(position === 5 ? { text: `${key}${text}` } : { channel: 1 });
        }
      }
    });
  });
}
