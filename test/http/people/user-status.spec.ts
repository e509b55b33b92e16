import { expectRefusal } from '../../support/answers.js';
import type { ApiClient, TestQueue } from '../../support/client.js';
import { startWithPeople } from '../../support/people.js';
import type { TestServer } from '../../support/server.js';

let server: TestServer;
let owner: ApiClient;
let ann: ApiClient;
let ben: ApiClient;
beforeAll(async () => ({ server, owner, ann, ben } = await startWithPeople()));
afterAll(() => server.stop());

type Parameters = Record<string, unknown>;

const set = (client: ApiClient, status: Parameters): Promise<any> => client.ok('POST', '/users/me/status', status);
const statusOf = async (user: ApiClient, by = ben): Promise<any> =>
  (await by.ok('GET', `/users/${user.userId}/status`)).status;
const listen = (client: ApiClient): Promise<TestQueue> =>
  client.register({ event_types: ['user_status'], fetch_event_types: ['user_status'] });
const heard = async (queue: TestQueue): Promise<any[]> => (await queue.pending()).map(({ id: _, ...event }) => event);

const TADA = { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' };
const NO_EMOJI = { emoji_name: '', emoji_code: '', reaction_type: 'unicode_emoji' };

afterEach(async () => {
  await set(ann, { status_text: '', emoji_name: '', away: false });
});

test('text and emoji are set, changed and cleared, each on its own', async () => {
  expect(await statusOf(ann)).toEqual({});
  const queue = await listen(ben);
  expect(queue.state.user_status).toEqual({});
  const of = { type: 'user_status', user_id: ann.userId };
  const body = await set(ann, { status_text: '  in a meeting ', emoji_name: 'tada' });
  expect(body).toEqual({ result: 'success', msg: '' });
  expect(await statusOf(ann)).toEqual({ status_text: 'in a meeting', ...TADA });
  expect(await heard(queue)).toEqual([{ ...of, status_text: 'in a meeting', ...TADA }]);
  await set(ann, { emoji_name: '' });
  expect(await heard(queue)).toEqual([{ ...of, ...NO_EMOJI }]);
  await set(ann, { status_text: 'back' });
  expect(await heard(queue)).toEqual([{ ...of, status_text: 'back' }]);
  expect((await listen(ben)).state.user_status).toEqual({ [ann.userId]: { status_text: 'back' } });
  await set(ann, { status_text: '' });
  expect(await heard(queue)).toEqual([{ ...of, status_text: '' }]);
  expect(await statusOf(ann)).toEqual({});
  await set(ann, { status_text: '' });
  expect(await heard(queue)).toEqual([]);
});

test('an emoji by name, code and type', async () => {
  await set(ann, { emoji_name: 'tada', emoji_code: '1f389' });
  expect(await statusOf(ann)).toEqual(TADA);
  await set(ann, { emoji_name: 'zulip', emoji_code: 'zulip', reaction_type: 'zulip_extra_emoji' });
  const extra = { emoji_name: 'zulip', emoji_code: 'zulip' };
  expect(await statusOf(ann)).toEqual({ ...extra, reaction_type: 'zulip_extra_emoji' });
  const queue = await listen(ben);
  expect(queue.state.user_status[ann.userId].reaction_type).toBe('zulip_extra_emoji');
  await set(ann, { emoji_name: '', emoji_code: '', reaction_type: '' });
  await set(ann, { emoji_name: 'zulip' });
  const told = await heard(queue);
  expect(told).toEqual([
    expect.objectContaining(NO_EMOJI),
    expect.objectContaining({ reaction_type: 'zulip_extra_emoji' }),
  ]);
});

test('being away is not sharing presence', async () => {
  const queue = await listen(ben);
  await set(ann, { away: true });
  expect(await heard(queue)).toEqual([{ type: 'user_status', user_id: ann.userId, away: true }]);
  expect(await statusOf(ann)).toEqual({ away: true });
  const { user_settings } = (await ann.register({ fetch_event_types: ['user_settings'] })).state;
  expect(user_settings.presence_enabled).toBe(false);
  await ann.ok('PATCH', '/settings', { presence_enabled: true });
  expect(await heard(queue)).toEqual([{ type: 'user_status', user_id: ann.userId, away: false }]);
  expect(await statusOf(ann)).toEqual({});
});

test.each<[string, Parameters]>([
  ['nothing', {}],
  ['a code without a name', { emoji_code: '1f389' }],
  ['a type without a name', { reaction_type: 'unicode_emoji', status_text: 'x' }],
  ['an emoji that is none', { emoji_name: 'no_such_emoji' }],
  ['a code of another emoji', { emoji_name: 'tada', emoji_code: '1f642' }],
  ['a code that is none', { emoji_name: 'tada', emoji_code: 'xyz' }],
  ['another type', { emoji_name: 'tada', reaction_type: 'picture' }],
  ['a custom emoji that is none', { emoji_name: 'tada', emoji_code: '77', reaction_type: 'realm_emoji' }],
  ['a long text', { status_text: 'x'.repeat(61) }],
  ['a very long text', { status_text: 'x'.repeat(2000) }],
])('%s is refused', async (_, status) => {
  expectRefusal(await ann.call('POST', '/users/me/status', { ...status }), 'BAD_REQUEST');
  expect(await statusOf(ann)).toEqual({});
});

test('sixty characters, however they are written, fit', async () => {
  await set(ann, { status_text: `${'🎉'.repeat(60)}  ` });
  expect(await statusOf(ann)).toEqual({ status_text: '🎉'.repeat(60) });
});

test('away is true or false', async () => {
  expectRefusal(await ann.call('POST', '/users/me/status', { away: 'maybe' }), 'REQUEST_VARIABLE_INVALID');
});

describe('administrators', () => {
  test('set the status of others', async () => {
    const queue = await listen(ben);
    await owner.ok('POST', `/users/${ann.userId}/status`, { status_text: 'on leave', emoji_name: 'tada' });
    expect(await heard(queue)).toMatchObject([{ user_id: ann.userId, status_text: 'on leave', ...TADA }]);
    expectRefusal(await owner.call('POST', `/users/${ann.userId}/status`, {}), 'BAD_REQUEST');
  });

  test('and nobody else does', async () => {
    const refused = await ben.call('POST', `/users/${ann.userId}/status`, { status_text: 'x' });
    expectRefusal(refused, 'UNAUTHORIZED_PRINCIPAL');
    expect(await statusOf(ann)).toEqual({});
  });

  test('not of nobody, or of a bot', async () => {
    const { cross_realm_bots } = (await ben.register({ fetch_event_types: ['realm_user'] })).state;
    for (const userId of [9999, cross_realm_bots[0].user_id])
      expectRefusal(await owner.call('POST', `/users/${userId}/status`, { status_text: 'x' }), 'BAD_REQUEST');
  });
});

test('the status of nobody', async () => {
  expectRefusal(await ben.call('GET', '/users/9999/status'), 'BAD_REQUEST');
});

test('a deactivated account is left out, and told again when it comes back', async () => {
  const cleo = await server.user('Clara Crane');
  await set(cleo, { status_text: 'here' });
  await owner.ok('DELETE', `/users/${cleo.userId}`);
  expectRefusal(await owner.call('POST', `/users/${cleo.userId}/status`, { status_text: 'x' }), 'BAD_REQUEST');
  const queue = await listen(ben);
  expect(queue.state.user_status).toEqual({});
  await owner.ok('POST', `/users/${cleo.userId}/reactivate`);
  expect(await heard(queue)).toEqual([{ type: 'user_status', user_id: cleo.userId, status_text: 'here' }]);
});

test('a restarted server still knows it', async () => {
  await set(ann, { status_text: 'here', emoji_name: 'tada' });
  await server.restart();
  expect(await statusOf(ann)).toEqual({ status_text: 'here', ...TADA });
});
