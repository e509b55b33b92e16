/** Commands for the running server, and the operator's access to it. */
import { execFile } from 'node:child_process';
import { copyFileSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { fetch, until } from '#testing';
import { runCommand } from '../../apps/cli/src/command-line.js';
import type { ApiClient } from '../support/client.js';
import { build, ServerProcess } from '../support/process.js';
import { startTestServer, type TestServer } from '../support/server.js';

const ROOT = resolve(__dirname, '../..');
const OWNER = 100;

let server: TestServer;
let second: ApiClient;

beforeAll(async () => {
  build();
  server = await startTestServer();
  second = await server.user('Second Owner');
  await server.owner.ok('PATCH', `/users/${second.userId}`, { role: OWNER });
  const { user_id } = await server.owner.ok('GET', '/users/me');
  await second.ok('DELETE', `/users/${user_id}`);
});
afterAll(() => server.stop());

function scrollback(...args: string[]) {
  return scrollbackWith({}, ...args);
}

async function scrollbackWith(environment: Record<string, string>, ...args: string[]) {
  let [out, told] = ['', ''];
  const code = await runCommand([...args, '--data', server.dataDir], {
    environment: { ...server.storeSettings, ...environment },
    print: (line) => void (out += line),
    tell: (line) => void (told += line),
    onInterrupt: () => undefined,
  });
  return { code, out, told };
}

test("the operator's token serves whatever becomes of the owners, and a running server takes a new one", async () => {
  expect(await scrollback('status', '--site', server.url)).toMatchObject({ code: 0, told: '' });
  const zuliprc = join(server.dataDir, 'owner.zuliprc');
  const deactivated = await scrollback('status', '--credentials', zuliprc, '--site', server.url);
  expect(deactivated).toMatchObject({ code: 1, told: 'Account is deactivated' });
  const token = join(server.dataDir, 'operator.token');
  const former = join(server.dataDir, 'former.token');
  copyFileSync(token, former);
  expect(await scrollback('operator-token', 'rotate')).toEqual({
    code: 0,
    out: `${token} holds a new token.`,
    told: '',
  });
  expect(statSync(token).mode & 0o777).toBe(0o600);
  expect(await scrollback('rebuild', 'messages', '--site', server.url)).toMatchObject({ code: 0, told: '' });
  expect(await scrollbackWith({ OPERATOR_TOKEN_FILE: former }, 'status', '--site', server.url)).toEqual({
    code: 1,
    out: '',
    told: 'Invalid operator token',
  });
});

test('the key of any owner serves as well, and the machine of the data can write it', async () => {
  const file = join(server.dataDir, 'second.zuliprc');
  const written = await scrollback('credentials', file, second.email, '--site', server.url);
  expect(written).toEqual({ code: 0, told: '', out: `${file} holds the key of ${second.email}.` });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).toContain(`key=${second.apiKey}\nsite=${server.url}\n`);
  const { code, out } = await scrollback('status', '--json', '--credentials', file);
  expect({ code, state: JSON.parse(out).state }).toEqual({ code: 0, state: 'live' });
  for (const words of [['status'], ['projections', 'show', 'messages']]) {
    const lines: string[] = [];
    await runCommand([...words, '--json', '--credentials', file], {
      environment: server.storeSettings,
      print: (line) => void lines.push(line),
      tell: (line) => void lines.push(line),
      onInterrupt: () => undefined,
    });
    expect([words, lines.length, lines[0]?.includes('\n')]).toEqual([words, 1, false]);
    expect(JSON.parse(lines[0] ?? '')).not.toHaveProperty('result');
  }
  expect(await scrollback('rebuild', 'messages', '--credentials', file)).toMatchObject({ code: 0, told: '' });
});

test('no credentials are written over a file, for who is no active owner, or without the secret', async () => {
  const [file, other] = [join(server.dataDir, 'one.zuliprc'), join(server.dataDir, 'two.zuliprc')];
  expect(await scrollback('credentials', file)).toMatchObject({ code: 0, out: expect.stringContaining(second.email) });
  expect(await scrollback('credentials', file)).toEqual({ code: 1, out: '', told: `${file} exists already.` });
  const deactivated = await scrollback('credentials', other, server.owner.email);
  expect(deactivated).toMatchObject({ code: 1, told: expect.stringContaining('is no active owner') });
  const elsewhere = await scrollback('status', '--credentials', other);
  expect(elsewhere).toMatchObject({ code: 1, told: expect.stringMatching(/^There is no .*two\.zuliprc\./) });
});

test('the next start writes owner.zuliprc for an owner who is active', async () => {
  await server.restart();
  const zuliprc = readFileSync(join(server.dataDir, 'owner.zuliprc'), 'utf8');
  expect(zuliprc).toContain(`email=${second.email}\nkey=${second.apiKey}\n`);
  expect(await scrollback('status')).toMatchObject({ code: 0, told: '' });
});

