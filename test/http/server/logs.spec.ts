import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { progressData } from '#runtime';
import { ApiClient } from '../../support/client.js';
import { startTestServer, type TestServer } from '../../support/server.js';

const ROOT = resolve(__dirname, '../../..');

type Line = Readonly<Record<string, unknown>>;

let server: TestServer;
const lines: Line[] = [];
const requests = (): Line[] => lines.filter(({ msg }) => msg === 'request');

beforeAll(async () => {
  server = await startTestServer({ RATE_LIMITS: 'on', LOG_ADDRESSES: 'short' }, (line) =>
    lines.push(JSON.parse(line) as Line),
  );
});
afterAll(() => server.stop());

/** Names in the first column of the table of fields, and of others in its cells. */
function documented(): Set<string> {
  const page = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
  const table = /^\| Field .*?(?=\n\n)/ms.exec(page)?.[0] ?? '';
  return new Set(Array.from(table.matchAll(/`(\w+)`/g), ([, name = '']) => name));
}

test('a line of a request has the documented fields, its time in ISO, its level in words, and no more of an address than it may', async () => {
  await server.owner.as('ZulipTerminal/0.7.0 (Linux; 6.1)').ok('GET', '/users/me');
  const line = requests().at(-1);
  expect(line).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    msg: 'request',
    method: 'GET',
    route: '/api/v1/users/me',
    status: 200,
    ms: expect.any(Number),
    bytes: expect.any(Number),
    requestId: expect.any(String),
    userId: expect.any(Number),
    client: 'ZulipTerminal',
    address: '127.0.0.0',
  });
  const answer = await server.owner.call('GET', '/users/me');
  const written = Number(requests().at(-1)?.['bytes']);
  expect(written).toBeGreaterThan(Buffer.byteLength(answer.text));
  expect(written).toBeLessThan(Buffer.byteLength(answer.text) + 2_000);
});

test('a client that repeats what a limit of calls refuses is one line, and no line names what it sends', async () => {
  const stranger = new ApiClient(() => server.url, 'nobody@example.test', 'wrong key of somebody');
  const before = lines.length;
  for (let n = 0; n < 150; n++) await stranger.call('GET', '/users/me', { secret: 'a parameter' });
  const added = lines.slice(before);
  expect(added.filter(({ status }) => status === 429)).toHaveLength(1);
  expect(added.length).toBeLessThan(5);
  expect(JSON.stringify(lines)).not.toMatch(/nobody@example|wrong key|a parameter|127\.0\.0\.1/);
});

test('every field of every line is in the table', async () => {
  await server.owner.call('POST', '/operator/projections/messages/rebuild');
  await server.restart();
  expect(lines.length).toBeGreaterThan(10);
  const fields = new Set(lines.flatMap((line) => Object.keys(line)));
  expect([...fields].filter((field) => !documented().has(field))).toEqual([]);
});

/** Literal fields of the calls that write lines. */
function writtenFields(): string[] {
  const sources = ['apps', 'libs'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !/\.(?:spec|fixture|contract)\.ts$/.test(path))
      .map((path) => readFileSync(join(ROOT, folder, path), 'utf8')),
  );
  return sources.flatMap((source) =>
    Array.from(source.matchAll(/logger\.(?:fatal|error|warn|info|debug)\(\s*\{([^}]*)\}/g), ([, literal = '']) =>
      literal.split(',').map((part) => part.split(':')[0]?.trim() ?? ''),
    ).flat(),
  );
}

test('every field that the code names is in the table', () => {
  const names = writtenFields().filter((name) => name !== '' && !name.startsWith('...'));
  expect(names.length).toBeGreaterThan(20);
  const reading = { events: 1, position: 1, head: 2, elapsedMs: 1, eventsPerSecond: 1, secondsLeft: 1 };
  const ofStarts = Object.keys(progressData(reading));
  expect([...names, ...ofStarts].filter((name) => !documented().has(name))).toEqual([]);
});

test.each([
  ['full', '127.0.0.1'],
  ['none', undefined],
])('LOG_ADDRESSES=%s', async (how, address) => {
  const own: Line[] = [];
  const other = await startTestServer({ LOG_ADDRESSES: how }, (line) => own.push(JSON.parse(line) as Line));
  await other.owner.ok('GET', '/users/me');
  expect(own.findLast(({ msg }) => msg === 'request')?.['address']).toBe(address);
  await other.stop();
});
