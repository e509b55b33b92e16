/** `scrollback backup` and `scrollback restore`. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { AS_STORED, openEventStore, type RecordedEvent, streams } from '#event-store';
import { newId } from '#kernel';
import { scrollback as composition } from '#runtime';
import { seeded, sized, until } from '#testing';
import { runCommand } from '../../apps/cli/src/command-line.js';
import { openLog } from '../../apps/cli/src/log-address.js';
import { EventStoreDbStandIn } from '../eventstoredb/index.js';
import { DamagedLogs } from '../support/damaged-logs.js';
import { openFileStorage } from '../support/file-storage.js';
import { isShared } from '../support/pairings.js';
import { build, ServerProcess } from '../support/process.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { canMount, mountSmallDisk } from '../support/small-disk.js';
import { upload } from '../support/uploads.js';

const ROOT = resolve(__dirname, '../..');
const POSITIONS = sized({ usual: 4, nightly: 100 });

interface Ended {
  readonly code: number | null;
  readonly out: any;
  readonly told: string;
}

let folder: string;
beforeAll(() => {
  build();
  folder = mkdtempSync(join(tmpdir(), 'backup-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the command line as a process of its own, as beside a server. */
function run(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  onStart: (child: ChildProcess) => void = () => undefined,
): Promise<Ended> {
  const child = spawn(process.execPath, ['dist/bin/cli.js', ...args], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onStart(child);
  let [out, told] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (told += chunk.toString()));
  return new Promise((ended) =>
    child.once('close', (code) => {
      ended({ code, out: out.startsWith('{') ? (JSON.parse(out) as unknown) : out, told });
    }),
  );
}

/** Runs the command line in this process, which saves the second that a process takes to start. */
async function runHere(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Ended> {
  let [out, told] = ['', ''];
  const code = await runCommand(args, {
    environment,
    print: (line) => void (out += line),
    tell: (line) => void (told += `${line}\n`),
    onInterrupt: () => undefined,
  });
  return { code, out: out.startsWith('{') ? (JSON.parse(out) as unknown) : out, told };
}

/** The log as it is stored; positions of a log on a server are its own. */
async function eventsOf(address: string, hasPositions = true): Promise<RecordedEvent[]> {
  const log = await openLog(address, AS_STORED);
  const events: RecordedEvent[] = [];
  for await (const page of log.readAll({})) events.push(...page);
  await log.close();
  return hasPositions ? events : events.map((event) => ({ ...event, position: 0 }));
}

/** Everything below a folder, with its mode. */
function modesBelow(path: string): Record<string, string> {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries.map((entry) => {
      const at = join(entry.parentPath, entry.name);
      return [at.slice(path.length + 1), (statSync(at).mode & 0o777).toString(8)];
    }),
  );
}

const inFile = (dataDir: string): string => `sqlite:${join(dataDir, 'events.db')}`;

