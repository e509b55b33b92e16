import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contractRegistry, note } from '../contract/log.contract.js';
import { SqliteEventStore } from './sqlite-event-store.js';
import { shortMetadata } from './record.js';

test.each([
  [null, null],
  ['{"o":"7.2n.9c4"}', '7.2n.9c4'],
  ['{"o":""}', '{"o":""}'],
  ['{"o":"a\\"b"}', '{"o":"a\\"b"}'],
  ['{"o":"{}"}', '{"o":"{}"}'],
  ['{"o":7}', '{"o":7}'],
  ['{"o":"7","more":1}', '{"o":"7","more":1}'],
])('the metadata %p are stored as %p', (metadata, stored) => {
  expect(shortMetadata(metadata)).toBe(stored);
});

test('metadata are read as they were appended, live and after a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'short-metadata-'));
  const path = join(folder, 'log.db');
  const given = [{ o: '7.2n.9c4' }, { o: '{x' }, { o: '' }, { o: '7', more: 1 }, { o: 'ä' }];
  let store = SqliteEventStore.open(path, contractRegistry);
  for (const metadata of given) await store.append('1.a', 'any', [note('x', metadata)]);
  const read = async (): Promise<unknown[]> =>
    (await store.readStream('1.a', { limit: 9 })).map(({ metadata }) => metadata);
  expect(await read()).toEqual(given);
  await store.close();
  store = SqliteEventStore.open(path, contractRegistry);
  expect(await read()).toEqual(given);
  await store.close();
  rmSync(folder, { recursive: true });
});
