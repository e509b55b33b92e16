import { expectRefusal } from '../../support/answers.js';
import type { ApiClient, TestQueue } from '../../support/client.js';
import { COUNTS_POLLS, untilHeld } from '../../support/held-polls.js';
import { channelOf, startWithPeople } from '../../support/people.js';
import type { TestServer } from '../../support/server.js';

const FULL_MEMBERS = 4;
const MEMBERS = 5;
const NOBODY = 8;

let server: TestServer;
let owner: ApiClient;
let ann: ApiClient;
let ben: ApiClient;
let cleo: ApiClient;
let watch: TestQueue;

beforeAll(async () => {
  ({ server, owner, ann, ben, cleo } = await startWithPeople(undefined, { ...COUNTS_POLLS, HEARTBEAT_SECONDS: '600' }));
  owner.userId = (await owner.ok('GET', '/users/me')).user_id;
});
beforeEach(async () => {
  watch = await cleo.register({ event_types: ['realm_user', 'user_group', 'subscription', 'stream'] });
});
afterAll(() => server.stop());

const told = async (): Promise<any[]> => (await watch.pending()).map(({ id: _, ...event }: any) => event);

describe('a deactivated account', () => {
  test('is gone at once: its key, its queue, its held poll and its login', async () => {
    const dan = await server.user('Dan Drake');
    const queue = await dan.register();
    const held = queue.poll();
    await untilHeld(server);
    await owner.ok('DELETE', `/users/${dan.userId}`);
    // A heartbeat would come far later.
    expect(await held).toEqual([]);
    expectRefusal(await dan.call('GET', '/users/me'), 'USER_DEACTIVATED', 401);
    expectRefusal(
      await dan.call('GET', '/events', { queue_id: queue.queueId, last_event_id: -1 }),
      'USER_DEACTIVATED',
      401,
    );
    const login = { username: dan.email, password: 'the password of Dan Drake' };
    expectRefusal(await dan.call('POST', '/fetch_api_key', login), 'USER_DEACTIVATED', 401);
    await owner.ok('POST', `/users/${dan.userId}/reactivate`);
    await dan.ok('GET', '/users/me');
    expectRefusal(
      await dan.call('GET', '/events', { queue_id: queue.queueId, last_event_id: queue.lastEventId }),
      'BAD_EVENT_QUEUE_ID',
      400,
    );
  });

  test('leaves groups and channels, and comes back into them; what was said meanwhile is not its own', async () => {
    const dora = await server.user('Dora Dunn');
    const channelId = await channelOf('comings', ann, dora, cleo);
    const asked = { name: 'comers', description: '', members: [dora.userId] };
    const { group_id: groupId } = await ann.ok('POST', '/user_groups/create', asked);
    const before = await dora.sendTo([ann], 'still here');
    await told();

    await owner.ok('DELETE', `/users/${dora.userId}`);
    const groups = [FULL_MEMBERS, MEMBERS, groupId];
    const general = (await cleo.ok('GET', '/get_stream_id', { stream: 'general' })).stream_id;
    const events = (op: string, isActive: boolean): any[] => [
      { type: 'realm_user', op: 'update', person: { user_id: dora.userId, is_active: isActive } },
      ...groups.map((id) => ({ type: 'user_group', op: `${op}_members`, group_id: id, user_ids: [dora.userId] })),
      {
        type: 'subscription',
        op: op === 'add' ? 'peer_add' : 'peer_remove',
        stream_ids: [general, channelId],
        user_ids: [dora.userId],
      },
    ];
    const gone = await told();
    expect(gone).toHaveLength(5);
    expect(gone).toEqual(expect.arrayContaining(events('remove', false)));
    expect((await ann.ok('GET', `/messages/${before}`)).message.sender_full_name).toBe('Dora Dunn');
    expect((await ann.ok('GET', `/users/${dora.userId}`)).user.is_active).toBe(false);
    const { state } = await ann.register({ fetch_event_types: ['realm_user'] });
    expect(state.realm_users.some(({ user_id }: any) => user_id === dora.userId)).toBe(false);
    expect(state.realm_non_active_users.some(({ user_id }: any) => user_id === dora.userId)).toBe(true);
    expect((await ann.ok('GET', `/streams/${channelId}/members`)).subscribers).not.toContain(dora.userId);
    const direct = { type: 'direct', to: [dora.userId], content: 'hello?' };
    expectRefusal(await ann.call('POST', '/messages', direct), 'BAD_REQUEST', 400);
    const missed = await ann.send('comings', 'meanwhile', '@**Dora Dunn** where are you?');

    await server.restart();
    await owner.ok('POST', `/users/${dora.userId}/reactivate`);
    const back = await told();
    expect(back).toEqual(expect.arrayContaining(events('add', true)));
    expect((await ann.ok('GET', `/streams/${channelId}/members`)).subscribers).toContain(dora.userId);
    expect((await dora.register()).state.unread_msgs.mentions).not.toContain(missed);
    expect(await ann.call('POST', '/messages', direct)).toMatchObject({ status: 200 });
  });

  test('is not shown as a holder of permissions until it is active again', async () => {
    const eve = await server.user('Eve East');
    const channelId = await channelOf('evenings', eve, cleo);
    const { group_id } = await eve.ok('POST', '/user_groups/create', { name: 'even', description: '', members: [] });
    const holders = (...ids: number[]): object => ({ direct_members: ids, direct_subgroups: [] });
    const together = { new: holders(ann.userId, eve.userId) };
    await owner.ok('PATCH', '/realm', { can_create_groups: together });
    await eve.ok('PATCH', `/streams/${channelId}`, { can_send_message_group: together });
    const queue = await cleo.register({ event_types: ['realm', 'user_group', 'stream'] });
    const changes = async (): Promise<any[]> =>
      (await queue.pending())
        .filter(({ op }: any) => op.startsWith('update'))
        .map(({ type, data, property, value }: any) => [type, data ?? { [property]: value }]);
    const shown = async (): Promise<any> => {
      const { state } = await cleo.register({ fetch_event_types: ['realm', 'realm_user_groups', 'stream'] });
      const group = state.realm_user_groups.find(({ id }: any) => id === group_id);
      const channel = state.streams.find(({ stream_id }: any) => stream_id === channelId);
      return [
        ['realm', { can_create_groups: state.realm_can_create_groups }],
        [
          'user_group',
          { can_add_members_group: group.can_add_members_group, can_manage_group: group.can_manage_group },
        ],
        ['stream', { can_administer_channel_group: channel.can_administer_channel_group }],
        ['stream', { can_send_message_group: channel.can_send_message_group }],
        ['stream', { stream_post_policy: channel.stream_post_policy }],
        ['stream', { is_announcement_only: channel.is_announcement_only }],
      ];
    };

    const before = await shown();
    const without = [
      ['realm', { can_create_groups: holders(ann.userId) }],
      ['user_group', { can_add_members_group: NOBODY, can_manage_group: NOBODY }],
      ['stream', { can_administer_channel_group: NOBODY }],
      ['stream', { can_send_message_group: holders(ann.userId) }],
      ['stream', { stream_post_policy: 1 }],
      ['stream', { is_announcement_only: false }],
    ];
    await owner.ok('DELETE', `/users/${eve.userId}`);
    expect(await changes()).toEqual(without);
    expect(await shown()).toEqual(without);
    await owner.ok('POST', `/users/${eve.userId}/reactivate`);
    expect(await changes()).toEqual(before);
    expect(await shown()).toEqual(before);

    await owner.ok('DELETE', `/users/${eve.userId}`);
    await owner.ok('PATCH', '/realm', { can_create_groups: { old: holders(ann.userId), new: MEMBERS } });
  });

  test('is made only by administrators, and never of the last owner', async () => {
    expectRefusal(await ann.call('DELETE', `/users/${ben.userId}`), 'BAD_REQUEST', 400);
    expectRefusal(await ann.call('POST', `/users/${ben.userId}/reactivate`), 'BAD_REQUEST', 400);
    expectRefusal(await owner.call('DELETE', '/users/987654'), 'BAD_REQUEST', 400);
    expectRefusal(await owner.call('DELETE', `/users/${owner.userId}`), 'BAD_REQUEST', 400);
    expect(await told()).toEqual([]);
  });
});

