import { randomUUID } from 'node:crypto';
import type { JsonObject } from '#kernel';
import { Type } from 'typebox';
import {
  APPEND_BYTES_MAX,
  AppendTooLarge,
  EventStoreUnavailable,
  type EventStore,
  type NewEvent,
  type Recorded,
  RevisionConflict,
  type SubscribeOptions,
} from './event-store.js';
import { EventRegistry, eventType, UnreadableEvent } from './registry.js';

const noted = eventType(
  'note.taken.v2',
  Type.Object({ text: Type.String(), tags: Type.Optional(Type.Array(Type.String())) }),
);

/** The event types of the contract suite: one, with an older version that had another shape. */
export const contractRegistry = new EventRegistry([noted], {
  'note.taken.v1': ({ body }: { body: string }) => ({ type: noted.name, data: { text: body } }),
});

/** The types as the program knew them when `note.taken.v1` was new. */
export const oldContractRegistry = new EventRegistry([
  eventType('note.taken.v1', Type.Object({ body: Type.String() })),
  eventType('note.burnt.v1', Type.Object({})),
]);

export function note(text: string, metadata?: JsonObject): NewEvent {
  const event = { id: randomUUID(), type: noted.name, data: { text } };
  return metadata === undefined ? event : { ...event, metadata };
}

/** A place where a log can be kept: it can be opened, closed, and opened again. */
export interface ContractHome {
  open(registry: EventRegistry): Promise<EventStore>;
  /** Removes everything. All its stores are closed by then. */
  dispose(): Promise<void>;
}

/** How long a test waits for something that should come at once. */
const PATIENCE_MS = 10_000;

/** The first events of a subscription, as soon as there are enough of them. */
export async function take(
  store: EventStore,
  count: number,
  options: Omit<SubscribeOptions, 'signal'> = {},
): Promise<Recorded[]> {
  const taken: Recorded[] = [];
  const signal = AbortSignal.timeout(PATIENCE_MS);
  for await (const batch of store.subscribe({ ...options, signal })) {
    expect(batch).not.toHaveLength(0);
    taken.push(...batch);
    if (taken.length >= count) break;
  }
  return taken;
}

export async function everything(store: EventStore, streamPrefixes?: readonly string[]): Promise<Recorded[]> {
  const events: Recorded[] = [];
  for await (const page of store.readAll(streamPrefixes === undefined ? {} : { streamPrefixes })) events.push(...page);
  return events;
}

export function textsOf(events: readonly Recorded<{ text: string }>[]): string[] {
  return events.map(({ data }) => data.text);
}

