/** Embedded read models that are lost or damaged begin with their snapshot, and go on from there. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CollectionSchema, SqliteReadStore } from '#read-store';
import { collectionsOf, scrollback } from '#runtime';
import { until } from '#testing';
import { build, ServerProcess } from '../support/process.js';

const server = new ServerProcess('api', { LOG_LEVEL: 'info' });
const file = (): string => join(server.dataDir, 'read-models.db');

beforeAll(build);
afterAll(() => server.discard());

/** As the server does it each night. */
async function takeSnapshot(): Promise<void> {
  const store = new SqliteReadStore(file());
  await store.takeSnapshot(new AbortController().signal);
  await store.close();
}

async function contents(): Promise<string[]> {
  const { messages } = await server
    .owner()
    .ok('GET', '/messages', { anchor: 'newest', num_before: 100, num_after: 0, apply_markdown: false });
  return messages.map(({ content }: { content: string }) => content);
}

test.each([
  [
    'lost',
    () => {
      for (const suffix of ['', '-wal', '-shm']) rmSync(file() + suffix, { force: true });
    },
  ],
  [
    'damaged',
    () => {
      const bytes = readFileSync(file());
      bytes[0] = (bytes[0] ?? 0) ^ 1;
      writeFileSync(file(), bytes);
    },
  ],
])('read models that are %s', async (what, harm) => {
  await server.start();
  await server.owner().send('general', 'lunch', `${what}: before the snapshot`);
  await server.end('SIGTERM');
  await takeSnapshot();
  await server.start();
  await server.owner().send('general', 'lunch', `${what}: after it`);
  const before = await contents();
  await server.end('SIGTERM');

  harm();
  const told = server.output.length;
  await server.start();
  // What a process prints may arrive after it answers.
  await until(() => server.output.slice(told).includes('They go on from the snapshot of 20'));
  expect(await contents()).toEqual(before);
  await server.owner().send('general', 'lunch', `${what}: and on`);
  expect((await contents()).at(-1)).toBe(`${what}: and on`);
  await server.end('SIGTERM');
});

/** What the read models are after a start of a release that declares one collection otherwise. */
async function startAnother(): Promise<void> {
  const schemas = collectionsOf(scrollback).map((schema): CollectionSchema => {
    return schema.name === 'messages' ? { ...schema, indexes: [] } : schema;
  });
  const store = new SqliteReadStore(file(), schemas);
  await store.keepFormerRelease(schemas, new AbortController().signal);
  for (const schema of schemas) await store.collection(schema);
  await store.close();
}

test('a release that comes back goes on from what it had, and keeps what it builds anew of another one', async () => {
  const kept = `${file()}.former-release`;
  await server.start();
  await server.owner().send('general', 'lunch', 'of this release');
  const before = await contents();
  await server.end('SIGTERM');
  await startAnother();
  expect(existsSync(kept)).toBe(true);

  let told = server.output.length;
  await server.start();
  await until(() => server.output.slice(told).includes('that this release had are used again'));
  expect(await contents()).toEqual(before);
  const { participants } = await server.owner().ok('GET', '/operator/projections');
  const handled = (name: string): number => participants.find((one: any) => one.name === name).handled;
  // Nothing was recorded meanwhile, so no message was read again.
  expect(handled('messages')).toBe(0);
  await server.end('SIGTERM');

  rmSync(kept);
  await startAnother();
  rmSync(kept);
  told = server.output.length;
  await server.start();
  await until(() => server.output.slice(told).includes('Those of the former one are kept for 7 days'));
  expect(await contents()).toEqual(before);
  expect(existsSync(kept)).toBe(true);
  await server.end('SIGTERM');
});
