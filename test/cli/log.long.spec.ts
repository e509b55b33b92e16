import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openEventStore, streams } from '#event-store';
import { newId } from '#kernel';
import { scrollback as composition } from '#runtime';
import { runCommand } from '../../apps/cli/src/command-line.js';
import { tamperWithLog } from '../../libs/engine/event-store/src/sqlite/tamper.fixture.js';
import { EventStoreDbStandIn } from '../eventstoredb/index.js';
import { audited, letAudit } from '../support/audit.js';
import { build } from '../support/process.js';
import { startTestServer } from '../support/server.js';

const ROOT = resolve(__dirname, '../..');

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly told: string;
}

let folder: string;
let server: EventStoreDbStandIn;

beforeAll(build);

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cli-'));
  server = await EventStoreDbStandIn.start();
});

afterEach(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** Runs the command line in this process, which saves the second that a process takes to start. */
async function scrollback(args: readonly string[], environment: Record<string, string> = {}): Promise<Ended> {
  let out = '';
  let told = '';
  const code = await runCommand(args, {
    environment: { DATA_DIR: folder, ...environment },
    print: (line) => void (out += `${line}\n`),
    tell: (line) => void (told += `${line}\n`),
    onInterrupt: () => undefined,
  });
  return { code, out, told };
}

/** Runs the command line as a separate process, to its end. */
function scrollbackProcess(
  args: readonly string[],
  environment: Record<string, string> = {},
  onTold: (told: string, child: ChildProcess) => void = () => undefined,
): Promise<Ended> {
  const child = spawn(process.execPath, ['dist/bin/cli.js', ...args], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], DATA_DIR: folder, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let told = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => {
    told += chunk.toString();
    onTold(told, child);
  });
  return new Promise((ended) => child.once('close', (code) => ended({ code, out, told })));
}

/** Events appended at once. */
const APPENDED_MAX = 1_000;

const issued = (generation: number) => ({
  id: newId(),
  type: 'user.api-key-issued.v1',
  data: { userId: 4, generation, hash: 'h', at: 1 },
});

async function fill(address: string, count: number): Promise<void> {
  const store = await openEventStore(address, composition.registry);
  for (let done = 0; done < count; done += APPENDED_MAX) {
    const events = Array.from({ length: Math.min(APPENDED_MAX, count - done) }, (_, index) => issued(done + index + 1));
    await store.append('1.organization', 'any', events);
  }
  await store.close();
}

const generations = ({ out }: Ended): unknown[] =>
  out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { data: { generation: number } }).data.generation);

test('a log on a server is read, by stream and whole', async () => {
  await fill(server.url, 3);
  const environment = { EVENT_STORE_URL: server.url };
  expect(generations(await scrollbackProcess(['log'], environment))).toEqual([1, 2, 3]);
  expect(generations(await scrollback(['log', '1.organization'], environment))).toEqual([1, 2, 3]);
  const nothing = await scrollback(['log', '1.nothing'], environment);
  expect(nothing).toMatchObject({ code: 1, out: '', told: 'The log has no stream 1.nothing.\n' });
});

test('the history of a message has its deletion with a whole topic, recorded in the stream of the first of them', async () => {
  const place = { channelId: 1, topic: 'lunch' };
  const sent = { senderId: 4, ...place, content: 'soup', rendered: '<p>soup</p>', client: 'test', at: 1 };
  const store = await openEventStore(`sqlite:${join(folder, 'events.db')}`, composition.registry);
  const sends = Array.from({ length: 4 }, () => ({ id: newId(), type: 'message.sent.v1', data: sent }));
  await store.append(streams.messages, 'any', sends);
  const deletion = { ids: [[1, 1], [3, 4]], by: 4, place, at: 2 }; // prettier-ignore
  await store.append(streams.message(1), 'any', [{ id: newId(), type: 'messages.deleted.v1', data: deletion }]);
  await store.close();
  const typesOf = ({ out }: Ended): unknown[] => out.match(/"type":"[^"]+/g) ?? [];
  for (const id of ['1', '3', '4'])
    expect(typesOf(await scrollback(['history', id]))).toEqual([
      '"type":"message.sent.v1',
      '"type":"messages.deleted.v1',
    ]);
  expect(typesOf(await scrollback(['history', '2']))).toEqual(['"type":"message.sent.v1']);
});

