/** `scrollback export` and `scrollback import`. */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { archiveOf, ArchiveReader, MANIFEST } from '#archive';
import { openBlobStore } from '#blob-store';
import { copyLog, openEventStore, type RecordedEvent, streams } from '#event-store';
import { newId } from '#kernel';
import { scrollback } from '#runtime';
import { runCommand } from '../../apps/cli/src/command-line.js';
import { openLog } from '../../apps/cli/src/log-address.js';
import { tamperWithLog } from '../../libs/engine/event-store/src/sqlite/tamper.fixture.js';
import { EventStoreDbStandIn } from '../eventstoredb/index.js';
import { build } from '../support/process.js';
import { startTestServer, type TestServer } from '../support/server.js';

const ROOT = resolve(__dirname, '../..');
/** More than an import writes before it is killed. */
const MESSAGES = 12_000;

let server: TestServer;
let folder: string;
let whole: string;
/** An archive from before there were many messages. */
let small: string;
/** Hash of a file. */
let picture: string;

/** Runs the command line in this process. */
async function run(args: readonly string[], environment: Record<string, string> = {}) {
  let [out, told] = ['', ''];
  const code = await runCommand(args, {
    environment,
    print: (line) => void (out += `${line}\n`),
    tell: (line) => void (told += `${line}\n`),
    onInterrupt: () => undefined,
  });
  return { code, out, told };
}

async function eventsOf(address: string): Promise<RecordedEvent[]> {
  const store = await openEventStore(address, scrollback.registry);
  const found: RecordedEvent[] = [];
  for await (const page of store.readAll({})) found.push(...page);
  await store.close();
  return found;
}

/** The same archive with some entries replaced; the table of contents is not touched unless it is among them. */
async function forged(changes: Readonly<Record<string, string | undefined>>): Promise<string> {
  const archive = await ArchiveReader.open(small);
  const path = join(folder, 'forged.zip');
  const entries = [...new Set([...archive.entries().map(({ name: entry }) => entry), ...Object.keys(changes)])];
  const sources = [];
  for (const entry of entries) {
    if (entry in changes && changes[entry] === undefined) continue;
    const chunks: Uint8Array[] = [];
    if (changes[entry] === undefined) for await (const chunk of archive.content(entry)) chunks.push(chunk);
    const content = changes[entry] === undefined ? Buffer.concat(chunks) : Buffer.from(changes[entry]);
    const open = () => Promise.resolve(Readable.from([content]));
    sources.push({ name: entry, bytes: content.length, compress: true, open });
  }
  await pipeline(archiveOf(sources, new Date()), createWriteStream(path));
  archive.close();
  return path;
}

async function copyInto(path: string): Promise<void> {
  const from = await openLog(server.eventStoreUrl);
  const to = await openEventStore(`sqlite:${path}`, scrollback.registry);
  await copyLog(from, to, { inFlightMax: 64 });
  await to.close();
  await from.close();
}

