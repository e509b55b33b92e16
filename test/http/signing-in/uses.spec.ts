import { openEventStore, parseOrigin, streams } from '#event-store';
import { scrollback } from '#runtime';
import type { NotedUse } from '#uses';
import { answerTo, type ApiClient } from '../../support/client.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { cookiesOf, csrfTokenOf } from '../../support/signed-in.js';
import { load, upload } from '../../support/uploads.js';

let server: TestServer;
let ann: ApiClient;

/** What has been noted so far: a server that ends records the rest. */
async function noted(): Promise<NotedUse[]> {
  const found: NotedUse[] = [];
  await server.restart(async () => {
    const store = await openEventStore(server.eventStoreUrl, scrollback.registry);
    try {
      for (const { data } of await store.readStream(streams.uses, { limit: 1_000 })) found.push(...data.uses);
    } finally {
      await store.close();
    }
  });
  return found;
}

beforeAll(async () => {
  server = await startTestServer();
  ann = await server.user('Ann');
});
afterAll(() => server.stop());

test('who gets a key by a password, and who fails to, is noted without what they typed', async () => {
  const failed = (username: string): Promise<unknown> =>
    ann.call('POST', '/fetch_api_key', { username, password: 'wrong horse' });
  await failed(ann.email);
  await failed('somebody@nowhere.example');
  await failed('correct horse battery');
  const found = await noted();
  const signedIn = found.find(({ kind, o }) => kind === 'signed-in' && o.startsWith(`${ann.userId}.`));
  expect(signedIn).toMatchObject({ how: 'password', key: 1 });
  expect(parseOrigin(signedIn?.o)).toMatchObject({ by: { kind: 'user', userId: ann.userId } });
  const failures = found.filter(({ kind }) => kind === 'sign-in-failed');
  expect(failures.map(({ userId, name }) => userId ?? name)).toEqual([ann.userId, 's…@nowhere.example', undefined]);
  expect(failures.every(({ o }) => parseOrigin(o)?.by.kind === 'visitor')).toBe(true);
  expect(JSON.stringify(found)).not.toMatch(/horse|somebody/);
});

test('who fetches a file is noted once', async () => {
  const path = await upload(server, ann, 'notes.txt', 'hello');
  for (let round = 0; round < 3; round++) expect((await load(server, path, ann)).status).toBe(200);
  const fetched = (await noted()).filter(({ kind }) => kind === 'file-fetched');
  expect(fetched).toMatchObject([{ fileId: 1 }]);
  expect(parseOrigin(fetched[0]?.o)?.by).toEqual({ kind: 'user', userId: ann.userId });
});

test('who sees the key of a bot in a list is noted, with how often', async () => {
  const { user_id: botId } = await ann.ok('POST', '/bots', { full_name: 'Robbie', short_name: 'robbie' });
  for (let round = 0; round < 3; round++) expect((await ann.ok('GET', '/bots')).bots).toHaveLength(1);
  const seen = (await noted()).filter(({ kind, userId }) => kind === 'key-seen' && userId === botId);
  expect(seen[0]).toMatchObject({ key: 1 });
  // The first, and how often more.
  expect(seen.reduce((sum, { again = 1 }) => sum + again, 0)).toBe(3);
  expect(parseOrigin(seen[0]?.o)?.by).toEqual({ kind: 'user', userId: ann.userId });
});

test('who gets keys of bots with the register is noted once, however often a client begins', async () => {
  const { user_id: botId } = await ann.ok('POST', '/bots', { full_name: 'Roberta', short_name: 'roberta' });
  for (const agent of ['One/1', 'Two/1']) {
    const { realm_bots: bots } = await ann.as(agent).ok('POST', '/register', { fetch_event_types: ['realm_bot'] });
    expect(bots).toContainEqual(expect.objectContaining({ user_id: botId, api_key: expect.stringMatching(/./) }));
  }
  await ann.ok('POST', '/register', { fetch_event_types: ['message'] });
  const seen = (await noted()).filter(({ kind, userId }) => kind === 'key-seen' && userId === botId);
  expect(seen).toMatchObject([{ how: 'register', key: 1 }]);
  expect(parseOrigin(seen[0]?.o)).toMatchObject({
    by: { kind: 'user', userId: ann.userId },
    request: expect.any(String),
  });
});

test('who ends the session of a browser is noted, and nobody where there is none', async () => {
  const cookie = await cookiesOf(ann.site, ann);
  const token = await csrfTokenOf(ann.site, cookie);
  const signOut = () =>
    answerTo(`${ann.site}/api/v1/session`, { method: 'DELETE', headers: { cookie, 'x-csrftoken': token } });
  expect((await signOut()).status).toBe(200);
  await signOut();
  const found = await noted();
  const left = found.filter(({ kind }) => kind === 'signed-out');
  expect(left).toHaveLength(1);
  expect(found).toContainEqual(expect.objectContaining({ kind: 'signed-in', session: left[0]?.session }));
  expect(parseOrigin(left[0]?.o)?.by).toEqual({ kind: 'user', userId: ann.userId });
});
