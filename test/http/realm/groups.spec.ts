import { expectRefusal } from '../../support/answers.js';
import type { ApiClient, TestQueue } from '../../support/client.js';
import { accountOf, recordFacts } from '../../support/facts.js';
import { startWithPeople } from '../../support/people.js';
import type { TestServer } from '../../support/server.js';

const MEMBERS = 5;
const EVERYONE = 6;
const NOBODY = 8;
const MODERN = { client_capabilities: { include_deactivated_groups: true } };

let server: TestServer;
let owner: ApiClient;
let ann: ApiClient;
let ben: ApiClient;
let cleo: ApiClient;
let modern: TestQueue;
let legacy: TestQueue;
let made = 0;

beforeAll(async () => {
  ({ server, owner, ann, ben, cleo } = await startWithPeople());
  owner.userId = (await owner.ok('GET', '/users/me')).user_id;
});
beforeEach(async () => {
  modern = await cleo.register({ ...MODERN, event_types: ['user_group'] });
  legacy = await cleo.register({ event_types: ['user_group'] });
});
afterAll(() => server.stop());

const create = async (by: ApiClient, asked: Record<string, unknown> = {}): Promise<number> =>
  (await by.ok('POST', '/user_groups/create', { name: `group ${++made}`, description: '', members: [], ...asked }))
    .group_id;
const listed = async (asked = {}): Promise<any[]> => (await cleo.ok('GET', '/user_groups', asked)).user_groups;
const group = async (id: number): Promise<any> =>
  (await listed({ include_deactivated_groups: true })).find((one) => one.id === id);
const everybody = async (): Promise<number[]> => (await owner.ok('GET', `/user_groups/${EVERYONE}/members`)).members;
const eventOf = ({ id: _, ...event }: any): any => event;
const told = async (queue = modern): Promise<any[]> => (await queue.pending()).map(eventOf);
const registered = async (parameters = {}): Promise<any[]> =>
  (await cleo.register({ fetch_event_types: ['realm_user_groups'], ...parameters })).state.realm_user_groups;

describe('a group', () => {
  test('is created with what was asked, and shown alike everywhere', async () => {
    const id = await create(ann, {
      name: '  Cooks  ',
      description: 'Who cooks',
      members: [ben.userId, ann.userId],
      subgroups: [MEMBERS],
      can_mention_group: MEMBERS,
      can_join_group: { direct_members: [ben.userId], direct_subgroups: [] },
    });
    const creator = { direct_members: [ann.userId], direct_subgroups: [] };
    const expected = {
      id,
      name: 'Cooks',
      description: 'Who cooks',
      date_created: expect.any(Number),
      creator_id: ann.userId,
      is_system_group: false,
      members: [ann.userId, ben.userId],
      direct_subgroup_ids: [MEMBERS],
      deactivated: false,
      can_add_members_group: creator,
      can_join_group: { direct_members: [ben.userId], direct_subgroups: [] },
      can_leave_group: EVERYONE,
      can_manage_group: creator,
      can_mention_group: MEMBERS,
      can_remove_members_group: NOBODY,
    };
    expect(await group(id)).toEqual(expected);
    expect((await registered()).find((one) => one.id === id)).toEqual(expected);
    for (const queue of [modern, legacy])
      expect(await told(queue)).toEqual([{ type: 'user_group', op: 'add', group: await group(id) }]);
    await server.restart();
    expect(await group(id)).toEqual(expected);
  });

  test('that cannot be is refused', async () => {
    await create(ann, { name: 'Taken' });
    const asked = { name: 'taken', description: '', members: [] };
    expect(expectRefusal(await ann.call('POST', '/user_groups/create', asked), 'BAD_REQUEST').msg).toMatch(
      /already exists/,
    );
    const nobody = { ...asked, name: 'New', members: [9999] };
    expect(expectRefusal(await ann.call('POST', '/user_groups/create', nobody), 'BAD_REQUEST').msg).toMatch(
      /Invalid user ID/,
    );
    expectRefusal(await ann.call('POST', '/user_groups/create', { name: 'New' }), 'REQUEST_VARIABLE_MISSING');
  });

  test('is created by those whom the organization lets', async () => {
    await owner.ok('PATCH', '/realm', { can_create_groups: { new: 1 } });
    const asked = { name: 'No', description: '', members: [] };
    expectRefusal(await ann.call('POST', '/user_groups/create', asked), 'BAD_REQUEST');
    await owner.ok('PATCH', '/realm', { can_create_groups: { new: MEMBERS } });
    await create(ann, asked);
  });

  test('is changed by those who manage it, and clients are told what changed', async () => {
    const id = await create(ann);
    await told();
    expectRefusal(await ben.call('PATCH', `/user_groups/${id}`, { name: 'Chefs' }), 'BAD_REQUEST');
    expectRefusal(await owner.call('PATCH', '/user_groups/9999', { name: 'Chefs' }), 'BAD_REQUEST');
    expectRefusal(await owner.call('PATCH', `/user_groups/${MEMBERS}`, { name: 'Chefs' }), 'BAD_REQUEST');
    expectRefusal(await ann.call('PATCH', `/user_groups/${id}`), 'BAD_REQUEST');
    const update = { name: 'Chefs', can_join_group: { new: MEMBERS, old: NOBODY } };
    await ann.ok('PATCH', `/user_groups/${id}`, update);
    const data = { name: 'Chefs', can_join_group: MEMBERS };
    expect(await told()).toEqual([{ type: 'user_group', op: 'update', group_id: id, data }]);
    expect(await group(id)).toMatchObject(data);
    const refused = await ann.call('PATCH', `/user_groups/${id}`, { ...update, name: 'Others' });
    expectRefusal(refused, 'EXPECTATION_MISMATCH');
    expect(await group(id)).toMatchObject(data);
    expectRefusal(await ann.call('PATCH', `/user_groups/${id}`, { can_mention_group: MEMBERS }), 'BAD_REQUEST');
  });

  test('has no DELETE route', async () => {
    expect((await owner.call('DELETE', `/user_groups/${await create(ann)}`)).status).toBe(405);
  });
});

