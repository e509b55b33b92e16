/** How a channel lost and got subscribers, by whatever event. */
import { audited, type AuditRow, letAudit } from '../../support/audit.js';
import type { ApiClient } from '../../support/client.js';
import { startTestServer, type TestServer } from '../../support/server.js';

let server: TestServer;
let owner: ApiClient, ann: ApiClient, ben: ApiClient;

beforeAll(async () => {
  server = await startTestServer();
  ({ owner } = server);
  owner.userId = (await owner.ok('GET', '/users/me')).user_id;
  await letAudit(owner, owner);
  ann = await server.user('Ann');
  ben = await server.user('Ben');
});
afterAll(() => server.stop());

const changes = (rows: readonly AuditRow[]): unknown[] =>
  rows.flatMap(({ type, user, ...row }): unknown[] => {
    if (type === 'subscribed' || type === 'unsubscribed') return [[type, user.user_id]];
    return type === 'change' ? [Object.keys(row['recorded'] as object)[1]] : [];
  });

test('accounts that are deactivated, and come back, are between the changes of the channel itself', async () => {
  const subscribing = { subscriptions: [{ name: 'hall' }], principals: [ann.userId, ben.userId] };
  await owner.ok('POST', '/users/me/subscriptions', subscribing);
  const channel = (await owner.ok('GET', '/get_stream_id', { stream: 'hall' })).stream_id as number;
  await owner.ok('DELETE', `/users/${ben.userId}`);
  await owner.ok('PATCH', `/streams/${channel}`, { description: 'In the middle.' });
  const middle = (await audited(owner, 'audits')).at(-1)?.['position'] as number;
  await owner.ok('POST', `/users/${ben.userId}/reactivate`);
  await owner.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['hall'], principals: [ann.userId] });
  await owner.ok('DELETE', `/users/${ann.userId}`);

  const now = await audited(owner, 'channel', { channel: 'hall' });
  expect(now.filter(({ type }) => type === 'subscriber').map(({ user }) => user.user_id)).toEqual([ben.userId]);
  expect(changes(now).slice(-5)).toEqual([
    expect.anything(),
    ['unsubscribed', ben.userId],
    'description',
    ['subscribed', ben.userId],
    expect.anything(),
  ]);
  const positions = now.filter(({ type }) => type !== 'subscriber').map(({ position }) => position);
  expect(positions.slice(1)).toEqual(positions.slice(1).sort((a, b) => a - b));
  const since = await audited(owner, 'channel', { channel: 'hall', as_of: `@${middle}` });
  expect(since.filter(({ type }) => type === 'subscriber').map(({ user }) => user.user_id)).toEqual([ann.userId]);
  expect(changes(since)).toEqual([['subscribed', ben.userId], expect.anything()]);
});
