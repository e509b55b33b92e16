import { EngineFixture, sums } from './engine/engine.fixture.js';
import { ReadStoreUnavailable } from './read-store.js';
import { StandbyReadStore } from './standby-read-store.js';

let fixture: EngineFixture;

beforeEach(async () => (fixture = await EngineFixture.create()));
afterEach(() => fixture.destroy());

const write = { collection: 'sums', key: 'a', doc: { total: 1, events: [1] } };

test('before it may write, a collection can be had, and nothing can be asked', async () => {
  const store = new StandbyReadStore();
  const collection = await store.collection(sums.collection);
  expect(collection.schema).toBe(sums.collection);
  await expect(collection.get('a')).rejects.toThrow(ReadStoreUnavailable);
  await expect(store.commit({ writes: [write], position: 1 })).rejects.toThrow(ReadStoreUnavailable);
  await expect(store.standing()).rejects.toThrow(ReadStoreUnavailable);
  await store.close();
});

test('a collection that was had before answers once the writer is there', async () => {
  const store = new StandbyReadStore();
  const early = await store.collection(sums.collection);
  await expect(early.getMany(['a'])).rejects.toThrow(ReadStoreUnavailable);
  store.become(fixture.store);
  expect(await early.get('a')).toBeUndefined();
  await store.commit({ writes: [write], position: 1 });
  expect(await early.get('a')).toEqual(write.doc);
  expect(await early.find({ limit: 1 })).toEqual([{ key: 'a', doc: write.doc }]);
  expect(await early.findFields({ limit: 1 }, ['total'])).toEqual([{ key: 'a', fields: { total: 1 } }]);
  expect(await early.count(undefined, 5)).toBe(1);
  expect(await (await store.collection(sums.collection)).get('a')).toEqual(write.doc);
});