describe("one's own account", () => {
  test('can be left', async () => {
    const dirk = await server.user('Dirk Dale');
    await dirk.ok('DELETE', '/users/me');
    expectRefusal(await dirk.call('GET', '/users/me'), 'USER_DEACTIVATED', 401);
  });

  test('stays when it is the last owner’s', async () => {
    const answer = await owner.call('DELETE', '/users/me');
    expectRefusal(answer, 'CANNOT_DEACTIVATE_LAST_USER', 400);
    expect(answer.body).toMatchObject({ is_last_owner: true, entity: 'organization owner' });
    await owner.ok('GET', '/users/me');
  });
});

describe('an account changed by others', () => {
  test('has its new name and role everywhere, and knows the channels that these open', async () => {
    const eve = await server.user('Eve Ebert');
    await ann.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'secret' }], invite_only: true });
    const own = await eve.register({ event_types: ['stream', 'default_streams'] });
    await told();
    await owner.ok('PATCH', `/users/${eve.userId}`, { full_name: 'Eva Ebert', role: 200 });
    const userId = eve.userId;
    expect(await told()).toEqual(
      expect.arrayContaining([
        { type: 'realm_user', op: 'update', person: { user_id: userId, full_name: 'Eva Ebert' } },
        { type: 'realm_user', op: 'update', person: { user_id: userId, role: 200 } },
        { type: 'user_group', op: 'remove_members', group_id: FULL_MEMBERS, user_ids: [userId] },
        { type: 'user_group', op: 'remove_members', group_id: MEMBERS, user_ids: [userId] },
        { type: 'user_group', op: 'add_members', group_id: 2, user_ids: [userId] },
      ]),
    );
    expect((await own.pending()).map(({ op, streams }: any) => [op, streams[0].name])).toEqual([['create', 'secret']]);
    expect((await ann.ok('GET', `/users/${userId}`)).user).toMatchObject({ full_name: 'Eva Ebert', is_admin: true });

    await owner.ok('PATCH', `/users/${encodeURIComponent(eve.email)}`, { role: 600 });
    const lost = await own.pending();
    expect(lost.map(({ type, op }: any) => [type, op])).toContainEqual(['stream', 'delete']);
    expect(lost.at(-1)).toMatchObject({ type: 'default_streams', default_streams: [] });
    const { state } = await eve.register({ fetch_event_types: ['realm_user', 'default_streams'] });
    expect(state).toMatchObject({ is_admin: false, is_guest: true, full_name: 'Eva Ebert', realm_default_streams: [] });
  });

  test('is that of the administrator who changes it, and a member does not change their own', async () => {
    const ida = await server.user('Ida Imhof');
    const path = `/users/${ida.userId}`;
    expectRefusal(await ida.call('PATCH', path, { full_name: 'Ida' }), 'BAD_REQUEST');
    await owner.ok('PATCH', path, { role: 100 });
    await told();
    await ida.ok('PATCH', path, { full_name: 'Ida', role: 400 });
    expect(await told()).toEqual(
      expect.arrayContaining([
        { type: 'realm_user', op: 'update', person: { user_id: ida.userId, full_name: 'Ida' } },
        { type: 'realm_user', op: 'update', person: { user_id: ida.userId, role: 400 } },
      ]),
    );
    expectRefusal(await owner.call('PATCH', `/users/${owner.userId}`, { role: 400 }), 'BAD_REQUEST');
    await owner.ok('PATCH', path, { role: 200 });
    await ida.ok('DELETE', path);
    expectRefusal(await ida.call('GET', '/users/me'), 'USER_DEACTIVATED', 401);
  });

  test('gets no role above that of the actor, and one above the actor is not changed', async () => {
    const fay = await server.user('Fay Fox');
    await owner.ok('PATCH', `/users/${fay.userId}`, { role: 200 });
    const ofOwners = [
      await fay.call('PATCH', `/users/${fay.userId}`, { role: 100 }),
      await fay.call('PATCH', `/users/${ben.userId}`, { role: 100 }),
      await fay.call('PATCH', `/users/${owner.userId}`, { role: 400 }),
      await fay.call('PATCH', `/users/${owner.userId}`, { new_email: 'elsewhere@example.test' }),
      await fay.call('DELETE', `/users/${owner.userId}`),
    ];
    for (const answer of ofOwners) expectRefusal(answer, 'UNAUTHORIZED_PRINCIPAL', 400);
    expectRefusal(await ben.call('PATCH', `/users/${cleo.userId}`, { role: 600 }), 'BAD_REQUEST');
    expect((await owner.call('PATCH', `/users/${ben.userId}`, { role: 7 })).status).toBe(400);
    await fay.ok('PATCH', `/users/${ben.userId}`, { role: 300 });
    const { full_name } = await owner.ok('GET', '/users/me');
    await fay.ok('PATCH', `/users/${owner.userId}`, { full_name: 'Olive Other' });
    await fay.ok('PATCH', `/users/${owner.userId}`, { full_name });
  });

  test('leaves one of two owners who demote or deactivate each other at once', async () => {
    const gus = await server.user('Gus Gray');
    for (const attempt of ['PATCH', 'DELETE']) {
      await owner.ok('PATCH', `/users/${gus.userId}`, { role: 100 });
      const role = { role: 400 };
      const answers = await Promise.all([
        owner.call(attempt, `/users/${gus.userId}`, role),
        gus.call(attempt, `/users/${owner.userId}`, role),
      ]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const { members } = await cleo.ok('GET', '/user_groups/1/members');
      expect(members).toHaveLength(1);
      if (members[0] === owner.userId) continue;
      if (attempt === 'DELETE') await gus.ok('POST', `/users/${owner.userId}/reactivate`);
      else await gus.ok('PATCH', `/users/${owner.userId}`, { role: 100 });
      await owner.ok('PATCH', `/users/${gus.userId}`, { role: 400 });
    }
  });
});
