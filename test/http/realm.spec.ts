import { expectRefusal } from '../support/answers.js';
import type { ApiClient } from '../support/client.js';
import { startWithPeople } from '../support/people.js';
import type { TestServer } from '../support/server.js';

let server: TestServer;
let owner: ApiClient;
let ann: ApiClient;

beforeAll(async () => {
  ({ server, owner, ann } = await startWithPeople());
});
afterAll(() => server.stop());

/** The organization as a new client is told of it. */
const realm = async (): Promise<any> => (await ann.register({ fetch_event_types: ['realm'] })).state;
const eventOf = ({ id: _, ...event }: any): any => event;

test('settings are what they were changed to, for whoever asks and whoever listens', async () => {
  const queue = await ann.register({ event_types: ['realm'] });
  await owner.ok('PATCH', '/realm', {
    message_content_edit_limit_seconds: 3600,
    move_messages_within_stream_limit_seconds: 'unlimited',
    message_content_delete_limit_seconds: '"unlimited"',
    message_edit_history_visibility_policy: 'moves',
    can_delete_own_message_group: { new: { direct_members: [ann.userId], direct_subgroups: [] }, old: 6 },
  });
  const group = { direct_members: [ann.userId], direct_subgroups: [] };
  const changed = {
    realm_message_content_edit_limit_seconds: 3600,
    realm_move_messages_within_stream_limit_seconds: null,
    realm_message_content_delete_limit_seconds: null,
    realm_message_edit_history_visibility_policy: 'moves',
    realm_allow_edit_history: true,
    realm_can_delete_own_message_group: group,
    realm_delete_own_message_policy: 3,
  };
  expect(await realm()).toMatchObject(changed);
  expect((await queue.pending()).map(eventOf)).toEqual([
    { type: 'realm', op: 'update', property: 'message_content_delete_limit_seconds', value: null },
    { type: 'realm', op: 'update', property: 'move_messages_within_stream_limit_seconds', value: null },
    { type: 'realm', op: 'update', property: 'message_edit_history_visibility_policy', value: 'moves' },
    { type: 'realm', op: 'update', property: 'allow_edit_history', value: true },
    {
      type: 'realm',
      op: 'update_dict',
      property: 'default',
      data: { message_content_edit_limit_seconds: 3600, can_delete_own_message_group: group },
    },
  ]);
  await server.restart();
  expect(await realm()).toMatchObject(changed);
});

test('what is as it was, is told to nobody', async () => {
  await owner.ok('PATCH', '/realm', { allow_message_editing: true });
  const queue = await ann.register();
  await owner.ok('PATCH', '/realm', { allow_message_editing: true });
  await owner.ok('PATCH', '/realm', {});
  expect(await queue.pending()).toEqual([]);
});

test('only administrators change them', async () => {
  expectRefusal(await ann.call('PATCH', '/realm', { allow_message_editing: false }), 'UNAUTHORIZED_PRINCIPAL');
  expect(await realm()).toMatchObject({ realm_allow_message_editing: true });
});

test.each<[string, Record<string, unknown>]>([
  ['no time at all', { message_content_edit_limit_seconds: 0 }],
  ['less', { move_messages_within_stream_limit_seconds: -1 }],
  ['another word', { message_content_delete_limit_seconds: 'never' }],
  ['another policy', { message_edit_history_visibility_policy: 'some' }],
  ['another topics policy', { topics_policy: 'inherit' }],
  ['no permission setting', { can_resolve_topics_group: 6 }],
  ['a group that is none', { can_resolve_topics_group: { new: 999 } }],
  ['everyone, guests included, where they may not', { can_delete_any_message_group: { new: 6 } }],
])('%s is refused', async (_, parameters) => {
  const before = await realm();
  const answer = await owner.call('PATCH', '/realm', parameters);
  expect([answer.status, answer.body.code]).toEqual([400, 'BAD_REQUEST']);
  const after = await realm();
  for (const name of Object.keys(parameters)) expect(after[`realm_${name}`]).toEqual(before[`realm_${name}`]);
});

test('a permission is not given on a false belief', async () => {
  const answer = await owner.call('PATCH', '/realm', { can_resolve_topics_group: { new: 1, old: 2 } });
  expect(expectRefusal(answer, 'EXPECTATION_MISMATCH').field_name).toBe('old');
});
