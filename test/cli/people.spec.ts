/** Commands about people, groups and queues, on a running server. */
import { runCommand } from '../../apps/cli/src/command-line.js';
import { fetch } from '#testing';
import type { ApiClient } from '../support/client.js';
import { startTestServer, type TestServer } from '../support/server.js';

let server: TestServer;
let ann: ApiClient;

beforeAll(async () => {
  server = await startTestServer();
  ann = await server.user('Ann Archer');
});
afterAll(() => server.stop());

async function scrollback(...args: string[]) {
  const [out, told]: [string[], string[]] = [[], []];
  const code = await runCommand([...args, '--data', server.dataDir], {
    environment: {},
    print: (line) => void out.push(line),
    tell: (line) => void told.push(line),
    onInterrupt: () => undefined,
  });
  return { code, out, told };
}

test('accounts are a table, or JSON lines', async () => {
  const { code, out } = await scrollback('users', 'list');
  expect(code).toBe(0);
  expect(out[0]).toMatch(/^ID +NAME +E-MAIL +ROLE +ACTIVE +BOT +JOINED$/);
  expect(out[2]).toMatch(/^\d+ +Ann Archer +ann\.archer@example\.test +member +yes +no +\d{4}-\d\d-\d\dT[\d:]{8}Z$/);
  const json = await scrollback('users', 'list', '--json');
  expect(json.out.map((line) => JSON.parse(line).email)).toEqual(['olive@example.test', ann.email]);
  expect((await scrollback('users', 'show', ann.email, '--json')).out).toEqual([json.out[1]]);
});

test('a person is promoted, gets a link for a password, and is deactivated', async () => {
  expect(await scrollback('users', 'role', ann.email, 'administrator')).toEqual({
    code: 0,
    out: [`${ann.email} has the role administrator.`],
    told: [],
  });
  const { out } = await scrollback('users', 'reset-password', ann.email);
  expect((await fetch(out[0] ?? '')).status).toBe(200);
  expect((await scrollback('users', 'reset-password', ann.email, '--mail')).out).toEqual([
    `A mail to ${ann.email} has the link.`,
  ]);
  expect((await scrollback('users', 'invite', 'new@example.test', '--role', 'guest')).out).toEqual(['Invited: 1.']);
  expect(await scrollback('users', 'deactivate', ann.email, '--comment', 'Bye.')).toMatchObject({ code: 0 });
  expect((await ann.call('GET', '/users/me')).status).toBe(401);
});

test('groups and queues are tables', async () => {
  await server.owner.ok('POST', '/register', { event_types: ['message'] });
  expect((await scrollback('groups')).out.join('\n')).toMatch(/ role:owners +yes +no +- /);
  const { out } = await scrollback('queues');
  expect(out[0]).toMatch(/^QUEUE +USER +NAME +HELD +IDLE +LIFESPAN +BEHIND$/);
  expect(out.at(-1)).toMatch(/^\d+ queues, 0 held\.$/);
});

test('what the server refuses is told, and the exit code says so', async () => {
  expect(await scrollback('users', 'role', '99', 'member')).toEqual({ code: 1, out: [], told: ['No such user'] });
  expect(await scrollback('users', 'role', 'olive@example.test', 'king')).toMatchObject({ code: 2, out: [] });
  expect(await scrollback('users', 'invite', 'nowhere', 'olive@example.test')).toEqual({
    code: 1,
    out: [],
    told: [
      "Some emails did not validate, so we didn't send any invitations.\nnowhere: Invalid address.\nolive@example.test: Already has an account.",
    ],
  });
  expect(await scrollback('users', 'list', '--role', 'guest')).toMatchObject({ code: 2 });
  expect(await scrollback('users')).toMatchObject({
    code: 2,
    told: [expect.stringMatching(/^users needs one of: list, show, invite, role, deactivate, reset-password\./)],
  });
});