test('what is whole of a damaged log is printed, and what is not is named, with an exit code of its own', async () => {
  const address = `sqlite:${join(folder, 'events.db')}`;
  const sent = { senderId: 4, channelId: 1, topic: 'lunch', rendered: '<p>soup</p>', client: 'test', at: 1 };
  const store = await openEventStore(address, composition.registry);
  const sends = ['soup', 'bread', 'cheese'].map((content) => ({
    id: newId(),
    type: 'message.sent.v1',
    data: { ...sent, content },
  }));
  await store.append(streams.messages, 'any', sends);
  await store.append('1.user-4', 'any', [issued(1)]);
  await store.close();
  const damaging = "UPDATE events SET data = replace(data, 'bread', 'bride') WHERE position = 2";
  tamperWithLog(join(folder, 'events.db'), damaging);
  const told = 'Position 2 (1.messages, revision 1): its checksum does not fit its content.\n';
  const ends = (code: number, lines: number) => ({ code, out: expect.stringMatching(`^(?:.*\n){${lines}}$`), told });
  expect(await scrollback(['log'])).toEqual(ends(3, 3));
  expect(await scrollback(['log', '1.messages'])).toEqual(ends(3, 2));
  expect(await scrollback(['log', '1.user-4'])).toEqual({ ...ends(0, 1), told: '' });
  expect(await scrollback(['history', '3'])).toEqual(ends(3, 1));
  expect(await scrollback(['verify'])).toEqual({ code: 3, out: '{"events":3,"head":4,"damaged":1}\n', told });
});

test('on a server as well: verify, log, history and export go on behind a damaged record, and name it; audits of others go on', async () => {
  const environment = { EVENT_STORE_URL: server.url, SECRET_KEY: 'a secret that the commands share with the server' };
  const running = await startTestServer(environment);
  try {
    await running.owner.send('general', 'lunch', 'soup');
    const bread = await running.owner.send('general', 'lunch', 'bread');
    await running.owner.send('general', 'lunch', 'cheese');
    const auditor = await running.user();
    await letAudit(running.owner, auditor);
    // Of the right length, and with data that do not fit.
    server.tamper('"content":"bread"', '"cantent":"bread"');
    const where = /^Position \d+ \(1\.messages, revision 1\): The data of message\.sent\.v1 do not fit/m;
    const named = { code: 3, told: expect.stringMatching(where) };
    const log = await scrollback(['log'], environment);
    expect(log).toMatchObject(named);
    for (const content of ['soup', 'cheese']) expect(log.out).toContain(content);
    expect(log.out + log.told).not.toContain('bread');
    expect(await scrollback(['log', streams.messages], environment)).toMatchObject(named);
    expect(await scrollback(['history', String(bread)], environment)).toMatchObject({ code: 3 });
    expect((await scrollback(['history', String(bread + 1)], environment)).out).toContain('cheese');
    const verified = await scrollback(['verify'], environment);
    expect(verified).toMatchObject(named);
    expect(JSON.parse(verified.out)).toMatchObject({ damaged: 1 });
    const archive = join(folder, 'damaged.zip');
    const exported = await scrollback(['export', archive, '--data', running.dataDir], environment);
    expect(exported).toMatchObject(named);
    expect(JSON.parse(exported.out)).toMatchObject({ damaged: 1 });
    // An answer that needs the record says so, one that does not is whole, and the status names the record.
    expect(await audited(auditor, `messages/${bread}`)).toEqual([expect.objectContaining({ type: 'damaged' })]);
    expect(await audited(auditor, `messages/${bread + 1}`)).not.toContainEqual(
      expect.objectContaining({ type: 'damaged' }),
    );
    const { logDamages } = await running.owner.ok('GET', '/operator/projections');
    expect(logDamages).toEqual([expect.objectContaining({ position: expect.any(Number) })]);
    expect(JSON.stringify(logDamages)).not.toContain('bread');
  } finally {
    await running.stop();
  }
});

