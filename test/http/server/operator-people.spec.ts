/** What the operator does with people, by the token and without an account, and with the key of an owner. */
import { fetch } from '#testing';
import type { ApiClient } from '../../support/client.js';
import { expectRefusal } from '../../support/answers.js';
import { OperatorCalls } from '../../support/operator.js';
import { startTestServer, type TestServer } from '../../support/server.js';

let server: TestServer;
let ann: ApiClient;
let operator: OperatorCalls;

beforeAll(async () => {
  server = await startTestServer();
  ann = await server.user('Ann Archer');
  operator = new OperatorCalls(server);
});
afterAll(() => server.stop());

test('lists of accounts and groups come in pages', async () => {
  const { users, is_last } = await operator.ok('GET', 'users');
  expect(is_last).toBe(true);
  expect(users.map(({ email }: { email: string }) => email)).toEqual(['olive@example.test', ann.email]);
  expect(users[1]).toMatchObject({ user_id: ann.userId, full_name: 'Ann Archer', role: 'member', is_active: true });
  const first = await operator.ok('GET', 'users', { limit: '1' });
  expect([first.users.length, first.is_last]).toEqual([1, false]);
  const rest = await operator.ok('GET', 'users', { limit: '1', after: String(first.users[0].user_id) });
  expect([rest.users[0].user_id, rest.is_last]).toEqual([ann.userId, true]);
  const { groups } = await operator.ok('GET', 'groups');
  expect(groups.map(({ name }: { name: string }) => name)).toContain('role:owners');
  expect(JSON.stringify(users)).not.toMatch(/\$argon2|hash/);
});

test('an account is found by ID and by address', async () => {
  for (const name of [String(ann.userId), ann.email])
    expect((await operator.ok('GET', `users/${encodeURIComponent(name)}`)).user.user_id).toBe(ann.userId);
  for (const name of ['0', '99999', 'nobody@example.test', '1'])
    expectRefusal(await operator.call('GET', `users/${name}`), 'BAD_REQUEST', 400);
});

test('queues of clients are listed, those that are behind first', async () => {
  const { queue_id } = await ann.ok('POST', '/register', { event_types: ['message'] });
  const { total, queues } = await operator.ok('GET', 'queues');
  expect(total).toBeGreaterThan(0);
  expect(queues).toContainEqual(
    expect.objectContaining({ queue_id, user_id: ann.userId, full_name: 'Ann Archer', is_held: false }),
  );
  expect((await operator.ok('GET', 'queues', { limit: '1' })).queues).toHaveLength(1);
});

test('the operator changes roles, and clients see it', async () => {
  const { queue_id, last_event_id } = await ann.ok('POST', '/register', { event_types: ['realm_user'] });
  await operator.ok('POST', `users/${ann.userId}/role`, { role: 'moderator' });
  const { events } = await ann.ok('GET', '/events', { queue_id, last_event_id });
  expect(events).toMatchObject([{ type: 'realm_user', op: 'update', person: { user_id: ann.userId, role: 300 } }]);
  expectRefusal(await operator.call('POST', `users/${ann.userId}/role`, { role: 'king' }), 'BAD_REQUEST', 400);
});

test('the last owner stays one, and a new owner takes over', async () => {
  const { user_id: ownerId } = await server.owner.ok('GET', '/users/me');
  expectRefusal(await operator.call('POST', `users/${ownerId}/role`, { role: 'member' }), 'BAD_REQUEST', 400);
  expectRefusal(await operator.call('POST', `users/${ownerId}/deactivate`), 'BAD_REQUEST', 400);
  await operator.ok('POST', `users/${ann.userId}/role`, { role: 'owner' });
  await ann.ok('GET', '/operator/projections');
});

test('a link sets a new password, once', async () => {
  const { link } = await operator.ok('POST', `users/${encodeURIComponent(ann.email)}/reset-password`);
  expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/accounts\/password\/reset\/\S+$/);
  expect((await fetch(link)).status).toBe(200);
  expect((await operator.ok('POST', `users/${ann.userId}/reset-password`, { mail: 'true' })).link).toBeNull();
});

test('people are invited in the name of the server', async () => {
  const { groups } = await operator.ok('GET', 'groups');
  const nobody = groups.find(({ name }: { name: string }) => name === 'role:nobody').group_id;
  await server.owner.ok('PATCH', '/realm', { can_invite_users_group: JSON.stringify({ new: nobody }) });
  expect(
    await operator.ok('POST', 'invitations', { emails: 'new@example.test, other@example.test', role: 'guest' }),
  ).toMatchObject({ invited: 2 });
  const { invites } = await server.owner.ok('GET', '/invites');
  expect(invites.map(({ email, invited_as }: any) => [email, invited_as])).toEqual([
    ['new@example.test', 600],
    ['other@example.test', 600],
  ]);
  const twice = { emails: 'Ann <third@example.test>, THIRD@example.test' };
  expect(await operator.ok('POST', 'invitations', twice)).toMatchObject({ invited: 1 });
  expectRefusal(await operator.call('POST', 'invitations', { emails: 'no address' }), 'INVITATION_FAILED', 400);
});

test('a deactivated account is out', async () => {
  const ben = await server.user('Ben Baker');
  await operator.ok('POST', `users/${ben.userId}/deactivate`, { comment: 'Thank you.' });
  expect((await ben.call('GET', '/users/me')).status).toBe(401);
  expect((await operator.ok('GET', `users/${ben.userId}`)).user.is_active).toBe(false);
});

test('nobody but the operator and owners learns or changes anything', async () => {
  const cleo = await server.user('Cleo Cole');
  for (const [method, path] of [
    ['GET', 'users'],
    ['GET', `users/${ann.userId}`],
    ['GET', 'groups'],
    ['GET', 'queues'],
    ['POST', `users/${ann.userId}/deactivate`],
    ['POST', `users/${ann.userId}/reset-password`],
  ] as const)
    expectRefusal(await cleo.call(method, `/operator/${path}`), 'UNAUTHORIZED_PRINCIPAL', 400);
  expectRefusal(
    await cleo.call('POST', '/operator/invitations', { emails: 'x@example.test' }),
    'UNAUTHORIZED_PRINCIPAL',
  );
  expectRefusal(
    await cleo.call('POST', `/operator/users/${ann.userId}/role`, { role: 'guest' }),
    'UNAUTHORIZED_PRINCIPAL',
  );
});
