/** Embedded read models that are lost or damaged begin with their snapshot, and go on from there. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SqliteReadStore } from '#read-store';
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
