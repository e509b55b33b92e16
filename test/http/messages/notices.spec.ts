/** Notices of the notification bot by direct messages: read for who caused them, and for nobody else; warnings are unread for all. */
import { messageOf } from '../../support/answers.js';
import type { ApiClient, TestQueue } from '../../support/client.js';
import { channelOf, type Cast, startWithPeople } from '../../support/people.js';

let cast: Cast;
let owner: ApiClient, ann: ApiClient, ben: ApiClient;

beforeAll(async () => {
  cast = await startWithPeople();
  ({ owner, ann, ben } = cast);
  owner.userId = (await owner.ok('GET', '/users/me')).user_id;
  await owner.ok('PATCH', `/users/${ann.userId}`, { role: 100 });
});
afterAll(() => cast.server.stop());

const TYPES = { event_types: ['message', 'update_message_flags'] };
const told = async (queue: TestQueue): Promise<any[]> =>
  (await queue.pending()).map(({ type, flags, message }) => [type, flags, message?.type]);

async function unreadOf(client: ApiClient): Promise<number[]> {
  const { state } = await client.register({ fetch_event_types: TYPES.event_types });
  return state.unread_msgs.pms.flatMap(({ unread_message_ids }: any) => unread_message_ids);
}

const UNREAD = ['message', [], 'private'];
const READ = ['message', ['read'], 'private'];

test('of more who audit come to all owners, unread', async () => {
  const queues = await Promise.all([owner, ann].map((client) => client.register(TYPES)));
  await owner.ok('PATCH', '/realm', {
    can_audit_group: { new: { direct_members: [ben.userId], direct_subgroups: [1] } },
  });
  expect(await Promise.all(queues.map(told))).toEqual([[UNREAD], [UNREAD]]);
  const group = { name: 'auditors', description: '', members: [] };
  const { group_id: id } = await owner.ok('POST', '/user_groups/create', group);
  await owner.ok('PATCH', '/realm', { can_audit_group: { new: { direct_members: [], direct_subgroups: [1, id] } } });
  await Promise.all(queues.map(told));
  await owner.ok('POST', `/user_groups/${id}/members`, { add: [ben.userId] });
  expect((await Promise.all(queues.map(told))).map((one) => one.at(-1))).toEqual([UNREAD, UNREAD]);
});

test('of a bot: unread for whom it is given to, read for who takes it, also without the read models', async () => {
  const parameters = { full_name: 'Courier', short_name: 'courier' };
  const { user_id } = await ben.ok('POST', '/bots', parameters);
  const queues = await Promise.all([owner, ann].map((client) => client.register(TYPES)));
  const before = await unreadOf(owner);
  await owner.ok('PATCH', `/bots/${user_id}`, { bot_owner_id: ann.userId });
  expect(await Promise.all(queues.map(told))).toEqual([[], [UNREAD]]);
  await owner.ok('PATCH', `/bots/${user_id}`, { bot_owner_id: owner.userId });
  expect(await Promise.all(queues.map(told))).toEqual([[READ], []]);
  expect(await unreadOf(owner)).toEqual(before);
  const unread = await unreadOf(ann);
  await cast.server.restart(() => cast.server.forgetReadModels());
  expect([await unreadOf(owner), await unreadOf(ann)]).toEqual([before, unread]);
  // Read or not is theirs to change.
  const { messages } = await owner.ok('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 });
  const id: number = messages[0].id;
  await owner.ok('POST', '/messages/flags', { op: 'remove', flag: 'read', messages: [id] });
  expect([(await messageOf(owner, id)).flags, await unreadOf(owner)]).toEqual([[], [...before, id]]);
});

test('of a subscription by another: unread for who was subscribed', async () => {
  await channelOf('for one', owner);
  const queue = await ben.register(TYPES);
  const asked = { subscriptions: [{ name: 'for one' }], principals: [ben.userId] };
  await owner.ok('POST', '/users/me/subscriptions', asked);
  expect(await told(queue)).toEqual([UNREAD]);
});