describe('of a server that runs', () => {
  let server: TestServer;
  let environment: Record<string, string>;
  let backup: string;

  beforeAll(async () => {
    server = await startTestServer();
    environment = { DATA_DIR: server.dataDir, ...server.storeSettings, ...server.files.environment };
    backup = join(folder, 'running');
  });
  afterAll(() => server.stop());

  async function sendUntil(isOver: () => boolean): Promise<number> {
    let sent = 0;
    // Bounded, whatever becomes of the command.
    while (!isOver() && sent < 2_000) await server.owner.send('general', 'lunch', `soup ${sent++}`);
    return sent;
  }

  test('goes on while people send, and restores to each position what the log had there', async () => {
    const address = await upload(server, server.owner, 'menu.txt', 'soup');
    await server.owner.send('general', 'lunch', `[menu](${address})`);
    for (const expected of [1, 0]) {
      let isOver = false;
      const backingUp = run(['backup', backup, '--with-secrets'], environment).finally(() => (isOver = true));
      expect(await sendUntil(() => isOver)).toBeGreaterThan(0);
      const { code, out, told } = await backingUp;
      expect({ code, told }).toMatchObject({ code: 0 });
      expect(out).toMatchObject({ files: expected, wrong: 0 });
      expect(out.events).toBeGreaterThan(0);
    }
    const verified = await runHere(['backup', '--verify', backup]);
    expect(verified).toMatchObject({ code: 0, told: '', out: { files: 1, wrong: 0 } });
    const { events: count, position: end } = verified.out as { events: number; position: number };
    const all = await eventsOf(server.eventStoreUrl);
    expect(all[count - 1]?.position).toBe(end);

    const random = seeded(41);
    for (let round = 0; round < POSITIONS; round++) {
      const index = Math.floor(random() * count);
      const there = join(folder, `restored-${round}`);
      const moment = `@${all[index]?.position ?? 0}`;
      const { code, out, told } = await runHere(['restore', backup, '--to', moment, '--data', there]);
      expect({ code, told }).toMatchObject({ code: 0 });
      expect(out).toMatchObject({ events: index + 1, missing: 0 });
      const before = all.slice(0, index + 1);
      const expected = isShared ? before.map((event, place) => ({ ...event, position: place + 1 })) : before;
      expect(await eventsOf(inFile(there))).toEqual(expected);
    }
  });

  test('adds what is new to the part that is small, and nothing when nothing is', async () => {
    await server.owner.send('general', 'lunch', 'bread');
    const first = await runHere(['backup', backup], environment);
    expect(first).toMatchObject({ code: 0, out: { files: 0, wrong: 0 } });
    expect(first.out.events).toBeGreaterThan(0);
    const again = await runHere(['backup', backup], environment);
    expect(again).toMatchObject({ code: 0, out: { events: 0, files: 0, position: first.out.position } });
    expect(readdirSync(join(backup, 'log'))).toHaveLength(1);
  });

  test('is for its owner alone', () => {
    const modes = modesBelow(backup);
    expect(Object.keys(modes)).toEqual(expect.arrayContaining(['manifest.json', 'backup.lock', 'secrets/secret.key']));
    const wrong = Object.entries(modes).filter(([at, mode]) => {
      return mode !== (statSync(join(backup, at)).isDirectory() ? '700' : '600');
    });
    expect(wrong).toEqual([]);
    expect((statSync(backup).mode & 0o777).toString(8)).toBe('700');
  });

  test('has files that were deleted since, for the time before', async () => {
    const [kept, lost] = [join(folder, 'kept'), join(folder, 'lost')];
    const { id } = (await server.owner.ok('GET', '/attachments')).attachments[0];
    await server.owner.ok('DELETE', `/attachments/${id}`);
    const before = JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8')) as { position: number };
    expect(await runHere(['backup', backup], environment)).toMatchObject({ code: 0, out: { wrong: 0 } });
    const moment = `@${before.position}`;
    const restored = await runHere(['restore', backup, '--to', moment, '--data', kept]);
    expect(restored).toMatchObject({ code: 0, out: { files: 1, deleted: 0, missing: 0 } });
    expect(await runHere(['verify', '--data', kept])).toMatchObject({ code: 0, out: { contents: 1, wrong: 0 } });
    // A backup that begins now has never had it.
    rmSync(server.files.folder, { recursive: true, force: true });
    mkdirSync(server.files.folder, { recursive: true });
    const late = join(folder, 'late');
    expect(await runHere(['backup', late], environment)).toMatchObject({ code: 0, out: { files: 0, wrong: 0 } });
    const without = await runHere(['restore', late, '--to', moment, '--data', lost]);
    expect(without).toMatchObject({ code: 0, out: { files: 0, deleted: 1, missing: 0 } });
  });

  test('a server starts on what was restored, with the secrets', async () => {
    const there = new ServerProcess();
    rmSync(there.dataDir, { recursive: true });
    const restored = await runHere(['restore', backup, '--data', there.dataDir]);
    expect(restored).toMatchObject({ code: 0, told: expect.stringContaining('secret.key was restored') });
    await there.start();
    const owner = there.owner();
    expect((await owner.ok('GET', '/users/me')).email).toBe(server.owner.email);
    const { messages } = await owner.ok('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 });
    expect(messages[0].content).toContain('bread');
    await there.discard();
  });

  test('the commands of the documentation do what it says', async () => {
    const page = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
    const section = /^## Back up and restore\n(.*?)^## /ms.exec(page)?.[1] ?? '';
    const commands = Array.from(section.matchAll(/^```sh\n(.*?)^```/gms), ([, lines]) => lines ?? '');
    expect(commands).toHaveLength(2);
    const here = join(folder, 'walk');
    const [backUp = '', restore = ''] = commands.map((lines) =>
      lines
        .replaceAll('/backups', join(here, 'backups'))
        .replaceAll('/var/lib', here)
        .replace('2026-01-31T14:05Z', new Date().toISOString().replace(/\.\d+/, '')),
    );
    mkdirSync(join(here, 'backups'), { recursive: true });
    // The shell says with which words it would start the command line, which runs here.
    const shell = async (lines: string, env: Readonly<Record<string, string>>): Promise<void> => {
      const program = `set -eu; scrollback() { printf '%s\\0' "$@"; echo; }\n${lines}`;
      const { stdout } = await promisify(execFile)('sh', ['-c', program], { cwd: folder });
      const calls = stdout.split('\n').slice(0, -1);
      expect(calls).toHaveLength(lines.split('\n').length - 1);
      for (const words of calls) {
        const { code, told } = await runHere(words.split('\0').slice(0, -1), env);
        expect({ words, code, told }).toMatchObject({ words, code: 0 });
      }
    };
    await shell(backUp, environment);
    await shell(restore, {});
    const all = await eventsOf(server.eventStoreUrl, false);
    expect(await eventsOf(inFile(join(here, 'restored')), false)).toEqual(all);
    expect(await eventsOf(inFile(join(here, 'that-day')), false)).toEqual(all);
  });

  test('content that the log names and the storage lacks is named, each time', async () => {
    const address = await upload(server, server.owner, 'bill.txt', 'ten');
    await server.owner.send('general', 'lunch', `[bill](${address})`);
    const [path = ''] = readdirSync(server.files.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    renameSync(path, join(folder, 'aside'));
    for (let round = 0; round < 2; round++) {
      const { code, out, told } = await runHere(['backup', backup], environment);
      expect({ code, told }).toEqual({
        code: 1,
        told: expect.stringMatching(/The content files\/\w{64} is missing\./),
      });
      expect(out).toMatchObject({ wrong: 1 });
    }
    copyFileSync(join(folder, 'aside'), path);
    expect(await runHere(['backup', backup], environment)).toMatchObject({ code: 0, out: { files: 1, wrong: 0 } });
  });
});

describe('of a log with many events', () => {
  /** More than two parts, of text that cannot be compressed to little. */
  const EVENTS = 700;
  let dataDir: string;
  let all: RecordedEvent[];

  beforeAll(async () => {
    dataDir = join(folder, 'many');
    const log = await openEventStore(inFile(dataDir), composition.registry);
    const random = seeded(7);
    const message = () => ({
      id: newId(),
      type: 'message.sent.v1',
      data: { senderId: 4, channelId: 1, topic: 'x', content: text(random), client: 't', at: 1_000 },
      recordedAtMs: 1_700_000_000_000 + Math.floor(random() * 1_000),
      metadata: { by: 'some "one" 日本' },
    });
    for (let done = 0; done < EVENTS; done += 20)
      await log.append(streams.messages, 'any', Array.from({ length: 20 }, message));
    await log.close();
    all = await eventsOf(inFile(dataDir));
  });

  function text(random: () => number): string {
    return Array.from({ length: 640 }, () => random().toString(36).slice(2))
      .join('')
      .slice(0, 6_400)
      .repeat(4);
  }

  test('goes on after it was killed in the middle', async () => {
    const backup = join(folder, 'killed');
    const { code } = await run(['backup', backup, '--data', dataDir], {}, (child) => {
      void until(() => existsSync(join(backup, 'log')) && readdirSync(join(backup, 'log')).length > 0).then(() =>
        child.kill('SIGKILL'),
      );
    });
    expect(code).toBeNull();
    const went = await runHere(['backup', backup, '--data', dataDir]);
    expect(went).toMatchObject({ code: 0, out: { position: EVENTS } });
    expect(await runHere(['backup', '--verify', backup])).toMatchObject({ code: 0, out: { events: EVENTS } });
    const there = join(folder, 'killed-restored');
    expect(await runHere(['restore', backup, '--data', there])).toMatchObject({ code: 0, out: { events: EVENTS } });
    expect(readdirSync(there)).toEqual(['events.db']);
    expect(await eventsOf(inFile(there))).toEqual(all);
  });

  test('a part that is damaged, missing or swapped is named, and nothing is restored', async () => {
    const backup = join(folder, 'killed');
    const parts = readdirSync(join(backup, 'log')).sort();
    expect(parts.length).toBeGreaterThan(1);
    const [one = '', other = ''] = parts;
    const harm: readonly [(copy: string) => void, string | RegExp][] = [
      [(copy) => flip(join(copy, 'log', one)), `log/${one}: its content was changed.`],
      [(copy) => rmSync(join(copy, 'log', other)), `log/${other}: it is missing.`],
      [(copy) => writeFileSync(join(copy, 'log', one), ''), `log/${one}: it has 0 bytes`],
      [(copy) => copyFileSync(join(copy, 'log', other), join(copy, 'log', one)), `log/${one}: `],
      [(copy) => forge(copy, (manifest) => manifest.parts.reverse()), 'manifest.json: it was changed'],
      [(copy) => flip(join(copy, 'manifest.json')), /^(?:manifest\.json|log\/[\d-]+\.jsonl\.gz): /],
    ];
    for (const [index, [damage, complaint]] of harm.entries()) {
      const copy = join(folder, `harmed-${index}`);
      cpSync(backup, copy, { recursive: true });
      damage(copy);
      const verified = await runHere(['backup', '--verify', copy]);
      expect(verified).toMatchObject({ code: 1, told: expect.stringMatching(asPattern(complaint)) });
      const there = join(folder, `harmed-there-${index}`);
      expect(await runHere(['restore', copy, '--data', there])).toMatchObject({ code: 1 });
      expect(existsSync(there)).toBe(false);
    }
  });

  test('a manifest that names files elsewhere, and a part that is a link, are refused', async () => {
    const secret = join(folder, 'secret.txt');
    writeFileSync(secret, 'private');
    const copy = join(folder, 'hostile');
    for (const name of ['../../secret.txt', '/etc/passwd', 'log/../../secret.txt', 'secrets/secret.key']) {
      rmSync(copy, { recursive: true, force: true });
      cpSync(join(folder, 'killed'), copy, { recursive: true });
      forge(copy, ({ parts }) => Object.assign(parts[0] as object, { name }));
      const there = join(folder, 'hostile-there');
      for (const command of [
        ['backup', '--verify', copy],
        ['restore', copy, '--data', there],
      ]) {
        const { code, told } = await runHere(command);
        expect({ code, told }).toMatchObject({ code: 1, told: expect.stringContaining('/parts/0/name') });
        expect(told).not.toContain('private');
      }
      expect(existsSync(there)).toBe(false);
    }
    rmSync(copy, { recursive: true });
    cpSync(join(folder, 'killed'), copy, { recursive: true });
    const [part = ''] = readdirSync(join(copy, 'log'));
    rmSync(join(copy, 'log', part));
    symlinkSync(join(folder, 'killed', 'log', part), join(copy, 'log', part));
    expect(await runHere(['backup', '--verify', copy])).toMatchObject({
      code: 1,
      told: expect.stringContaining('ELOOP'),
    });
  });

  test('restores to a time, and refuses one that the backup does not reach, or that is none', async () => {
    const backup = join(folder, 'killed');
    const there = join(folder, 'time');
    // All events are of one second; before it there is nothing.
    const { out } = await runHere(['restore', backup, '--to', '2023-11-14T22:13:20Z', '--data', there]);
    expect(out).toMatchObject({ events: EVENTS });
    for (const [moment, complaint] of [
      ['2023-11-14T22:13:19Z', 'nothing from before that moment'],
      [`@${EVENTS + 1}`, `The backup ends at position ${EVENTS}`],
      ['2999-01-01', `The backup ends at position ${EVENTS}`],
    ] as const) {
      const { code, told } = await runHere(['restore', backup, '--to', moment, '--data', join(folder, 'never')]);
      expect({ code, told }).toEqual({ code: 1, told: expect.stringContaining(complaint) });
    }
    const wrong = await runHere(['restore', backup, '--to', 'yesterday', '--data', join(folder, 'never')]);
    expect(wrong).toMatchObject({ code: 2, told: expect.stringContaining('--to must be UNIX seconds') });
    expect(existsSync(join(folder, 'never'))).toBe(false);
  });

  test('refuses a place that is not empty, another log, and a folder with something else', async () => {
    const backup = join(folder, 'killed');
    const other = join(folder, 'other');
    const log = await openEventStore(inFile(other), composition.registry);
    await log.append(streams.messages, 'any', [{ id: newId(), type: 'message.sent.v1', data: all[0]?.data }]);
    await log.close();
    const before = readFileSync(join(other, 'events.db'));
    for (const [command, complaint, exit = 1] of [
      [['restore', backup, '--data', other], 'is not empty'],
      [['backup', backup, '--data', other], 'the backup of another log'],
      [['backup', other, '--data', dataDir], 'holds something that is no backup'],
      [['backup', join(folder, 'nothing'), '--data', join(folder, 'nowhere')], 'There is no log at'],
      [['restore', join(folder, 'nowhere')], 'nowhere: it is no backup: there is no manifest.json.'],
      [['backup', '--verify', '--with-secrets', backup], '--verify writes nothing', 2],
    ] as const) {
      const { code, told } = await runHere(command);
      expect({ code, told }).toEqual({ code: exit, told: expect.stringContaining(complaint) });
    }
    expect(readFileSync(join(other, 'events.db')).equals(before)).toBe(true);
  });

  test.each(['-wal', '.acknowledged'])('refuses to restore beside the rest of an earlier log: %s', async (end) => {
    const logs = mkdtempSync(join(folder, 'rest-'));
    const file = join(logs, 'events.db');
    writeFileSync(file + end, 'of an earlier log');
    const args = ['restore', join(folder, 'killed'), '--data', join(logs, 'data')];
    const { code, told } = await runHere(args, { EVENT_STORE_URL: `sqlite:${file}` });
    expect({ code, told }).toEqual({
      code: 1,
      told: expect.stringContaining(`${file}${end} is left of an earlier log`),
    });
    expect(readdirSync(logs).sort()).toEqual(['data', `events.db${end}`]);
    expect(readdirSync(join(logs, 'data'))).toEqual([]);
  });

  test('a restore that was killed leaves no log, and is done when it is run again', async () => {
    const there = join(folder, 'restored-again');
    const draft = join(there, 'events.db.restoring');
    await run(['restore', join(folder, 'killed'), '--data', there], {}, (child) => {
      void until(() => existsSync(draft)).then(() => child.kill('SIGKILL'));
    });
    expect(existsSync(join(there, 'events.db'))).toBe(false);
    const elsewhere = await runHere(['restore', join(folder, 'killed'), '--to', '@5', '--data', there]);
    expect(elsewhere).toMatchObject({ code: 1, told: expect.stringContaining('Another restore was begun') });
    const mark = join(there, 'restoring');
    const begun = readFileSync(mark, 'utf8');
    expect(await runHere(['restore', join(folder, 'killed'), '--data', there])).toMatchObject({ code: 0 });
    expect(await eventsOf(inFile(there))).toEqual(all);
    // Killed when the log had its name, before or after that was noted.
    const restLeft = () => readdirSync(there).filter((name) => name.includes('restoring'));
    writeFileSync(mark, begun);
    linkSync(join(there, 'events.db'), draft);
    expect(await runHere(['restore', join(folder, 'killed'), '--data', there])).toMatchObject({ code: 0 });
    expect(restLeft()).toEqual([]);
    writeFileSync(mark, `${begun}The log is in place.\n`);
    expect(await runHere(['restore', join(folder, 'killed'), '--data', there])).toMatchObject({ code: 0 });
    expect(restLeft()).toEqual([]);
    // A log that somebody else has made meanwhile is no part of it.
    writeFileSync(mark, begun);
    const refused = await runHere(['restore', join(folder, 'killed'), '--data', there]);
    expect(refused).toMatchObject({ code: 1, told: expect.stringContaining('There is a log') });
  });

  (canMount() ? test : test.skip)('a full disk is told, and the backup goes on when there is room', async () => {
    const disk = join(folder, 'disk');
    mkdirSync(disk);
    mountSmallDisk(disk);
    try {
      const backup = join(disk, 'backup');
      const filler = join(disk, 'filler');
      writeFileSync(filler, randomBytes(14 * 1024 * 1024));
      const { code, told } = await runHere(['backup', backup, '--data', dataDir]);
      expect({ code, told }).toEqual({ code: 1, told: expect.stringContaining(`no room left in ${backup}`) });
      expect(await runHere(['backup', '--verify', backup])).toMatchObject({
        code: 1,
        told: expect.stringContaining('No backup into this folder has ended yet'),
        out: { complete_at: null, wrong: 1 },
      });
      rmSync(filler);
      expect(await runHere(['backup', backup, '--data', dataDir])).toMatchObject({
        code: 0,
        out: { position: EVENTS },
      });
      expect(await runHere(['backup', '--verify', backup])).toMatchObject({ code: 0, out: { events: EVENTS } });
    } finally {
      execFileSync('umount', [disk]);
    }
  });
});

test('all before a damaged record is backed up, and the record is named each time', async () => {
  const logs = new DamagedLogs();
  await logs.append('events.db', 30, 3);
  const before = await eventsOf(`sqlite:${logs.at('events.db')}`);
  logs.tamper('events.db', 'UPDATE events SET checksum = checksum + 1 WHERE position = 20');
  const backup = join(folder, 'before-damage');
  for (let round = 0; round < 2; round++) {
    const { code, told } = await runHere(['backup', backup, '--data', logs.folder]);
    expect({ code, told }).toEqual({ code: 1, told: expect.stringContaining('record at position 20 is damaged') });
  }
  const there = join(folder, 'before-damage-restored');
  expect(await runHere(['restore', backup, '--data', there])).toMatchObject({ code: 0, out: { position: 19 } });
  expect(await eventsOf(inFile(there))).toEqual(before.slice(0, 19));
  logs.remove();
});

test('events that only a later release knows are backed up and restored as they are, and named', async () => {
  const [dataDir, backup, there] = ['later', 'later-backup', 'later-there'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const log = await openEventStore(inFile(dataDir), AS_STORED);
  const event = (type: string) => ({ id: newId(), type, data: { some: 'thing' } });
  await log.append(streams.messages, 'any', [event('message.sent.v1'), event('message.dreamt.v9')]);
  await log.close();
  for (let round = 0; round < 2; round++) {
    const { code, told } = await runHere(['backup', backup, '--data', dataDir]);
    expect({ code, told }).toEqual({ code: 1, told: expect.stringContaining('the types message.dreamt.v9.') });
  }
  expect(await runHere(['backup', '--verify', backup])).toMatchObject({ code: 1, out: { events: 2 } });
  const restored = await runHere(['restore', backup, '--data', there]);
  expect(restored).toMatchObject({ code: 0, told: expect.stringContaining('message.dreamt.v9'), out: { events: 2 } });
  expect(await eventsOf(inFile(there))).toEqual(await eventsOf(inFile(dataDir)));
});

test('a log on a server is backed up, goes on, and is restored to another server and to a file', async () => {
  const [there, another] = [await EventStoreDbStandIn.start(), await EventStoreDbStandIn.start()];
  const files = await openFileStorage(join(folder, 'server-data'));
  const backup = join(folder, 'server');
  const environment = {
    EVENT_STORE_URL: there.url,
    DATA_DIR: join(folder, 'server-data'),
    SECRET_KEY: 'x'.repeat(32),
    ...files.environment,
  };
  const send = async (count: number) => {
    const log = await openEventStore(there.url, composition.registry);
    const data = { senderId: 4, channelId: 1, topic: 'x', content: 'soup', client: 't', at: 1 };
    for (let sent = 0; sent < count; sent++)
      await log.append(streams.messages, 'any', [
        { id: newId(), type: 'message.sent.v1', data, metadata: { n: sent } },
      ]);
    await log.close();
  };
  await send(20);
  expect(await runHere(['backup', backup, '--with-secrets'], environment)).toMatchObject({
    code: 0,
    out: { events: 20 },
  });
  await send(3);
  expect(await runHere(['backup', backup], environment)).toMatchObject({ code: 0, out: { events: 3 } });
  const all = await eventsOf(there.url, false);

  const target = { EVENT_STORE_URL: another.url, DATA_DIR: join(folder, 'server-restored') };
  expect(await runHere(['restore', backup], target)).toMatchObject({ code: 0, out: { events: 23 } });
  expect(await eventsOf(another.url, false)).toEqual(all);
  expect(readFileSync(join(target.DATA_DIR, 'secret.key'), 'utf8')).toBe('x'.repeat(32));
  const twice = await runHere(['restore', backup], target);
  expect(twice).toMatchObject({ code: 1, told: expect.stringContaining('has events already') });

  const inOne = join(folder, 'server-in-file');
  expect(await runHere(['restore', backup, '--data', inOne])).toMatchObject({ code: 0, out: { events: 23 } });
  expect(await eventsOf(inFile(inOne), false)).toEqual(all);
  await Promise.all([there.stop(), another.stop(), files.stop()]);
});

function flip(path: string): void {
  const content = readFileSync(path);
  const at = Math.floor(content.length / 2);
  content[at] = (content[at] ?? 0) ^ 1;
  writeFileSync(path, content);
}

function forge(backup: string, change: (manifest: { parts: unknown[] }) => void): void {
  const path = join(backup, 'manifest.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as { parts: unknown[] };
  change(manifest);
  writeFileSync(path, JSON.stringify(manifest));
}

function asPattern(complaint: string | RegExp): RegExp {
  return typeof complaint === 'string' ? new RegExp(complaint.replaceAll('.', '\\.')) : complaint;
}
