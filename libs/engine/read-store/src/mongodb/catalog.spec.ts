import { describeOnMongo, until } from '#testing';
import type { Key, Write } from '../read-store.js';
import { Catalog, type CatalogParts } from './catalog.js';
import type { EntryHead, Journal } from './commit/journal.js';
import { type News, newsOf } from './commit/news.js';
import { EMPTY_STATE, type StoreState } from './commit/store-state.js';
import { MongoReadStore } from './mongo-read-store.js';
import { MongoHarness } from './mongo.fixture.js';
import type { MongoServer } from './server/mongo-server.js';

const notes = { name: 'notes', key: 'integer', fields: {}, indexes: [] } as const;

const put = (collection: string, key: Key, n: number): Write => ({ collection, key, doc: { n } });

describeOnMongo('readers that follow the entries of a journal', (server) => {
  let harness: MongoHarness;
  let writer: MongoReadStore;
  /** While set, documents are not written. */
  let held: Promise<void> | undefined;

  beforeEach(async () => {
    held = undefined;
    harness = await MongoHarness.on(server.freshUrl());
    writer = await harness.write({
      beforeStep: (step) => (step === 'insert' ? (held ?? Promise.resolve()) : Promise.resolve()),
    });
    await writer.collection(notes);
  });
  afterEach(() => harness.destroy());

  const commit = async (from: number, to: number, store = writer): Promise<void> => {
    for (let position = from; position <= to; position++)
      await store.commit({ writes: [put('notes', position, position)], position, passed: position });
  };
  const forgotten = async (store: MongoReadStore): Promise<void> => {
    await store.settled();
    await store.forget();
    await store.forget();
  };

  test('find what is new when the entries after a kept one were removed', async () => {
    const successor = await harness.write();
    const { progress } = await harness.open();
    expect(await progress.position()).toBe(0);
    await successor.collection(notes);
    await commit(1, 45, successor);
    await forgotten(successor);
    expect(await progress.position()).toBe(45);
  });

  test('begin anew when the entries that they ask for are removed meanwhile', async () => {
    await commit(1, 3);
    const stores = await harness.open();
    expect(await stores.progress.position()).toBe(3);
    const { server: mongo } = stores as unknown as { readonly server: MongoServer };
    const { quickCollection } = mongo;
    let isHeldUp = true;
    jest.spyOn(mongo, 'quickCollection').mockImplementation(function (this: never, name, options) {
      const found = quickCollection.call(mongo, name, options);
      const findAll = found.findAll.bind(found);
      found.findAll = async (...asked) => {
        if (isHeldUp && name === 'journal') {
          isHeldUp = false;
          await commit(5, 50);
          await forgotten(writer);
        }
        return findAll(...asked);
      };
      return found as never;
    });
    await commit(4, 4);
    expect(await stores.progress.position()).toBe(50);
  });

  test('notice a dropped database, though they ask all the time', async () => {
    await commit(1, 30);
    const stores = await harness.open();
    const reader = await stores.reading().collection(notes);
    expect(await stores.progress.position()).toBe(30);
    await writer.settled();
    await harness.client.db(harness.database).dropDatabase();
    const other = await harness.write();
    await other.collection(notes);
    await commit(1, 1, other);
    expect(await stores.progress.position()).toBe(1);
    expect(await reader.count(undefined, 100)).toBe(1);
  });

  test('never see half of a rebuild whose documents are being written', async () => {
    await commit(0, 2);
    const stores = await harness.open();
    const reader = await stores.reading().collection(notes);
    expect(await reader.count(undefined, 10)).toBe(3);
    const rebuild = await writer.startRebuild(notes);
    await writer.commit({ writes: [put(rebuild.shadow, 0, 0)], position: 2 });
    await writer.settled();
    let open = (): void => undefined;
    held = new Promise((resolve) => (open = resolve));
    await commit(3, 3);
    expect(await stores.progress.position()).toBe(3);
    const counting = reader.count(undefined, 10);
    await writer.commit({ writes: [1, 2, 3].map((key) => put(rebuild.shadow, key, key)), position: 3 });
    const finished = writer.finishRebuild(notes, rebuild);
    await stores.progress.position();
    held = undefined;
    open();
    expect(await counting).toBe(4);
    await finished;
    expect(await reader.count(undefined, 10)).toBe(4);
  });

  test('wait when they were told of documents that the state does not count yet', async () => {
    const told: News[] = [];
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const held = new Set<string>();
    const { server: mongo } = (await harness.open()) as unknown as { readonly server: MongoServer };
    const slow = await MongoReadStore.open(mongo, 9, {
      decided: (news) => void told.push(news),
      beforeStep: (step) => (held.has(step) ? gate : Promise.resolve()),
    });
    await slow.collection(notes);
    await commit(1, 1, slow);
    await slow.settled();
    const stores = await harness.open();
    const reader = await stores.reading().collection(notes);
    held.add('state');
    await commit(2, 2, slow);
    held.add('insert');
    await commit(3, 3, slow);
    expect(await stores.progress.position()).toBe(3);
    const { catalog } = stores as unknown as { readonly catalog: Catalog };
    const [, written, last] = told;
    expect(catalog.learn({ ...last!, applied: written!.number })).toBe(true);
    const counting = reader.count(undefined, 10);
    expect(await stores.progress.position()).toBe(3);
    open();
    expect(await counting).toBe(3);
    await slow.close();
  });

  test('wait for documents together, and no longer than they take', async () => {
    const stores = await harness.open();
    const reader = await stores.reading().collection(notes);
    let open = (): void => undefined;
    held = new Promise((resolve) => (open = resolve));
    await commit(1, 3);
    expect(await stores.progress.position()).toBe(3);
    const counted: number[] = [];
    const counting = Array.from({ length: 20 }, async () => counted.push(await reader.count(undefined, 10)));
    expect(await stores.progress.position()).toBe(3);
    expect(counted).toEqual([]);
    held = undefined;
    open();
    await Promise.all(counting);
    expect(new Set(counted)).toEqual(new Set([3]));
  });
});