test('a log on a server is verified', async () => {
  await fill(server.url, 3);
  const { code, out } = await scrollback(['verify'], { EVENT_STORE_URL: server.url });
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ events: 3 });
});

test('what is wrong with the address is told in a sentence, and no password with it', async () => {
  await server.stop();
  const away = await scrollback(['verify'], { EVENT_STORE_URL: server.urlAs('admin', 'opensesame') });
  expect(away).toMatchObject({ code: 1, out: '' });
  expect(away.told).toMatch(/^The event store at 127\.0\.0\.1:\d+ is not available: .*\n$/);
  const wrong = await scrollbackProcess(['log'], { EVENT_STORE_URL: 'esdb://admin:opensesame@node?colour=red' });
  expect(wrong).toMatchObject({ code: 1, out: '' });
  expect(wrong.told).toMatch(/^EVENT_STORE_URL: .*colour.*\n$/);
  expect(away.told + wrong.told).not.toContain('opensesame');
});

test('help is printed on request, and a wrong call is told in a sentence', async () => {
  for (const args of [['help'], ['--help'], ['unknown', '-h']])
    expect(await scrollback(args)).toMatchObject({ code: 0, out: expect.stringContaining('scrollback verify') });
  for (const args of [
    ['log', '-h'],
    ['help', 'log'],
  ])
    expect(await scrollback(args)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^ {2}scrollback log \[STREAM\] /),
    });
  expect(await scrollback([])).toMatchObject({ code: 2, told: expect.stringContaining('scrollback verify') });
  const wrong: [string[], string][] = [
    [['verfy'], "There is no command 'verfy'."],
    [['history'], 'history needs MESSAGE_ID.'],
    [['history', 'abc'], 'MESSAGE_ID must be a whole number.'],
    [['copy-log', 'sqlite:a'], 'copy-log needs TO.'],
    [['rebuild', ''], 'rebuild needs PROJECTION.'],
    [['verify', 'events.db'], "verify has an argument too many: 'events.db'."],
  ];
  for (const [args, told] of wrong)
    expect(await scrollback(args)).toEqual({
      code: 2,
      out: '',
      told: `${told} The option --help lists all commands.\n`,
    });
});

test('a log that cannot be opened, or files that are not there, are named', async () => {
  mkdirSync(join(folder, 'events.db'));
  const told = `${join(folder, 'events.db')} cannot be opened. Check that it is a file that this user may read and write.\n`;
  expect(await scrollback(['verify'])).toEqual({ code: 1, out: '', told });
  const mistyped = join(folder, 'upload');
  const environment = { EVENT_STORE_URL: server.url, UPLOADS_URL: `file:${mistyped}` };
  expect(await scrollback(['verify'], environment)).toEqual({
    code: 1,
    out: '',
    told: `There is no folder ${mistyped}.\n`,
  });
  expect(existsSync(mistyped)).toBe(false);
});

const onFullDisk = existsSync('/dev/full') ? test : test.skip;

onFullDisk('an output that cannot be written is told in a sentence', async () => {
  const full = openSync('/dev/full', 'w');
  try {
    const child = spawn(process.execPath, ['dist/bin/cli.js', 'help'], { cwd: ROOT, stdio: ['ignore', full, 'pipe'] });
    let told = '';
    child.stderr?.on('data', (chunk: Buffer) => (told += chunk.toString()));
    const code = await new Promise((ended) => child.once('close', ended));
    expect([code, told]).toEqual([1, 'The output cannot be written: ENOSPC: no space left on device, write.\n']);
  } finally {
    closeSync(full);
  }
});

