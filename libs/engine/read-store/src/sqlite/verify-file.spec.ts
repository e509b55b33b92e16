import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CollectionSchema } from '../read-store.js';
import { DocumentTable } from './document-table.js';
import { SqliteReadStore } from './sqlite-read-store.js';

const notes: CollectionSchema = { name: 'notes', key: 'integer', fields: {}, indexes: [] };
/** Several slices of the verification. */
const COUNT = 2_000;

afterEach(() => jest.restoreAllMocks());

test.each([
  ['a former build', 'notes__1', (store: SqliteReadStore) => store.dropFormer('notes')],
  ['a rebuild', 'notes__3', (store: SqliteReadStore) => store.abandonRebuild({ shadow: 'notes~3' })],
])('%s that is dropped while it is verified is no damage', async (_, dropped, drop) => {
  const folder = mkdtempSync(join(tmpdir(), 'read-store-'));
  const store = new SqliteReadStore(join(folder, 'read.db'));
  const fill = (collection: string): Promise<void> =>
    store.commit({ writes: Array.from({ length: COUNT }, (__, key) => ({ collection, key, doc: {} })), position: 1 });
  await store.collection(notes);
  await fill('notes');
  const rebuild = await store.startRebuild(notes);
  await fill(rebuild.shadow);
  await store.finishRebuild(notes, rebuild, 1_000);
  expect(await store.startRebuild(notes)).toEqual({ shadow: 'notes~3' });
  await fill('notes~3');

  const damage = jest.fn();
  store.onDamage = damage;
  const { verify } = DocumentTable.prototype;
  const verified: string[] = [];
  let dropping: Promise<void> | undefined;
  jest.spyOn(DocumentTable.prototype, 'verify').mockImplementation(function (this: DocumentTable, after, atMost) {
    verified.push(this.name);
    const reached = verify.call(this, after, atMost);
    if (this.name === dropped) dropping ??= drop(store);
    return reached;
  });
  await store.verify(0, new AbortController().signal);
  await dropping;
  expect(verified.filter((name) => name === dropped)).toEqual([dropped]);
  expect([new Set(verified).size, damage.mock.calls]).toEqual([3, []]);
  await store.close();
  rmSync(folder, { recursive: true });
});