describe('deactivation', () => {
  test('takes the group away from older clients, and reactivation brings it back', async () => {
    const id = await create(ann, { members: [ben.userId] });
    await Promise.all([told(), told(legacy)]);
    await ann.ok('POST', `/user_groups/${id}/deactivate`);
    expect(await told()).toEqual([{ type: 'user_group', op: 'update', group_id: id, data: { deactivated: true } }]);
    expect(await told(legacy)).toEqual([{ type: 'user_group', op: 'remove', group_id: id }]);
    expect((await listed()).map((one) => one.id)).not.toContain(id);
    expect((await listed({ allow_deactivated: true })).map((one) => one.id)).toContain(id);
    expect((await registered()).map((one) => one.id)).not.toContain(id);
    expect((await registered(MODERN)).find((one) => one.id === id)).toMatchObject({ deactivated: true });

    await ann.ok('PATCH', `/user_groups/${id}`, { name: `renamed ${id}` });
    expect(await told()).toHaveLength(1);
    expect(await told(legacy)).toEqual([]);
    expectRefusal(await ann.call('POST', `/user_groups/${id}/members`, { add: [cleo.userId] }), 'BAD_REQUEST');

    await ann.ok('PATCH', `/user_groups/${id}`, { deactivated: false });
    expect(await told()).toEqual([{ type: 'user_group', op: 'update', group_id: id, data: { deactivated: false } }]);
    expect(await told(legacy)).toEqual([{ type: 'user_group', op: 'add', group: await group(id) }]);
  });

  test('is refused with all that uses the group', async () => {
    const id = await create(ann);
    const above = await create(ann, { subgroups: [id], can_join_group: id });
    const answer = await ann.call('POST', `/user_groups/${id}/deactivate`);
    expectRefusal(answer, 'CANNOT_DEACTIVATE_GROUP_IN_USE');
    expect(answer.body.objections).toEqual([
      { type: 'subgroup', supergroup_ids: [above] },
      { type: 'user_group', group_id: above, settings: ['can_join_group'] },
    ]);
    expect(await group(id)).toMatchObject({ deactivated: false });
  });

  test('leaves a group that no setting can name', async () => {
    const id = await create(ann);
    await ann.ok('POST', `/user_groups/${id}/deactivate`);
    expectRefusal(await owner.call('PATCH', '/realm', { can_create_groups: { new: id } }), 'BAD_REQUEST');
    const subscriptions = [{ name: 'never there' }];
    const asked = { subscriptions, can_send_message_group: id };
    expectRefusal(await ann.call('POST', '/users/me/subscriptions', asked), 'BAD_REQUEST');
  });
});

