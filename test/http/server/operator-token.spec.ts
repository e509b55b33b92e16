/** The operator's token: independent of people, for the operator's routes alone. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { rotateOperatorToken } from '#runtime';
import { fetch } from '#testing';
import { startTestServer, type TestServer } from '../../support/server.js';

let server: TestServer;
const lines: string[] = [];

beforeAll(async () => {
  server = await startTestServer({ RATE_LIMITS: 'on' }, (line) => void lines.push(line));
});
afterAll(() => server.stop());

const file = (): string => join(server.dataDir, 'operator.token');
const token = (): string => readFileSync(file(), 'utf8').trim();

async function ask(authorization: string, path = '/operator/projections', method = 'GET') {
  const response = await fetch(`${server.url}/api/v1${path}`, { method, headers: { authorization } });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

test('the first start writes it for the owner of the files alone', () => {
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  expect(token()).toMatch(/^[\w-]{43}$/);
});

test("it opens the operator's routes and no others, and an owner's key opens them as well", async () => {
  expect(await ask(`Bearer ${token()}`)).toMatchObject({ status: 200, body: { result: 'success', state: 'live' } });
  expect(await ask(`bearer  ${token()}`)).toMatchObject({ status: 200 });
  await server.owner.ok('GET', '/operator/projections');
  for (const path of ['/users/me', '/users', '/messages', '/events'])
    expect([path, await ask(`Bearer ${token()}`, path)]).toMatchObject([path, { status: 400 }]);
});

test('a wrong one is refused, whoever it resembles, and a new one counts without a restart', async () => {
  const former = token();
  for (const wrong of ['x', former.slice(1), `${former}x`, server.owner.apiKey])
    expect(await ask(`Bearer ${wrong}`)).toMatchObject({
      status: 401,
      body: { result: 'error', code: 'INVALID_API_KEY', msg: 'Invalid operator token' },
    });
  rotateOperatorToken(file());
  expect(await ask(`Bearer ${former}`)).toMatchObject({ status: 401 });
  expect(await ask(`Bearer ${token()}`)).toMatchObject({ status: 200 });
});

test('it serves on when the organization is deactivated, and over a restart', async () => {
  const before = token();
  const other = await server.user();
  await server.owner.ok('PATCH', `/users/${other.userId}`, { role: 100 });
  await server.restart();
  expect(token()).toBe(before);
  await server.owner.ok('POST', '/realm/deactivate', { deletion_delay_days: 'null' });
  expect((await server.owner.call('GET', '/operator/projections')).status).toBe(401);
  expect(await ask(`Bearer ${token()}`)).toMatchObject({ status: 200 });
});

test('guesses are limited by address, and the right one passes nevertheless', async () => {
  let last = 0;
  for (let guess = 0; guess < 101; guess++) last = (await ask('Bearer guess')).status;
  expect(last).toBe(429);
  for (let call = 0; call < 250; call++) last = (await ask(`Bearer ${token()}`)).status;
  expect(last).toBe(200);
});

test('no log line has it, and the lines say who asked', () => {
  const log = lines.join('\n');
  expect(log).not.toContain(token());
  expect(log).toContain('"userId":"operator"');
});