describe('copy-log', () => {
  const EVENTS = 10_000;
  const at = (name: string): string => `sqlite:${join(folder, name)}`;

  test('goes from a file to a server and back, and goes on with what came later', async () => {
    await fill(at('events.db'), 3);
    const environment = { THERE: server.url };
    const there = await scrollback(['copy-log', at('events.db'), 'env:THERE'], environment);
    expect(there).toMatchObject({ code: 0, out: '{"found":0,"copied":3}\n' });
    expect(there.told).toContain('0 events were there, 3 copied');
    await fill(server.url, 2);
    const back = await scrollback(['copy-log', 'env:THERE', at('events.db')], environment);
    expect(back).toMatchObject({ code: 0, out: '{"found":3,"copied":2}\n' });
    expect(generations(await scrollback(['log']))).toEqual([1, 2, 3, 1, 2]);
    expect(await scrollback(['verify'])).toMatchObject({ code: 0, out: '{"events":5,"head":5}\n' });
  });

  test('reads a log that a server is writing, up to where it is, and refuses to write to one', async () => {
    await fill(at('events.db'), 3);
    const running = await openEventStore(at('events.db'), composition.registry);
    await running.append('1.organization', 'any', [issued(4)]);
    const outwards = await scrollback(['copy-log', at('events.db'), at('copy.db')]);
    expect(outwards).toMatchObject({ code: 0, out: '{"found":0,"copied":4}\n' });
    await running.append('1.organization', 'any', [issued(5)]);
    const again = await scrollback(['copy-log', at('events.db'), at('copy.db')]);
    expect(again).toMatchObject({ code: 0, out: '{"found":4,"copied":1}\n' });
    const { code, out, told } = await scrollback(['copy-log', server.url, at('events.db')]);
    await running.close();
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(told).toContain('Another server is already writing');
  });

  test('refuses to copy a log that ends before what was acknowledged', async () => {
    await fill(at('events.db'), 3);
    const acknowledged = join(folder, 'events.db.acknowledged');
    await fill(at('longer.db'), 4);
    copyFileSync(join(folder, 'longer.db.acknowledged'), acknowledged);
    const { code, told } = await scrollback(['copy-log', at('events.db'), at('copy.db')]);
    expect({ code, told }).toEqual({
      code: 1,
      told: expect.stringContaining('events up to position 4 were acknowledged'),
    });
  });

  test('refuses a target that holds something else, and what is no log', async () => {
    await fill(at('events.db'), 2);
    await fill(at('other.db'), 1);
    expect(await scrollback(['copy-log', at('events.db'), at('other.db')])).toMatchObject({
      code: 1,
      told: expect.stringContaining('not a copy of this log'),
    });
    for (const [from, to, complaint] of [
      [at('nowhere.db'), at('copy.db'), 'There is no log at'],
      [at('events.db'), at('events.db'), 'one and the same log'],
      [at('events.db'), 'copy.db', 'The log to copy to: '],
      ['env:NOWHERE', at('copy.db'), 'The environment has no NOWHERE.'],
    ] as const) {
      const { code, out, told } = await scrollback(['copy-log', from, to]);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(told).toContain(complaint);
    }
    expect(await scrollback(['copy-log', at('events.db')])).toMatchObject({ code: 2 });
  });

  test('stops when it is told to, and goes on from there', async () => {
    // The command is far from done when the signal arrives, however late that is.
    await fill(at('events.db'), EVENTS);
    server.faults.delayAppends(800);
    const command = ['copy-log', at('events.db'), 'env:THERE'];
    const environment = { THERE: server.url };
    const ended = await scrollbackProcess(command, environment, (told, child) => {
      // A second signal ends it at once.
      if (!child.killed && / [1-9]\d* copied/.test(told)) child.kill('SIGTERM');
    });
    expect(ended).toMatchObject({ code: 130, out: '' });
    expect(ended.told).toContain('The same command goes on from here.');
    server.faults.heal();
    const { out } = await scrollback(command, environment);
    const { found, copied } = JSON.parse(out) as { found: number; copied: number };
    expect(found).toBeGreaterThan(0);
    expect(copied).toBeGreaterThan(0);
    expect(found + copied).toBe(EVENTS);
  });
});
