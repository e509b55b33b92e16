import type { ApiClient } from '../../support/client.js';
import { startTestServer, type TestServer } from '../../support/server.js';

/** Pictures of users for clients that could compute them (rules.md §3), on a network without the internet. */

const COMPUTED = { client_gravatar: true };
const OWN_ADDRESS = /^\/user_avatars\/1\/[0-9a-f]{40}\.png\?version=1$/;

/** The pictures of Ann in everything that a client is told. */
async function picturesOf(server: TestServer): Promise<unknown[]> {
  const ben: ApiClient = await server.user('Ben Baker');
  const queue = await ben.register(COMPUTED);
  const older = await ben.register({ client_extavatar: true });
  const ann = await server.user('Ann Archer');
  const id = await ann.sendTo([ben], 'hello');
  const events = [...(await queue.pending()), ...(await older.pending())];
  const { state } = await ben.register(COMPUTED);
  const ofAnn = (users: any[]): any => users.find(({ user_id }) => user_id === ann.userId).avatar_url;
  return [
    ...events.flatMap(({ type, op, person }) => (type === 'realm_user' && op === 'add' ? ofAnn([person]) : [])),
    ...events.flatMap(({ type, message }) => (type === 'message' && message.id === id ? message.avatar_url : [])),
    ofAnn(state.realm_users),
    ofAnn((await ben.ok('GET', '/users', COMPUTED)).members),
    (await ben.ok('GET', `/users/${ann.userId}`, COMPUTED)).user.avatar_url,
    (await ann.ok('GET', '/users/me', COMPUTED)).avatar_url,
    (await ben.ok('GET', `/messages/${id}`, COMPUTED)).message.avatar_url,
    (await ben.ok('GET', '/messages', { ...COMPUTED, anchor: 'newest', num_before: 1, num_after: 0 })).messages[0]
      .avatar_url,
  ];
}

test.each(['on', 'off'])('GRAVATAR=%s: clients compute pictures, or are told where they are', async (GRAVATAR) => {
  const server = await startTestServer({ GRAVATAR });
  try {
    const pictures = await picturesOf(server);
    expect(pictures).toEqual(Array(10).fill(GRAVATAR === 'on' ? null : expect.stringMatching(OWN_ADDRESS)));
  } finally {
    await server.stop();
  }
});

test('the setting has two values', async () => {
  await expect(startTestServer({ GRAVATAR: 'perhaps' })).rejects.toThrow('GRAVATAR');
});
