import { openEventStore, parseOrigin, streams } from '#event-store';
import { scrollback } from '#runtime';
import type { NotedUse } from '#uses';
import type { ApiClient } from '../../support/client.js';
import { startTestServer, type TestServer } from '../../support/server.js';
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