/** A catalog over answers that the test gives. */
function catalogOver({
  read,
  number = async () => (await read()).number,
  headsFrom,
  settleUpTo = () => Promise.resolve(),
}: {
  read: () => Promise<StoreState>;
  number?: () => Promise<number>;
  headsFrom: Journal['headsFrom'];
  settleUpTo?: () => Promise<void>;
}): Catalog {
  const server = { run: (work: () => Promise<unknown>) => work() };
  const newestHead: Journal['newestHead'] = async (state) => {
    const { heads } = await headsFrom(state.number + 1);
    return { newest: heads.at(-1) ?? state, isWhole: true };
  };
  const document = { read, number };
  const takeover = { settleUpTo };
  return new Catalog({ server, document, takeover, journal: { headsFrom, newestHead } } as unknown as CatalogParts);
}

const headAt = (number: number): EntryHead => ({ number, writer: 'w', passed: number * 10, revision: 1 });
const stateAt = (number: number): StoreState => ({
  ...EMPTY_STATE,
  ...headAt(number),
  collections: { notes: { physical: 'notes@1.1', schema: 'f', top: 0 } },
});

test('an answer that was given earlier and arrives later takes nothing back', async () => {
  const answers: ((numbers: readonly number[]) => void)[] = [];
  const catalog = catalogOver({
    read: () => Promise.resolve(stateAt(50)),
    headsFrom: (from) =>
      from === 51
        ? Promise.resolve({ heads: [], isLast: true })
        : new Promise((resolve) => answers.push((numbers) => resolve({ heads: numbers.map(headAt), isLast: true }))),
  });
  expect(await catalog.position()).toBe(500);
  const first = catalog.position();
  const second = catalog.position();
  await until(() => answers.length === 2);
  answers[0]!([50, 51]);
  expect(await first).toBe(510);
  answers[1]!([50]);
  expect(await second).toBe(510);
});

test('a look that began before a newer state was read fails nobody', async () => {
  const reads: ((number: number) => void)[] = [];
  let isHeld = false;
  let heads: readonly EntryHead[] = [];
  const catalog = catalogOver({
    read: () =>
      isHeld
        ? new Promise((resolve) => reads.push((number) => resolve(stateAt(number))))
        : Promise.resolve(stateAt(50)),
    headsFrom: (from) => Promise.resolve({ heads: heads.filter(({ number }) => number >= from), isLast: true }),
  });
  await catalog.position();
  heads = [headAt(50), headAt(51)];
  await catalog.position();
  isHeld = true;
  const finding = catalog.find('notes', 'f');
  await until(() => reads.length === 1);
  heads = [headAt(70), headAt(71)];
  const asking = catalog.position();
  await until(() => reads.length === 2);
  reads[1]!(70);
  expect(await asking).toBe(710);
  const later = catalog.find('notes', 'f');
  reads[0]!(50);
  expect((await finding).physical).toBe('notes@1.1');
  await until(() => reads.length === 3);
  reads[2]!(71);
  expect((await later).physical).toBe('notes@1.1');
});

test('readers wait for documents no longer than their time, though the server does not answer', async () => {
  jest.useFakeTimers();
  const catalog = catalogOver({
    read: () => Promise.resolve(stateAt(50)),
    number: () => new Promise(() => undefined),
    headsFrom: (from) => Promise.resolve({ heads: [50, 51].filter((one) => one >= from).map(headAt), isLast: true }),
  });
  await catalog.position();
  const finding = catalog.find('notes', 'f').catch((error: unknown) => error);
  await jest.advanceTimersByTimeAsync(6_000);
  expect(String(await finding)).toContain('not written yet');
  jest.useRealTimers();
});

test.each([
  ['a second', 50, 1_050],
  ['ten looks, where the server answers slowly,', 200, 2_200],
  ['half of the time after which it is refused, where the server answers more slowly,', 600, 3_000],
])('a reader that has waited for %s writes the documents itself', async (_, answerMs, expectedMs) => {
  let [nowMs, number, helpedMs] = [10_000, 50, NaN];
  const now = jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const catalog = catalogOver({
    read: () => Promise.resolve(stateAt(number)),
    number: () => {
      nowMs += answerMs;
      return Promise.resolve(number);
    },
    headsFrom: (from) => Promise.resolve({ heads: [50, 51].filter((one) => one >= from).map(headAt), isLast: true }),
    settleUpTo: () => {
      [helpedMs, number] = [nowMs, 51];
      return Promise.resolve();
    },
  });
  await catalog.position();
  await catalog.find('notes', 'f');
  expect(helpedMs - 10_000).toBe(expectedMs);
  now.mockRestore();
});

test.each([
  ['all documents since the last position', 100, 110, 1],
  ['less, after the position was reset', 50, 110, undefined],
])('a commit tells its documents when they are %s', (_, passed, reached, told) => {
  const at = (position: number) => ({ feed: { checkpoint: 'c', position } });
  const before = { ...EMPTY_STATE, passed, checkpoints: at(100) };
  const writes = [{ collection: 'feed', key: 105, doc: { at: 1, entries: [] } }];
  const { text } = newsOf(before, { ...before, passed: reached, checkpoints: at(110) }, writes);
  expect(text === undefined ? undefined : (JSON.parse(text) as unknown[]).length).toBe(told);
});
