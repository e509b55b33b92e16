import type { RecordedEvent } from '../event-store.js';
import { type ContractLog, everything, note, take, textsOf } from './log.contract.js';

/** Contract of reading one stream and the whole log. */
export function describeReading(log: ContractLog): void {
  describe('reading a stream', () => {
    beforeEach(() => log.fill('1.a', 10));

    test.each([
      [{ limit: 100 }, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
      [{ limit: 3 }, [0, 1, 2]],
      [{ from: 8, limit: 3 }, [8, 9]],
      [{ from: 10, limit: 3 }, []],
      [{ from: 1_000, limit: 3 }, []],
      [{ direction: 'backwards', limit: 3 }, [9, 8, 7]],
      [{ direction: 'backwards', from: 1, limit: 3 }, [1, 0]],
      [{ direction: 'backwards', from: 1_000, limit: 2 }, [9, 8]],
      [{ limit: 0 }, []],
    ] as const)('%j', async (options, revisions) => {
      const events = await log.store.readStream('1.a', options);
      expect(events.map(({ revision }) => revision)).toEqual(revisions);
      expect(textsOf(events)).toEqual(revisions.map(String));
    });

    test('a stream that does not exist is empty', async () => {
      expect(await log.store.readStream('1.b', { limit: 5 })).toEqual([]);
      expect(await log.store.readStream('1.b', { limit: 5, direction: 'backwards' })).toEqual([]);
    });
  });

  describe('reading pages of several streams', () => {
    const page = (stream: string, from: number, limit: number) => ({ stream, from, limit });

    test('each is as if it were read alone, in the order of the list', async () => {
      for (const [stream, count] of [
        ['1.a', 30],
        ['1.b', 2],
        ['1.c', 700],
      ] as const)
        await log.fill(stream, count);
      const pages = [
        ...[page('1.b', 0, 9), page('1.nobody', 0, 9), page('1.a', 28, 9), page('1.a', 3, 2), page('1.b', 2, 9)],
        ...[page('1.c', 0, 400), page('1.c', 690, 300), page('1.a', 0, 0)],
        ...Array.from({ length: 40 }, (_, index) => page('1.a', 29 - (index % 30), 1)),
      ];
      const read = await log.store.readPages(pages);
      const alone = await Promise.all(pages.map(({ stream, ...options }) => log.store.readStream(stream, options)));
      expect(read).toEqual(alone);
      expect(read.slice(0, 5).map(textsOf)).toEqual([['0', '1'], [], ['28', '29'], ['3', '4'], []]);
      expect(await log.store.readPages([])).toEqual([]);
    });

    test('long ones are answered in parts', async () => {
      const long = 'x'.repeat(100_000);
      const names = Array.from({ length: 60 }, (_, index) => `1.s-${index}`);
      for (const [index, stream] of names.entries()) await log.store.append(stream, 'any', [note(`${index} ${long}`)]);
      const read: string[] = [];
      let answers = 0;
      for (; read.length < names.length; answers++) {
        const pages = await log.store.readPages(names.slice(read.length).map((stream) => page(stream, 0, 5)));
        expect(pages.length).toBeGreaterThan(0);
        read.push(...pages.flatMap(textsOf));
      }
      expect(read.map((text) => Number.parseInt(text, 10))).toEqual([...names.keys()]);
      expect(answers).toBeGreaterThan(1);
    });
  });

  describe('reading the log', () => {
    test('an empty log has nothing to read', async () => {
      expect(await everything(log.store)).toEqual([]);
      expect(await log.store.head()).toBe(0);
    });

    test('events stand in the order of their appends across streams, at growing positions', async () => {
      for (let index = 0; index < 30; index++) await log.store.append(`1.s-${index % 4}`, 'any', [note(String(index))]);
      const events = await everything(log.store);
      expect(textsOf(events)).toEqual(Array.from({ length: 30 }, (_, index) => String(index)));
      for (const [index, { position }] of events.entries()) {
        expect(Number.isSafeInteger(position)).toBe(true);
        expect(position).toBeGreaterThan(events[index - 1]?.position ?? 0);
      }
    });

    test('appends that are made at the same time have one order, the same for every reader', async () => {
      const followed = take(log.store, 300);
      await Promise.all(
        Array.from({ length: 300 }, (_, index) => log.store.append(`1.s-${index % 7}`, 'any', [note(String(index))])),
      );
      const events = await everything(log.store);
      expect(await followed).toEqual(events);
      const revisions = new Map<string, number>();
      for (const { stream, revision } of events) {
        expect(revision).toBe((revisions.get(stream) ?? -1) + 1);
        revisions.set(stream, revision);
      }
      expect(events).toHaveLength(300);
      for (const stream of revisions.keys()) {
        const own = await log.store.readStream(stream, { limit: 300 });
        expect(own).toEqual(events.filter((event) => event.stream === stream));
      }
    });

    test('prefixes choose streams', async () => {
      for (const stream of ['1.a', '1.ab', '1.b', '1.2.a', '1.c'])
        await log.store.append(stream, 'any', [note(stream)]);
      expect(textsOf(await everything(log.store, ['1.a']))).toEqual(['1.a', '1.ab']);
      expect(textsOf(await everything(log.store, ['1.c', '1.2.']))).toEqual(['1.2.a', '1.c']);
      expect(await everything(log.store, ['3.'])).toEqual([]);
      expect(textsOf(await everything(log.store, ['1.%', '1_']))).toEqual([]);
    });

    test('it resumes after any event', async () => {
      await log.fill('1.a', 20);
      const events = await everything(log.store);
      for (const [index, event] of events.entries()) {
        const rest: RecordedEvent[] = [];
        for await (const page of log.store.readAll({ after: log.store.checkpointAfter(event) })) rest.push(...page);
        expect(rest).toEqual(events.slice(index + 1));
      }
    });

    test('it ends at the head as it was when reading began', async () => {
      await log.fill('1.a', 1_500);
      let seen = 0;
      for await (const page of log.store.readAll({})) {
        seen += page.length;
        await log.store.append('1.a', 'any', [note('later')]);
      }
      expect(seen).toBe(1_500);
    });
  });
}