beforeAll(async () => {
  build();
  folder = mkdtempSync(join(tmpdir(), 'transfer-'));
  server = await startTestServer();
  await server.owner.send('general', 'lunch', '**soup**');
  const files = openBlobStore(`file:${join(server.dataDir, 'uploads')}`, { isOnlyUser: false });
  picture = (await files.space('files').put(Buffer.from('a picture'))).hash;
  small = join(folder, 'small.zip');
  await run(['export', small, '--data', server.dataDir], { EVENT_STORE_URL: server.eventStoreUrl });
  await server.restart(async () => {
    const store = await openEventStore(server.eventStoreUrl, scrollback.registry);
    const data = { senderId: 4, channelId: 1, topic: 'many', content: 'x', client: 'test', at: 1 };
    for (let sent = 0; sent < MESSAGES; sent += 1_000) {
      const page = Array.from({ length: 1_000 }, () => ({ id: newId(), type: 'message.sent.v1', data }));
      await store.append(streams.messages, 'any', page);
    }
    await store.close();
  });
  whole = join(folder, 'whole.zip');
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

test('an archive is made of what is whole of a damaged log, and the rest is named, with an exit code of its own', async () => {
  const at = mkdtempSync(join(tmpdir(), 'damaged-'));
  const path = join(at, 'damaged.db');
  await copyInto(path);
  const [[position] = []] = tamperWithLog(
    path,
    `SELECT max(position) FROM events JOIN event_types ON event_types.id = type_id WHERE name = 'message.sent.v1'`,
  );
  tamperWithLog(path, `UPDATE events SET checksum = checksum + 1 WHERE position = ${Number(position)}`);
  const target = join(at, 'damaged.zip');
  const { code, out, told } = await run(['export', target, '--data', server.dataDir], {
    EVENT_STORE_URL: `sqlite:${path}`,
  });
  expect(code).toBe(3);
  expect(told).toContain(`Position ${Number(position)} (1.messages, revision ${MESSAGES}): its checksum does not fit`);
  expect(told).toContain('The archive lacks these records');
  expect(JSON.parse(out)).toMatchObject({ messages: MESSAGES, damaged: 1 });
  expect(existsSync(target)).toBe(true);
  rmSync(at, { recursive: true });
});

test('an archive of everything is written while the server runs, for its owner alone, without credentials', async () => {
  const environment = { EVENT_STORE_URL: server.eventStoreUrl };
  const { code, out, told } = await run(['export', whole, '--data', server.dataDir], environment);
  expect({ code, told }).toMatchObject({ code: 0 });
  expect(JSON.parse(out)).toMatchObject({ messages: MESSAGES + 1, users: 4, files: 1 });
  expect(statSync(whole).mode & 0o077).toBe(0);
  expect(readdirSync(folder)).toEqual(['small.zip', 'whole.zip']);
  const archive = await ArchiveReader.open(whole);
  for (const { name } of archive.entries()) {
    let text = '';
    for await (const chunk of archive.content(name)) text += chunk.toString('latin1');
    expect(text).not.toMatch(/argon2/);
  }
  archive.close();
  const again = await run(['export', whole], environment);
  expect(again).toMatchObject({ code: 1, told: `${whole} exists already.\n` });
});

test('an import that was killed goes on, and the owner logs in', async () => {
  const [dataDir, before] = [join(folder, 'there'), await eventsOfArchive()];
  const kills: number[] = [];
  for (let attempt = 0; attempt < 2; attempt++) {
    await killedImport(dataDir, 1 + attempt * 3_000);
    kills.push((await eventsOf(`sqlite:${join(dataDir, 'events.db')}`)).length);
  }
  const { code, told } = await run(['import', whole, '--data', dataDir]);
  expect({ code, told }).toMatchObject({ code: 0 });
  const imported = await eventsOf(`sqlite:${join(dataDir, 'events.db')}`);
  expect(imported.slice(0, -2).map(({ id, stream, revision }) => ({ id, stream, revision }))).toEqual(before);
  const files = openBlobStore(`file:${join(dataDir, 'uploads')}`, { isOnlyUser: false });
  expect(await files.space('files').stat(picture)).toMatchObject({ size: 9 });
  expect(imported.slice(-2).map(({ type }) => type)).toEqual(['user.changed.v1', 'user.api-key-issued.v1']);
  const passwordFile = join(dataDir, 'owner.password');
  expect(told).toContain(`olive@example.test is the owner. Password: in ${passwordFile}. `);
  expect(readFileSync(passwordFile, 'utf8')).toMatch(/^\S{24}\n$/);
  expect(statSync(passwordFile).mode & 0o777).toBe(0o600);
  expect(kills.some((count) => count > 0 && count < before.length)).toBe(true);
  const twice = await run(['import', whole, '--data', dataDir]);
  expect({ code: twice.code, out: JSON.parse(twice.out) }).toEqual({
    code: 0,
    out: { events: 0, messages: 0, notes: [expect.stringContaining('imported before')] },
  });
  expect(twice.told).not.toContain('is the owner');
  expect(await eventsOf(`sqlite:${join(dataDir, 'events.db')}`)).toEqual(imported);
});

test('an import that was killed before its last step still lets the owner in, after a start', async () => {
  const [source, dataDir] = [join(folder, 'copied'), join(folder, 'started')];
  await run(['import', small, '--data', source]);
  const copied = (await eventsOf(`sqlite:${join(source, 'events.db')}`)).slice(0, -2);
  mkdirSync(dataDir);
  const address = `sqlite:${join(dataDir, 'events.db')}`;
  const store = await openEventStore(address, scrollback.registry);
  await copyLog({ readAll: () => Readable.from([copied]) }, store, { signal: new AbortController().signal });
  const sent = { senderId: 4, channelId: 1, topic: 'started', content: 'x', client: 'test', at: 1 };
  await store.append(streams.messages, 'any', [{ id: newId(), type: 'message.sent.v1', data: sent }]);
  await store.close();
  const { code, told, out } = await run(['import', small, '--data', dataDir]);
  expect({ code, told }).toEqual({ code: 0, told: expect.stringContaining('olive@example.test is the owner') });
  expect(out).toContain('imported before');
  expect((await eventsOf(address)).slice(-2).map(({ type }) => type)).toEqual([
    'user.changed.v1',
    'user.api-key-issued.v1',
  ]);
});

test('an import into a log on a server', async () => {
  const standIn = await EventStoreDbStandIn.start();
  const environment = { EVENT_STORE_URL: standIn.url, OWNER_PASSWORD: 'correct horse battery' };
  const { code, told } = await run(['import', small, '--data', join(folder, 'shared')], environment);
  expect({ code, told }).toMatchObject({ code: 0, told: expect.stringContaining('OWNER_PASSWORD') });
  expect((await eventsOf(standIn.url)).length).toBe((await eventsOfArchive(small)).length + 2);
  await standIn.stop();
});

test.each<[string, Record<string, string | undefined>, RegExp]>([
  ['an entry that was changed', { 'users.jsonl': '{}\n' }, /^users\.jsonl: /],
  ['an entry that is missing', { 'log/000001.jsonl': undefined }, /^log\/000001\.jsonl: it is missing\./],
  ['a file for another place', { 'files/secrets/x': 'x' }, /^files\/secrets\/x: /],
  ['an entry that nobody lists', { 'evil.js': 'x' }, /^evil\.js: /],
  ['a table of contents that is none', { [MANIFEST]: '[]' }, /^manifest\.json: /],
  ['no table of contents', { [MANIFEST]: undefined }, /^The archive cannot be read: it is of no known kind\./],
])('%s is refused by its name, and nothing is written', async (what, changes, complaint) => {
  const archive = await forged(changes);
  const dataDir = join(folder, `nothing-${what.replaceAll(' ', '-')}`);
  const { code, told } = await run(['import', archive, '--data', dataDir]);
  expect({ code, told }).toEqual({ code: 1, told: expect.stringMatching(complaint) });
  expect((await eventsOf(`sqlite:${join(dataDir, 'events.db')}`)).length).toBe(0);
});

test('an archive of the kind that administrators request is refused', async () => {
  const whole = await ArchiveReader.open(small);
  const manifest = (await whole.json(MANIFEST)) as object;
  whole.close();
  const archive = await forged({ [MANIFEST]: JSON.stringify({ ...manifest, kind: 'public' }) });
  const { code, told } = await run(['import', archive, '--data', join(folder, 'nothing')]);
  const complaint = /^manifest\.json: an archive of kind public holds only what its readers may see, and no log\./;
  expect({ code, told }).toEqual({ code: 1, told: expect.stringMatching(complaint) });
});

test('what is no archive, or not there', async () => {
  writeFileSync(join(folder, 'text.zip'), 'no archive');
  for (const name of ['text.zip', 'nowhere.zip']) {
    const { code, told } = await run(['import', join(folder, name), '--data', join(folder, 'none')]);
    expect({ code, told }).toEqual({ code: 1, told: expect.stringMatching(/^The archive cannot be read: /) });
  }
  expect(existsSync(join(folder, 'text.zip.parts'))).toBe(false);
});

async function eventsOfArchive(path = whole): Promise<{ id: string; stream: string; revision: number }[]> {
  const archive = await ArchiveReader.open(path);
  const found: { id: string; stream: string; revision: number }[] = [];
  for (const { name } of archive.entries()) {
    if (!name.startsWith('log/')) continue;
    for await (const { value } of archive.lines(name)) {
      const { id, stream, revision } = value as (typeof found)[number];
      found.push({ id, stream, revision });
    }
  }
  archive.close();
  return found;
}

/** Imports in a process that is killed as soon as the log has grown beyond so many bytes. */
async function killedImport(dataDir: string, bytes: number): Promise<void> {
  const args = ['dist/bin/cli.js', 'import', whole, '--data', dataDir];
  const environment = { PATH: process.env['PATH'] };
  const child: ChildProcess = spawn(process.execPath, args, { cwd: ROOT, env: environment, stdio: 'ignore' });
  const log = join(dataDir, 'events.db-wal');
  const watch = setInterval(() => {
    if (existsSync(log) && statSync(log).size > bytes * 100) child.kill('SIGKILL');
  }, 1);
  await new Promise((ended) => child.once('close', ended));
  clearInterval(watch);
}