test('a new password goes into a file where there is no terminal, and into no journal', async () => {
  const started = new ServerProcess('api', { OWNER_PASSWORD: '', LOG_LEVEL: 'trace' });
  try {
    await started.start();
    const path = join(started.dataDir, 'owner.password');
    await until(() => started.output.includes(path));
    const password = readFileSync(path, 'utf8').trim();
    expect([statSync(path).mode & 0o777, password.length]).toEqual([0o600, 24]);
    const body = new URLSearchParams({ username: 'olive@example.test', password });
    expect((await fetch(`${started.url}/api/v1/fetch_api_key`, { method: 'POST', body })).status).toBe(200);
    expect(started.output).not.toContain(password);
    expect(started.output).not.toContain(readFileSync(join(started.dataDir, 'operator.token'), 'utf8').trim());
  } finally {
    await started.discard();
  }
});

test('every program tells its version', async () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  expect(await scrollback('--version')).toEqual({ code: 0, out: version, told: '' });
  const environment = { PATH: process.env['PATH'], DATA_DIR: join(server.dataDir, 'none'), SCROLLBACK_APP: ROOT };
  const versionOf = async (command: readonly [string, ...string[]]): Promise<string> => {
    const [program, ...args] = [...command, '--version'] as const;
    return (await promisify(execFile)(program, args, { cwd: ROOT, env: environment })).stdout;
  };
  // Without a name it is the command line; `npm start` is the last one.
  const script = 'deploy/scrollback';
  const commands = [[script], [script, 'api'], [script, 'projector'], [process.execPath, 'tools/start.mjs']] as const;
  // Not waiting in this process, in which the server's heartbeat would stop.
  const told = await Promise.all(commands.map(versionOf));
  expect(told).toEqual(commands.map(() => `${version}\n`));
});

test('all projections are rebuilt by one command, some by their names, and a dry run changes nothing', async () => {
  type Line = { readonly name: string; readonly failure?: unknown };
  const linesOf = (out: string): readonly Line[] => out.split(/(?<=\})(?=\{)/).map((line) => JSON.parse(line) as Line);
  const planned = linesOf((await scrollback('rebuild', '--all', '--dry-run', '--json')).out);
  const plan = { name: 'messages', head: expect.any(Number), running: false };
  expect(planned).toEqual(expect.arrayContaining([plan, { ...plan, name: 'due_timers' }]));
  expect((await scrollback('rebuild', 'messages', '--dry-run')).out).toMatch(/^WOULD REBUILD .*messages +\d+ +no$/);
  const { code, out, told } = await scrollback('rebuild', '--all', '--json');
  expect(told).toBe('');
  const rebuilt = linesOf(out);
  expect({ code, names: rebuilt.map(({ name }) => name) }).toEqual({ code: 0, names: planned.map(({ name }) => name) });
  expect(rebuilt.filter(({ failure }) => failure !== undefined)).toEqual([]);
  expect(JSON.parse((await scrollback('projections', 'show', 'drafts')).out)).toMatchObject({
    name: 'drafts',
    lagEvents: 0,
  });
  expect(await scrollback('projections', 'show', 'nothing')).toMatchObject({
    code: 1,
    told: "There is no projection 'nothing'.",
  });
  expect(await scrollback('projections', 'diff', 'messages')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^messages is equal at position \d+: \d+ documents\.$/),
  });
  expect(await scrollback('projections', 'diff', 'nothing')).toMatchObject({ code: 1 });
  expect(await scrollback('projections', 'diff', 'messages')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^messages is equal at position \d+: \d+ documents\.$/),
  });
  expect(await scrollback('projections', 'diff', 'nothing')).toMatchObject({ code: 1 });
  expect(await scrollback('projections', 'undo', 'messages')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^messages is live at position \d+ as it was built before 2.*Z\./),
  });
  expect(await scrollback('projections', 'undo', 'nothing')).toMatchObject({ code: 1 });
  const two = await scrollback('rebuild', 'messages', 'drafts');
  expect([two.code, two.out.match(/(?:messages|drafts) +\d+ +\d+\.\d +\d+ +yes/g)?.length]).toEqual([0, 2]);
  expect(await scrollback('rebuild', 'messages', 'nothing')).toMatchObject({
    code: 1,
    told: expect.stringContaining('nothing'),
  });
  expect(await scrollback('rebuild')).toMatchObject({ code: 2, told: expect.stringContaining('--all') });
  expect(await scrollback('rebuild', '--cancel')).toMatchObject({ code: 0, out: 'No rebuild was going on.' });
  expect(await scrollback('rebuild', '--cancel', '--json')).toMatchObject({ code: 0, out: '' });
});