describe('members', () => {
  test('are read through all subgroups, or directly', async () => {
    const bakers = await create(ann, { members: [ben.userId] });
    const cooks = await create(ann, { members: [ann.userId], subgroups: [bakers] });
    const all = await create(ann, { subgroups: [cooks] });
    const read = (path: string, asked = {}) => cleo.ok('GET', `/user_groups/${all}/${path}`, asked);
    expect((await read('members')).members).toEqual([ann.userId, ben.userId]);
    expect((await read('members', { direct_member_only: true })).members).toEqual([]);
    expect((await read('subgroups')).subgroups).toEqual([bakers, cooks]);
    expect((await read('subgroups', { direct_subgroup_only: true })).subgroups).toEqual([cooks]);
    expect((await read(`members/${ben.userId}`)).is_user_group_member).toBe(true);
    const directly = await read(`members/${ben.userId}`, { direct_member_only: true });
    expect(directly.is_user_group_member).toBe(false);
    expect((await read(`members/${cleo.userId}`)).is_user_group_member).toBe(false);
    expectRefusal(await cleo.call('GET', `/user_groups/${all}/members/9999`), 'BAD_REQUEST');
    expectRefusal(await cleo.call('GET', '/user_groups/9999/members'), 'BAD_REQUEST');
    expect(await everybody()).toEqual([owner, ann, ben, cleo].map(({ userId }) => userId));
  });

  test('come and go, all that was asked or nothing, and clients are told', async () => {
    const sub = await create(ann);
    const id = await create(ann, { members: [ann.userId] });
    await told();
    await ann.ok('POST', `/user_groups/${id}/members`, { add: [cleo.userId, ben.userId], delete: [ann.userId] });
    await ann.ok('POST', `/user_groups/${id}/subgroups`, { add: [sub] });
    expect(await group(id)).toMatchObject({ members: [ben.userId, cleo.userId], direct_subgroup_ids: [sub] });
    await owner.ok('POST', `/user_groups/${id}/members`, { delete: [ben.userId], delete_subgroups: [sub] });
    expect(await group(id)).toMatchObject({ members: [cleo.userId], direct_subgroup_ids: [] });
    const about = { type: 'user_group', group_id: id };
    expect(await told()).toEqual([
      { ...about, op: 'add_members', user_ids: [ben.userId, cleo.userId] },
      { ...about, op: 'remove_members', user_ids: [ann.userId] },
      { ...about, op: 'add_subgroups', direct_subgroup_ids: [sub] },
      { ...about, op: 'remove_members', user_ids: [ben.userId] },
      { ...about, op: 'remove_subgroups', direct_subgroup_ids: [sub] },
    ]);
    const half = { add: [ben.userId], add_subgroups: [9999] };
    expectRefusal(await ann.call('POST', `/user_groups/${id}/members`, half), 'BAD_REQUEST');
    expectRefusal(await ann.call('POST', `/user_groups/${id}/subgroups`, { add: [id] }), 'BAD_REQUEST');
    expect(expectRefusal(await ann.call('POST', `/user_groups/${id}/members`), 'BAD_REQUEST').msg).toMatch(
      /Nothing to do/,
    );
    expectRefusal(await owner.call('POST', `/user_groups/${MEMBERS}/members`, { add: [1] }), 'BAD_REQUEST');
    expect(await told()).toEqual([]);
    expect(await group(id)).toMatchObject({ members: [cleo.userId], direct_subgroup_ids: [] });
  });

  test('that others added or removed are told so by the notification bot', async () => {
    const queue = await ben.register({ event_types: ['message'], apply_markdown: true });
    const own = await ann.register({ event_types: ['message'] });
    const id = await create(ann, { name: 'Guild', members: [ann.userId, ben.userId] });
    await ben.ok('POST', `/user_groups/${id}/members`, { delete: [ben.userId] });
    await ann.ok('POST', `/user_groups/${id}/members`, { add: [ben.userId] });
    await ann.ok('POST', `/user_groups/${id}/members`, { delete: [ann.userId] });
    await owner.ok('POST', `/user_groups/${id}/members`, { delete: [ben.userId] });
    const messages = (await queue.pending()).map(({ message }) => message);
    expect(messages.map(({ sender_full_name }) => sender_full_name)).toEqual(Array(3).fill('Notification Bot'));
    const contents = messages.map(({ content }) => content.replace(/<[^>]*>/g, ''));
    expect(contents).toEqual([
      'Ann Archer added you to the group Guild.',
      'Ann Archer added you to the group Guild.',
      'Olive Owner removed you from the group Guild.',
    ]);
    expect(messages[0].content).toContain(`class="user-group-mention silent" data-user-group-id="${id}"`);
    expect(await own.pending()).toEqual([]);
  });
});

