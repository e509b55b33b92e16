/** Large archives: all of an organization is exported and imported within memory that does not grow with it, and those of Slack and Mattermost. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openEventStore, streams } from '#event-store';
import { newId } from '#kernel';
import { scrollback } from '#runtime';
import { writeArchive } from '../support/archives.js';
import { manyMattermostLines, mattermostArchive } from '../support/mattermost-archive.js';
import { build } from '../support/process.js';
import { startTestServer } from '../support/server.js';
import { largeSlackArchive } from '../support/slack-archive.js';

const ROOT = resolve(__dirname, '../..');
const MESSAGES = 100_000;
/** An import that held the archive in memory would need several times as much. */
const MEMORY_MIB = 256;

let folder: string;

beforeAll(() => {
  build();
  folder = mkdtempSync(join(tmpdir(), 'large-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the command line with so little memory; resolves to what it printed. */
async function run(...args: string[]): Promise<any> {
  const memory = [`--max-old-space-size=${MEMORY_MIB}`, 'dist/bin/cli.js', ...args];
  const environment = { PATH: process.env['PATH'], OWNER_PASSWORD: 'correct horse battery' };
  const child = spawn(process.execPath, memory, { cwd: ROOT, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, told] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (told += chunk.toString()));
  const code = await new Promise((ended) => child.once('close', ended));
  expect({ code, told }).toMatchObject({ code: 0 });
  return JSON.parse(out);
}

/** Imports in a process that is killed as soon as its log has some megabytes. */
async function killedImport(archive: string, dataDir: string): Promise<void> {
  const args = ['dist/bin/cli.js', 'import', archive, '--data', dataDir];
  const child = spawn(process.execPath, args, { cwd: ROOT, env: { PATH: process.env['PATH'] }, stdio: 'ignore' });
  const log = join(dataDir, 'events.db');
  const sizeOf = (): number =>
    [log, `${log}-wal`].reduce((sum, path) => sum + (existsSync(path) ? statSync(path).size : 0), 0);
  const before = sizeOf();
  const watch = setInterval(() => {
    if (sizeOf() > before + 2_000_000) child.kill('SIGKILL');
  }, 5);
  await new Promise((ended) => child.once('close', ended));
  clearInterval(watch);
}

async function contentsOf(address: string): Promise<Map<string, string[]>> {
  const store = await openEventStore(address, scrollback.registry);
  const found = new Map<string, string[]>();
  for await (const page of store.readAll({}))
    for (const { stream, id } of page) found.set(stream, [...(found.get(stream) ?? []).slice(-50), id]);
  await store.close();
  return found;
}

test('an organization with many messages, edits and reactions', async () => {
  const server = await startTestServer();
  await server.restart(async () => {
    const store = await openEventStore(server.eventStoreUrl, scrollback.registry);
    const place = { channelId: 1, topic: 'many' };
    for (let first = 1; first <= MESSAGES; first += 500) {
      const sends = Array.from({ length: 500 }, (_, index) => {
        const content = `message ${first + index} ${'with some words '.repeat(10)}`;
        return {
          id: newId(),
          type: 'message.sent.v1',
          data: { senderId: 4, ...place, content, client: 'test', at: 1 },
        };
      });
      await store.append(streams.messages, 'any', sends);
      const data = { messageId: first, by: 4, content: 'edited', prevContent: 'before', place, at: 2 };
      await store.append(streams.message(first), 'any', [{ id: newId(), type: 'message.edited.v1', data }]);
    }
    await store.close();
  });
  await server.restart(async () => {
    const archive = join(folder, 'whole.zip');
    const [from, to] = [server.dataDir, join(folder, 'there')];
    expect(await run('export', archive, '--data', from)).toMatchObject({ messages: MESSAGES });
    expect(await run('import', archive, '--data', to)).toMatchObject({ messages: MESSAGES });
    const [before, after] = [
      await contentsOf(server.eventStoreUrl),
      await contentsOf(`sqlite:${join(to, 'events.db')}`),
    ];
    expect(after.get(streams.messages)).toEqual(before.get(streams.messages));
    expect([...after.keys()].filter((name) => !before.has(name))).toEqual([]);
  });
  await server.stop();
});

test('a Slack archive with many messages', async () => {
  const archive = join(folder, 'slack.zip');
  await writeArchive(archive, largeSlackArchive(MESSAGES));
  expect((await run('import', archive, '--data', join(folder, 'slack'))).messages).toBe(MESSAGES + 12);
});

test('a Mattermost export with many messages', async () => {
  const archive = join(folder, 'mattermost.zip');
  await writeArchive(archive, await mattermostArchive([...manyMattermostLines(MESSAGES)]));
  const imported = await run('import', archive, '--data', join(folder, 'mattermost'));
  expect(imported.messages).toBe(MESSAGES + 17);
});

test.each([
  ['Slack', () => Promise.resolve(largeSlackArchive(10_000))],
  ['Mattermost', () => mattermostArchive([...manyMattermostLines(10_000)])],
])(
  'an import from %s that is killed twice comes in whole',
  async (name, entries) => {
    const archive = join(folder, `${name}.zip`);
    await writeArchive(archive, await entries());
    const [whole, killed] = [join(folder, `${name}-whole`), join(folder, `${name}-killed`)];
    const expected = await run('import', archive, '--data', whole);
    for (let kill = 0; kill < 2; kill++) await killedImport(archive, killed);
    const begun = await contentsOf(`sqlite:${join(killed, 'events.db')}`);
    expect(await run('import', archive, '--data', killed)).toEqual(expected);
    const [all, found] = [
      await contentsOf(`sqlite:${join(whole, 'events.db')}`),
      await contentsOf(`sqlite:${join(killed, 'events.db')}`),
    ];
    expect(begun.get(streams.messages)).not.toEqual(all.get(streams.messages));
    // The owner's access is recorded at the end, under new IDs.
    for (const contents of [all, found]) contents.get(streams.organization)?.splice(-2);
    expect(found).toEqual(all);
  },
  600_000,
);
