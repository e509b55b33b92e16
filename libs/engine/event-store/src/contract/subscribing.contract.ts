import { sized } from '#testing';
import { type ContractLog, note, take, textsOf, PATIENCE_MS } from './log.contract.js';

const ROUNDS = 10;
/** Polling on a timer would take a hundred times as long. */
const DELIVERY_RATIO_LIMIT = 20;

/** Contract of subscriptions: stored events first, then live ones. */
export function describeSubscribing(log: ContractLog): void {
  describe('subscribing', () => {
    test('it gives what is there, then what comes, in order and without gaps', async () => {
      await log.fill('1.a', 700);
      const taken = take(log.store, 2_000);
      const appends: Promise<unknown>[] = [];
      for (let index = 700; index < 2_000; index++) {
        appends.push(log.store.append('1.a', 'any', [note(String(index))]));
        if (index % 10 === 0) await Promise.all(appends.splice(0));
      }
      expect(textsOf(await taken)).toEqual(Array.from({ length: 2_000 }, (_, index) => String(index)));
      await Promise.all(appends);
    });

    test('several subscribers get the same', async () => {
      await log.fill('1.a', 10);
      const subscribers = [take(log.store, 30), take(log.store, 30), take(log.store, 30)];
      for (let index = 10; index < 30; index++) await log.store.append('1.a', 'any', [note(String(index))]);
      const [first, ...others] = await Promise.all(subscribers);
      expect(first).toHaveLength(30);
      for (const other of others) expect(other).toEqual(first);
    });

    test('it can begin before its streams exist, and passes by the others', async () => {
      const taken = take(log.store, 2, { streamPrefixes: ['1.wanted'] });
      await log.store.append('1.other', 'any', [note('no')]);
      await log.store.append('1.wanted-1', 'any', [note('a')]);
      await log.store.append('1.not.wanted', 'any', [note('no')]);
      await log.store.append('1.wanted-2', 'any', [note('b')]);
      expect(textsOf(await taken)).toEqual(['a', 'b']);
    });

    test('it resumes after a checkpoint, also after a restart', async () => {
      const seen: string[] = [];
      await log.fill('1.a', 40);
      let after: string | undefined;
      for (let round = 0; round < 4; round++) {
        await log.store.append('1.a', 'any', [note('more')]);
        const events = await take(log.store, 7, after === undefined ? {} : { after });
        const last = events[6];
        if (last === undefined) throw new Error('The subscription gave too little.');
        seen.push(...textsOf(events.slice(0, 7)));
        after = log.store.checkpointAfter(last);
        await log.reopen();
      }
      expect(seen).toEqual(Array.from({ length: 28 }, (_, index) => String(index)));
    });

    test('a subscriber slower than the writer misses nothing', async () => {
      // Several batches, and ten times what a client keeps ahead.
      const count = sized({ nightly: 12_000, usual: 5_000 });
      let slowest: Promise<void> = Promise.resolve();
      const taken: string[] = [];
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const reading = (async () => {
        for await (const batch of log.store.subscribe({ signal })) {
          taken.push(...textsOf(batch));
          if (taken.length >= count) return;
          // Holds the first batch until everything is written.
          await slowest;
        }
      })();
      slowest = log.fill('1.a', count);
      await slowest;
      await reading;
      expect(taken).toEqual(Array.from({ length: count }, (_, index) => String(index)));
    });

    test('an abort ends it while it waits', async () => {
      const stop = new AbortController();
      await log.store.append('1.a', 'any', [note('x')]);
      const seen: string[] = [];
      const reading = (async () => {
        for await (const batch of log.store.subscribe({ signal: stop.signal })) seen.push(...textsOf(batch));
      })();
      await take(log.store, 1);
      setTimeout(() => {
        stop.abort();
      }, 20);
      await reading;
      await log.store.append('1.a', 'any', [note('y')]);
      expect(seen).toEqual(['x']);
    });

    test('an abort ends it before it gives anything', async () => {
      await log.store.append('1.a', 'any', [note('x')]);
      for await (const batch of log.store.subscribe({ signal: AbortSignal.abort() })) expect(batch).toBeUndefined();
    });

    test('events are delivered about as soon as they can be read, and not when it is time to look anyway', async () => {
      const stop = new AbortController();
      const awaited = new Map<string, () => void>();
      const reading = (async () => {
        for await (const batch of log.store.subscribe({ signal: stop.signal }))
          for (const text of textsOf(batch)) awaited.get(text)?.();
      })();
      const append = (text: string): Promise<unknown> => log.store.append('1.a', 'any', [note(text)]);
      const timeOf = async (work: () => Promise<unknown>): Promise<number> => {
        const startedMs = performance.now();
        await work();
        return performance.now() - startedMs;
      };
      let [deliveredMs, readMs] = [0, 0];
      for (let round = 0; round < ROUNDS; round++) {
        deliveredMs += await timeOf(async () => {
          const comes = new Promise<void>((resolve) => awaited.set(`${round}`, resolve));
          await append(`${round}`);
          await comes;
        });
        readMs += await timeOf(async () => {
          await append('to be read');
          await log.store.readStream('1.a', { limit: 2 * ROUNDS });
        });
      }
      stop.abort();
      await reading;
      expect(deliveredMs).toBeLessThan(DELIVERY_RATIO_LIMIT * readMs);
    });
  });
}