describe('mentions', () => {
  test('name at most fifty groups aloud, in a message, an edit and a preview alike', async () => {
    const names = Array.from({ length: 51 }, (_, index) => `many ${index}`);
    for (const name of names) await create(ann, { name, members: [ben.userId] });
    const naming = (listed: readonly string[], mark = '@*'): string =>
      listed.map((name) => `${mark}${name}*`).join(' ');
    const all = naming(names);
    const id = await ann.sendTo([ben], naming(names.slice(1)));
    const answers = [
      await ann.call('POST', '/messages', { type: 'direct', to: [ben.userId], content: all }),
      await ann.call('PATCH', `/messages/${id}`, { content: all }),
      await ann.call('POST', '/messages/render', { content: all }),
    ];
    for (const answer of answers)
      expect(expectRefusal(answer, 'BAD_REQUEST').msg).toBe('A message can mention at most 50 user groups.');
    // Mentioned twice, and silently, are not more groups aloud.
    await ann.sendTo([ben], `${naming(names.slice(1))} @*many 1* ${naming(names, '@_*')}`);
  });

  const flagsOf = async (client: ApiClient, id: number): Promise<string[]> =>
    (await client.ok('GET', `/messages/${id}`)).message.flags;

  test('notify members through all subgroups, by those who may', async () => {
    const inner = await create(ann, { members: [ben.userId] });
    const id = await create(ann, { name: 'crew', subgroups: [inner], can_mention_group: MEMBERS });
    const message = await ann.sendTo([ben, cleo], 'Dear @*crew*');
    expect(await flagsOf(ben, message)).toContain('mentioned');
    expect(await flagsOf(cleo, message)).not.toContain('mentioned');
    const silent = await ann.sendTo([ben, cleo], 'Dear @_*crew*');
    expect(await flagsOf(ben, silent)).not.toContain('mentioned');
    await ann.ok('PATCH', `/user_groups/${id}`, { can_mention_group: { new: NOBODY } });
    const mention = { type: 'direct', to: [ben.userId], content: 'Dear @*crew*' };
    expect(expectRefusal(await ann.call('POST', '/messages', mention), 'BAD_REQUEST').msg).toMatch(
      /mention user group/,
    );
    await ann.sendTo([ben], 'Dear @_*crew*');
    // While a message is being written, its preview is shown, whoever may send it.
    const { rendered } = await ann.ok('POST', '/messages/render', { content: 'Dear @*crew*, @*role:members*' });
    expect(rendered).toContain(`data-user-group-id="${id}">@crew<`);
    expect(rendered).toContain(`data-user-group-id="${MEMBERS}"`);
  });

  test('of a group with the display name of a system group notify its members', async () => {
    const id = await create(ann, { name: 'Full members', members: [ben.userId] });
    const message = await ann.sendTo([ben], 'Dear @*Full members* and @_*role:fullmembers*');
    const { message: seen } = await ben.ok('GET', `/messages/${message}`);
    expect(seen.flags).toContain('mentioned');
    expect(seen.content).toContain(`data-user-group-id="${id}">@Full members<`);
    expect(seen.content).toMatch(/silent" data-user-group-id="4">Full members</);
  });

  test('of a deactivated group are none', async () => {
    const id = await create(ann, { name: 'gone', members: [ben.userId] });
    await ann.ok('POST', `/user_groups/${id}/deactivate`);
    const message = await ann.sendTo([ben], 'Dear @*gone*');
    const { message: seen } = await ben.ok('GET', `/messages/${message}`);
    expect([seen.flags.includes('mentioned'), seen.content.includes('user-group-mention')]).toEqual([false, false]);
  });
});

test('a permission that a group in a group holds is held by its members as long as they are in it', async () => {
  const inner = await create(owner, { members: [ben.userId] });
  const outer = await create(owner, { subgroups: [inner] });
  const id = await create(ann);
  await owner.ok('PATCH', `/user_groups/${id}`, { can_manage_group: { new: outer } });
  await ben.ok('PATCH', `/user_groups/${id}`, { description: 'by Ben' });
  await owner.ok('POST', `/user_groups/${inner}/members`, { delete: [ben.userId] });
  expectRefusal(await ben.call('PATCH', `/user_groups/${id}`, { description: 'again' }), 'BAD_REQUEST');
  await owner.ok('POST', `/user_groups/${outer}/members`, { add: [ben.userId] });
  await ben.ok('PATCH', `/user_groups/${id}`, { description: 'again' });
  await owner.ok('POST', `/user_groups/${outer}/subgroups`, { delete: [inner] });
  await ben.ok('PATCH', `/user_groups/${id}`, { description: 'still' });
});

test('guests read the list of groups, and that is all', async () => {
  const id = await create(ann, { members: [ben.userId] });
  const made = accountOf(server, 1 + Math.max(...(await everybody())), 'Gus Guest', 600);
  const guest = made.client;
  await server.restart(() => recordFacts(server, made.facts));
  const named = { new: { direct_members: [ann.userId, guest.userId], direct_subgroups: [] } };
  for (const setting of ['can_manage_group', 'can_join_group', 'can_add_members_group'])
    await owner.ok('PATCH', `/user_groups/${id}`, { [setting]: named });
  const { user_groups } = await guest.ok('GET', '/user_groups');
  expect(user_groups).toEqual(await listed());
  expect(await group(EVERYONE)).toMatchObject({ members: [guest.userId] });
  const routes: [string, string, object?][] = [
    ['POST', '/user_groups/create', { name: 'guests', description: '', members: [] }],
    ['PATCH', `/user_groups/${id}`, { name: 'guests' }],
    ['POST', `/user_groups/${id}/deactivate`],
    ['GET', `/user_groups/${id}/members`],
    ['POST', `/user_groups/${id}/members`, { add: [guest.userId] }],
    ['GET', `/user_groups/${id}/members/${ben.userId}`],
    ['GET', `/user_groups/${id}/subgroups`],
    ['POST', `/user_groups/${id}/subgroups`, { add: [MEMBERS] }],
  ];
  const before = await group(id);
  for (const [method, path, asked = {}] of routes)
    expectRefusal(await guest.call(method, path, { ...asked }), 'BAD_REQUEST');
  expect(await group(id)).toEqual(before);
});

test('a deactivated group hides from older clients who leaves it and comes back with an account', async () => {
  const member = await server.user('Dan Dean');
  const id = await create(ann, { members: [member.userId] });
  await ann.ok('POST', `/user_groups/${id}/deactivate`);
  await Promise.all([told(), told(legacy)]);
  const groupsOf = async (queue: TestQueue): Promise<number[]> => (await told(queue)).map(({ group_id }) => group_id);
  for (const [method, path] of [
    ['DELETE', ''],
    ['POST', '/reactivate'],
  ] as const) {
    await owner.ok(method, `/users/${member.userId}${path}`);
    expect(await groupsOf(modern)).toContain(id);
    expect(await groupsOf(legacy)).not.toContain(id);
  }
});
