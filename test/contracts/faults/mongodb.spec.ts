import { setTimeout as pause } from 'node:timers/promises';
import { ReadStoreUnavailable, WriterReplaced } from '#read-store';
import { describeOnMongo, until } from '#testing';
import type { MongoReadStore } from '../../../libs/engine/read-store/src/mongodb/mongo-read-store.js';
import type { MongoReadStores } from '../../../libs/engine/read-store/src/mongodb/mongo-read-stores.js';
import type { Chosen, ErrorName } from '../../mongodb/index.js';
import {
  commitAt,
  commitPatiently,
  contentAt,
  contentOf,
  notes,
  type ProxiedStores,
  STEPS,
  STEPS_OF_BULK,
  WriterAndReader,
} from '../mongodb.fixture.js';

const ERRORS: readonly ErrorName[] = [
  'WriteConflict',
  'NotWritablePrimary',
  'InterruptedDueToReplStateChange',
  'MaxTimeMSExpired',
];

describeOnMongo('a read store on MongoDB behind a proxy that misbehaves', (server) => {
  describe.each([
    ['one collection', false, STEPS],
    ['several collections', true, STEPS_OF_BULK],
  ])('where a command writes to %s', (_where, bulkWrites, steps) => {
    let url: string;
    let both: WriterAndReader;
    let stores: ProxiedStores;
    let writer: MongoReadStore;
    let reader: MongoReadStores;

    beforeEach(async () => {
      url = server.freshUrl();
      both = await WriterAndReader.start(url, { bulkWrites });
      ({ stores, writer, reader } = both);
    });
    afterEach(() => stores.stop());

    describe.each(['reset', 'end'] as const)('a connection that is lost (%s)', (how) => {
      test.each(steps)(
        'at %s, after it was done or before: the commit is there once, and the writer goes on',
        async (_, step) => {
          await commitPatiently(writer, 2);
          const lost = stores.proxy.faults.loseAnswer(step, how);
          await commitPatiently(writer, 3);
          expect(lost.struck).toBe(1);
          expect(await contentOf(reader.reading())).toEqual(contentAt(3));
          const cut = stores.proxy.faults.cutBefore(step, how);
          await commitPatiently(writer, 4);
          expect(cut.struck).toBe(1);
          await both.expectToGoOn(5);
        },
      );
    });

    describe.each(ERRORS)('%s', (error) => {
      test.each(steps)(
        'as the answer to %s three times: the commit waits, and the commit is there once',
        async (_, step) => {
          await commitPatiently(writer, 2);
          const fault = stores.proxy.faults.refuse({ ...step, times: 3 }, error);
          await commitPatiently(writer, 3);
          expect(fault.struck).toBe(3);
          await both.expectToGoOn(4);
        },
      );

      test('as the answer to a read says that the store is not available', async () => {
        const collection = await reader.reading().collection(notes);
        // A driver repeats a read once by itself where the server is one that it does so with.
        stores.proxy.faults.refuse({ command: 'find', times: Infinity }, error);
        await expect(reader.progress.position()).rejects.toThrow(ReadStoreUnavailable);
        await expect(collection.find({ limit: 10 })).rejects.toThrow(ReadStoreUnavailable);
        await expect(reader.side.get('a', 'b')).rejects.toThrow(ReadStoreUnavailable);
        stores.proxy.faults.heal();
        await until(async () =>
          collection
            .find({ limit: 100 })
            .then(({ length }) => length === 12)
            .catch(() => false),
        );
      });
    });

    test('a cursor that is lost in the middle of a read is a store that is not available, and the next read is whole', async () => {
      // More than one answer holds.
      const writes = Array.from({ length: 1_500 }, (_, key) => ({
        collection: 'notes',
        key: 100 + key,
        doc: { channel: 9 },
      }));
      await writer.commit({ writes, position: 2 });
      const collection = await reader.reading().collection(notes);
      const lost = stores.proxy.faults.endCursors('lost');
      await expect(collection.find({ limit: 2_000 })).rejects.toThrow(ReadStoreUnavailable);
      expect(lost.struck).toBe(1);
      expect(await collection.find({ limit: 2_000 })).toHaveLength(1_512);
    });

    test('signals are heard again after the cursor that listens was ended, lost, and cut', async () => {
      const heard: unknown[] = [];
      const end = reader.broadcast.subscribe('greetings', (body) => heard.push(body['number']));
      const other = await stores.open();
      let number = 0;
      const isHeard = async (): Promise<boolean> => {
        const mine = ++number;
        await other.broadcast.publish('greetings', { number: mine }).catch(() => undefined);
        return until(() => heard.includes(mine), 500).then(
          () => true,
          () => false,
        );
      };
      await until(isHeard);
      const { faults } = stores.proxy;
      for (const fault of [
        () => faults.endCursors('exhausted'),
        () => faults.endCursors('lost'),
        () => stores.proxy.cut(),
      ]) {
        fault();
        await pause(50);
        await until(isHeard);
        faults.heal();
      }
      end();
      expect(new Set(heard).size).toBe(heard.length);
    });

    test('what a writer sent before it was replaced, and what arrives only afterwards, changes nothing', async () => {
      for (const held of steps.map(([, step]) => step).filter(({ command }) => command !== 'find')) {
        const late = await stores.beside(url);
        const old = await late.write();
        const start = (await old.checkpoint('notes'))?.position ?? 0;
        await commitPatiently(old, start + 1);
        const committed = async (): Promise<void> => {
          await old.commit(commitAt(start + 2));
          await old.settled();
        };
        const outcome = holdingFrom(late, held, () => committed().catch((error: unknown) => error));
        await until(() => outcome.isHeld());
        const successor = await stores.write();
        for (const position of [start + 2, start + 3]) await commitPatiently(successor, position);
        late.proxy.release();
        const error = await outcome.done;
        if (error !== undefined) expect(error).toBeInstanceOf(Error);
        expect(await contentOf(successor)).toEqual(contentAt(start + 3));
        await expect(old.commit(commitAt(start + 4))).rejects.toThrow(WriterReplaced);
        expect(await contentOf(reader.reading())).toEqual(contentAt(start + 3));
        await late.stop();
      }
    });
  });
});

/** Does the work, and holds all bytes to the server from the first command of that kind on. */
function holdingFrom(
  { proxy }: ProxiedStores,
  chosen: Chosen,
  work: () => Promise<unknown>,
): { readonly isHeld: () => boolean; readonly done: Promise<unknown> } {
  const held = proxy.faults.hold(chosen);
  return { isHeld: () => held.struck > 0, done: work() };
}