/** What every event store promises (`EventStore`), run against each adapter. */
export function describeEventStore(name: string, makeHome: () => Promise<ContractHome>): void {
  describe(`the event store contract: ${name}`, () => {
    let home: ContractHome;
    let store: EventStore;

    beforeEach(async () => {
      home = await makeHome();
      store = await home.open(contractRegistry);
    });

    afterEach(async () => {
      await store.close();
      await home.dispose();
    });

    async function reopen(registry = contractRegistry): Promise<void> {
      await store.close();
      store = await home.open(registry);
    }

    async function fill(stream: string, count: number): Promise<void> {
      for (let from = 0; from < count; from += 500) {
        const size = Math.min(500, count - from);
        await store.append(
          stream,
          'any',
          Array.from({ length: size }, (_, index) => note(String(from + index))),
        );
      }
    }

    describe('appending', () => {
      test('the answer names the place of the events', async () => {
        const first = await store.append('1.a', 'none', [note('x')]);
        expect(first).toMatchObject({ firstRevision: 0, lastRevision: 0 });
        const second = await store.append('1.a', 0, [note('y'), note('z')]);
        expect(second).toMatchObject({ firstRevision: 1, lastRevision: 2 });
        expect(second.position).toBeGreaterThan(first.position);
        expect(second.position).toBe((await store.readStream('1.a', { limit: 10 })).at(-1)?.position);
        expect(await store.head()).toBe(second.position);
      });

      test('an event is read back as it was appended', async () => {
        const before = Date.now();
        const event = note('x', { by: 7, via: null });
        const { position } = await store.append('1.a', 'any', [event]);
        const [read] = await store.readStream('1.a', { limit: 1 });
        expect(read).toEqual({ ...event, position, stream: '1.a', revision: 0, recordedAtMs: read?.recordedAtMs });
        expect(read?.recordedAtMs).toBeGreaterThanOrEqual(before - 1_000);
        expect(read?.recordedAtMs).toBeLessThanOrEqual(Date.now() + 1_000);
      });

      test.each([
        ['none', -1, 1],
        [0, -1, 2],
        [1, 0, 0],
        [5, 4, 2],
      ] as const)('an append at %s to a stream that is elsewhere is a conflict', async (expected, _, length) => {
        const there = Array.from({ length: length === 0 ? 0 : length }, (__, index) => note(String(index)));
        await store.append('1.a', 'none', there);
        const attempt = store.append('1.a', expected, [note('late')]);
        await expect(attempt).rejects.toThrow(RevisionConflict);
        await expect(attempt).rejects.toMatchObject({ stream: '1.a', expected, actual: length - 1 });
        expect(await store.readStream('1.a', { limit: 10 })).toHaveLength(length);
      });

      test('a conflict leaves the other appends alone', async () => {
        await store.append('1.a', 'none', [note('0')]);
        const outcomes = await Promise.allSettled([
          store.append('1.a', 0, [note('1')]),
          store.append('1.a', 0, [note('lost')]),
          store.append('1.b', 'none', [note('2')]),
          store.append('1.a', 1, [note('3')]),
        ]);
        expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
        expect(textsOf(await everything(store))).toHaveLength(4);
      });

      test('of many appends racing for one revision exactly one wins', async () => {
        for (const expected of ['none', 0, 1] as const) {
          const attempts = Array.from({ length: 20 }, (_, index) =>
            store.append('1.a', expected, [note(String(index))]),
          );
          const outcomes = await Promise.allSettled(attempts);
          expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
          for (const outcome of outcomes) {
            if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(RevisionConflict);
          }
        }
        expect(await store.readStream('1.a', { limit: 10 })).toHaveLength(3);
      });

      test('appends without an expected revision never conflict and get dense revisions', async () => {
        const appends = Array.from({ length: 200 }, (_, index) => store.append('1.a', 'any', [note(String(index))]));
        const revisions = (await Promise.all(appends)).map(({ firstRevision }) => firstRevision);
        expect([...revisions].sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, index) => index));
        const events = await store.readStream('1.a', { limit: 1_000 });
        for (const [index, revision] of revisions.entries())
          expect(events[revision]?.data).toEqual({ text: String(index) });
      });

      test('the events of one append stay together', async () => {
        const appends = Array.from({ length: 50 }, (_, index) => {
          const events = Array.from({ length: 5 }, (__, part) => note(`${index}.${part}`));
          return store.append(`1.s-${index % 3}`, 'any', events);
        });
        await Promise.all(appends);
        const texts = textsOf(await everything(store));
        expect(texts).toHaveLength(250);
        for (let start = 0; start < 250; start += 5) {
          const batch = texts[start]?.split('.')[0] ?? '';
          expect(texts.slice(start, start + 5)).toEqual([0, 1, 2, 3, 4].map((part) => `${batch}.${part}`));
        }
      });

      test('an append of no events stores nothing and says where the log is', async () => {
        expect(await store.append('1.a', 'none', [])).toMatchObject({ firstRevision: 0, lastRevision: -1 });
        const { position } = await store.append('1.a', 'none', [note('x')]);
        expect(await store.append('1.a', 0, [])).toEqual({ position, firstRevision: 1, lastRevision: 0 });
        expect(await everything(store)).toHaveLength(1);
      });

      test('an event of an unknown type or of the wrong shape is refused', async () => {
        const unknown = { ...note('x'), type: 'note.melted.v1' };
        const misshapen = { ...note('x'), data: { text: 5 } };
        await expect(store.append('1.a', 'any', [note('y'), unknown])).rejects.toThrow(UnreadableEvent);
        await expect(store.append('1.a', 'any', [note('y'), misshapen])).rejects.toThrow(/text/);
        expect(await everything(store)).toEqual([]);
      });

      test('an append of almost a mebibyte is stored, a larger one is refused', async () => {
        const text = 'ü'.repeat(APPEND_BYTES_MAX / 2 - 1_000);
        await store.append('1.a', 'none', [note(text)]);
        await expect(store.append('1.a', 0, [note(text), note('u'.repeat(3_000))])).rejects.toThrow(AppendTooLarge);
        expect(textsOf(await everything(store))).toEqual([text]);
      });

      test('a closed store takes nothing', async () => {
        await store.close();
        await expect(store.append('1.a', 'any', [note('x')])).rejects.toThrow(EventStoreUnavailable);
      });
    });

    describe('repeating an append', () => {
      test.each(['none', 1] as const)('with the same ids at %s gives the first answer', async (expected) => {
        if (expected === 1) await store.append('1.a', 'none', [note('p'), note('q')]);
        const events = [note('x'), note('y')];
        const first = await store.append('1.a', expected, events);
        await store.append('1.a', 'any', [note('after')]);
        expect(await store.append('1.a', expected, events)).toEqual(first);
        await reopen();
        expect(await store.append('1.a', expected, events)).toEqual(first);
        expect(await everything(store)).toHaveLength(expected === 1 ? 5 : 3);
      });

      test('at the same time gives both the same answer', async () => {
        const events = [note('x'), note('y')];
        const [first, second] = await Promise.all([
          store.append('1.a', 'none', events),
          store.append('1.a', 'none', events),
        ]);
        expect(second).toEqual(first);
        expect(await everything(store)).toHaveLength(2);
      });

      test('with more events than were stored is a conflict', async () => {
        const [a, b, d] = [note('a'), note('b'), note('d')];
        await store.append('1.a', 'none', [a, b]);
        await expect(store.append('1.a', 'none', [a, b, d])).rejects.toThrow(RevisionConflict);
      });

      test('with another id is a conflict', async () => {
        const [a, b] = [note('a'), note('b')];
        await store.append('1.a', 'none', [a, b]);
        await expect(store.append('1.a', 'none', [a, note('b')])).rejects.toThrow(RevisionConflict);
        await expect(store.append('1.a', 0, [a])).rejects.toThrow(RevisionConflict);
      });

      test('at the current revision stores a second copy', async () => {
        const event = note('x');
        await store.append('1.a', 'none', [event]);
        expect(await store.append('1.a', 0, [event])).toMatchObject({ firstRevision: 1, lastRevision: 1 });
      });
    });

    describe('reading a stream', () => {
      beforeEach(() => fill('1.a', 10));

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
        const events = await store.readStream('1.a', options);
        expect(events.map(({ revision }) => revision)).toEqual(revisions);
        expect(textsOf(events)).toEqual(revisions.map(String));
      });

      test('a stream that does not exist is empty', async () => {
        expect(await store.readStream('1.b', { limit: 5 })).toEqual([]);
        expect(await store.readStream('1.b', { limit: 5, direction: 'backwards' })).toEqual([]);
      });
    });

    describe('reading the log', () => {
      test('an empty log has nothing to read', async () => {
        expect(await everything(store)).toEqual([]);
        expect(await store.head()).toBe(0);
      });

      test('events stand in the order of their appends across streams, at growing positions', async () => {
        for (let index = 0; index < 30; index++) await store.append(`1.s-${index % 4}`, 'any', [note(String(index))]);
        const events = await everything(store);
        expect(textsOf(events)).toEqual(Array.from({ length: 30 }, (_, index) => String(index)));
        for (const [index, { position }] of events.entries()) {
          expect(Number.isSafeInteger(position)).toBe(true);
          expect(position).toBeGreaterThan(events[index - 1]?.position ?? 0);
        }
      });

      test('prefixes choose streams', async () => {
        for (const stream of ['1.a', '1.ab', '1.b', '2.a', '1.c']) await store.append(stream, 'any', [note(stream)]);
        expect(textsOf(await everything(store, ['1.a']))).toEqual(['1.a', '1.ab']);
        expect(textsOf(await everything(store, ['1.c', '2.']))).toEqual(['2.a', '1.c']);
        expect(await everything(store, ['3.'])).toEqual([]);
        expect(textsOf(await everything(store, ['1.%', '1_']))).toEqual([]);
      });

      test('it resumes after any event', async () => {
        await fill('1.a', 20);
        const events = await everything(store);
        for (const [index, event] of events.entries()) {
          const rest: Recorded[] = [];
          for await (const page of store.readAll({ after: store.checkpointAfter(event) })) rest.push(...page);
          expect(rest).toEqual(events.slice(index + 1));
        }
      });

      test('it ends at the head as it was when reading began', async () => {
        await fill('1.a', 1_500);
        let seen = 0;
        for await (const page of store.readAll({})) {
          seen += page.length;
          await store.append('1.a', 'any', [note('later')]);
        }
        expect(seen).toBe(1_500);
      });
    });

    describe('content', () => {
      test.each([
        ['Unicode', '𝒳 ünï\u0000code \u202E🏴‍☠️ \uFEFF\u2028 日本'],
        ['a lone surrogate', 'a\uD800b'],
        ['line breaks and quotes', '"\n\r\t\\\''],
        ['nothing', ''],
      ])('%s survives', async (_, text) => {
        await store.append('1.a', 'none', [note(text, { text })]);
        await reopen();
        const [event] = await everything(store);
        expect(event?.data).toEqual({ text });
        expect(event?.metadata).toEqual({ text });
      });

      test('stream names may hold any letters', async () => {
        await store.append('1.größe-日本-🏴', 'none', [note('x')]);
        expect(await store.readStream('1.größe-日本-🏴', { limit: 1 })).toHaveLength(1);
        expect((await everything(store))[0]?.stream).toBe('1.größe-日本-🏴');
      });

      test('no metadata are empty metadata', async () => {
        await store.append('1.a', 'none', [note('x'), note('y', {})]);
        expect((await everything(store)).map(({ metadata }) => metadata)).toEqual([{}, {}]);
      });

      test('a subscriber at the head gets the same events as one after a restart', async () => {
        const live = take(store, 2);
        const data = { text: 'x', tags: undefined, at: new Date(5), list: [undefined, -0] };
        await store.append('1.a', 'none', [{ ...note('x'), data }, note('y', { by: undefined })]);
        const received = await live;
        data.text = 'changed by its owner';
        await reopen();
        const stored = await everything(store);
        expect(received).toStrictEqual(stored);
        expect(received[0]?.data).toStrictEqual({ text: 'x', at: '1970-01-01T00:00:00.005Z', list: [null, 0] });
      });

      test('old versions are lifted wherever they are read', async () => {
        await reopen(oldContractRegistry);
        await store.append('1.a', 'none', [{ id: randomUUID(), type: 'note.taken.v1', data: { body: 'old' } }]);
        await reopen();
        const lifted = { type: 'note.taken.v2', data: { text: 'old' } };
        expect(await everything(store)).toMatchObject([lifted]);
        expect(await store.readStream('1.a', { limit: 1 })).toMatchObject([lifted]);
        expect(await take(store, 1)).toMatchObject([lifted]);
      });

      test('an unknown type stops the reader and names the position', async () => {
        await reopen(oldContractRegistry);
        const burnt = await store.append('1.a', 'none', [{ id: randomUUID(), type: 'note.burnt.v1', data: {} }]);
        await reopen();
        const complaint = new RegExp(`note\\.burnt\\.v1.*position ${burnt.position}\\b`);
        await expect(everything(store)).rejects.toThrow(complaint);
        await expect(take(store, 1)).rejects.toThrow(UnreadableEvent);
        await expect(store.readStream('1.a', { limit: 1 })).rejects.toThrow(UnreadableEvent);
      });
    });

    describe('subscribing', () => {
      test('it gives what is there, then what comes, in order and without gaps', async () => {
        await fill('1.a', 700);
        const taken = take(store, 2_000);
        const appends: Promise<unknown>[] = [];
        for (let index = 700; index < 2_000; index++) {
          appends.push(store.append('1.a', 'any', [note(String(index))]));
          if (index % 10 === 0) await Promise.all(appends.splice(0));
        }
        expect(textsOf(await taken)).toEqual(Array.from({ length: 2_000 }, (_, index) => String(index)));
        await Promise.all(appends);
      });

      test('several subscribers get the same', async () => {
        await fill('1.a', 10);
        const subscribers = [take(store, 30), take(store, 30), take(store, 30)];
        for (let index = 10; index < 30; index++) await store.append('1.a', 'any', [note(String(index))]);
        const [first, ...others] = await Promise.all(subscribers);
        expect(first).toHaveLength(30);
        for (const other of others) expect(other).toEqual(first);
      });

      test('it can begin before its streams exist, and passes by the others', async () => {
        const taken = take(store, 2, { streamPrefixes: ['1.wanted'] });
        await store.append('1.other', 'any', [note('no')]);
        await store.append('1.wanted-1', 'any', [note('a')]);
        await store.append('2.wanted', 'any', [note('no')]);
        await store.append('1.wanted-2', 'any', [note('b')]);
        expect(textsOf(await taken)).toEqual(['a', 'b']);
      });

      test('it resumes after a checkpoint, also after a restart', async () => {
        const seen: string[] = [];
        await fill('1.a', 40);
        let after: string | undefined;
        for (let round = 0; round < 4; round++) {
          await store.append('1.a', 'any', [note('more')]);
          const events = await take(store, 7, after === undefined ? {} : { after });
          const last = events[6];
          if (last === undefined) throw new Error('The subscription gave too little.');
          seen.push(...textsOf(events.slice(0, 7)));
          after = store.checkpointAfter(last);
          await reopen();
        }
        expect(seen).toEqual(Array.from({ length: 28 }, (_, index) => String(index)));
      });

      test('a subscriber slower than the writer misses nothing', async () => {
        const count = 12_000;
        let slowest: Promise<void> = Promise.resolve();
        const taken: string[] = [];
        const signal = AbortSignal.timeout(PATIENCE_MS);
        const reading = (async () => {
          for await (const batch of store.subscribe({ signal })) {
            taken.push(...textsOf(batch));
            if (taken.length >= count) return;
            // The first batch is held until everything is written.
            await slowest;
          }
        })();
        slowest = fill('1.a', count);
        await slowest;
        await reading;
        expect(taken).toEqual(Array.from({ length: count }, (_, index) => String(index)));
      });

      test('an abort ends it while it waits', async () => {
        const stop = new AbortController();
        await store.append('1.a', 'any', [note('x')]);
        const seen: string[] = [];
        const reading = (async () => {
          for await (const batch of store.subscribe({ signal: stop.signal })) seen.push(...textsOf(batch));
        })();
        await take(store, 1);
        setTimeout(() => {
          stop.abort();
        }, 20);
        await reading;
        await store.append('1.a', 'any', [note('y')]);
        expect(seen).toEqual(['x']);
      });

      test('an abort ends it before it gives anything', async () => {
        await store.append('1.a', 'any', [note('x')]);
        for await (const batch of store.subscribe({ signal: AbortSignal.abort() })) expect(batch).toBeUndefined();
      });

      test('an event is delivered soon after it is acknowledged', async () => {
        await store.append('1.a', 'any', [note('x')]);
        const taken = take(store, 2).then(() => Date.now());
        await take(store, 1);
        await store.append('1.a', 'any', [note('y')]);
        const acknowledgedAtMs = Date.now();
        expect((await taken) - acknowledgedAtMs).toBeLessThan(1_000);
      });
    });

    test('everything is there after a restart', async () => {
      await fill('1.a', 25);
      await store.append('1.b', 'none', [note('b', { by: 1 })]);
      const before = await everything(store);
      const head = await store.head();
      await reopen();
      expect(await everything(store)).toEqual(before);
      expect(await store.head()).toBe(head);
      expect(await store.append('1.b', 0, [note('c')])).toMatchObject({ firstRevision: 1 });
      expect(await store.append('1.a', 'any', [note('d')])).toMatchObject({ firstRevision: 25 });
    });
  });
}
