import {
  REALM_PERMISSION_NAMES,
  REALM_PERMISSIONS,
  type RealmPermission,
  type RealmPermissionName,
} from '#realm/model';
import { systemGroupId } from '#groups/model';
import { audit } from '../../support/audit.js';
import type { Answer, ApiClient } from '../../support/client.js';
import { channelOf, startWithPeople } from '../../support/people.js';
import { picture, upload } from '../../support/pictures.js';
import type { TestServer } from '../../support/server.js';

/**
 * Each permission of the organization whose route exists: refused, granted by role, by name, by group and by nested group, and
 * withdrawn in each of these ways; with what clients are told and shown, and what guests gain.
 */

const OWNERS = 1;
const MODERATORS = 3;
const MEMBERS = 5;
/** A wildcard mention of more subscribers than these needs a permission. */
const MANY = 15;

let server: TestServer;
let owner: ApiClient;
let ann: ApiClient;
let ben: ApiClient;
let gus: ApiClient;
let floor: number;
let hall: number;
let foreignGroup: number;
let inner: number;
let outer: number;
const extras: ApiClient[] = [];
let made = 0;

beforeAll(async () => {
  ({ server, owner, ann, ben } = await startWithPeople());
  owner.userId = (await owner.ok('GET', '/users/me')).user_id;
  gus = await server.user('Gus Guest');
  await owner.ok('PATCH', `/users/${gus.userId}`, { role: 600 });
  for (let count = 0; count < MANY; count++) extras.push(await server.user());
  floor = await channelOf('floor', owner, ann, gus, ...extras);
  hall = await channelOf('hall', owner, ann, gus);
  const group = async (name: string, members: number[], subgroups: number[] = []): Promise<number> =>
    (await owner.ok('POST', '/user_groups/create', { name, description: '', members, subgroups })).group_id;
  foreignGroup = await group('foreign', [owner.userId]);
  inner = await group('inner', [ann.userId]);
  outer = await group('outer', [ben.userId], [await group('middle', [], [inner])]);
});
afterAll(() => server.stop());

const emoji = picture(8, 8);
const another = (what: string): string => `${what} ${++made}`;
const post = (actor: ApiClient, path: string, parameters: object): Promise<Answer> =>
  actor.call('POST', path, { ...parameters });
const patch = (actor: ApiClient, id: number, parameters: object): Promise<Answer> =>
  actor.call('PATCH', `/messages/${id}`, { ...parameters });
const subscribe = (actor: ApiClient, parameters: object): Promise<Answer> =>
  post(actor, '/users/me/subscriptions', { subscriptions: [{ name: another('channel') }], ...parameters });
const write = (actor: ApiClient, to: readonly ApiClient[]): Promise<Answer> =>
  post(actor, '/messages', { type: 'direct', to: to.map(({ userId }) => userId), content: 'hello' });

/** People with whom nobody has spoken yet. */
function* newCompanies(): Generator<ApiClient[]> {
  for (const one of extras) for (const two of extras) if (one.userId < two.userId) yield [one, two];
}
const companies = newCompanies();

/** A request that needs each permission. */
const routes: Partial<Record<RealmPermissionName, (actor: ApiClient) => Promise<Answer>>> = {
  async can_add_subscribers_group(actor) {
    const { userId } = ben;
    const asked = { subscriptions: [{ name: 'hall' }], principals: [userId] };
    const answer = await post(actor, '/users/me/subscriptions', asked);
    await owner.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['hall'], principals: [userId] });
    return answer;
  },
  can_add_custom_emoji_group: async (actor) =>
    upload(server, actor, { path: `/realm/emoji/${another('emoji').replaceAll(' ', '_')}`, files: [await emoji] }),
  can_audit_group: (actor) => audit(actor, 'audits'),
  can_create_groups: (actor) =>
    post(actor, '/user_groups/create', { name: another('group'), description: '', members: [] }),
  can_create_public_channel_group: (actor) => subscribe(actor, {}),
  can_create_private_channel_group: (actor) => subscribe(actor, { invite_only: true }),
  can_delete_any_message_group: async (actor) =>
    actor.call('DELETE', `/messages/${await owner.send(floor, 'topic', 'x')}`),
  can_delete_own_message_group: async (actor) =>
    actor.call('DELETE', `/messages/${await actor.send(floor, 'topic', 'x')}`),
  can_invite_users_group: (actor) =>
    post(actor, '/invites', { invitee_emails: `${another('invitee').replace(' ', '')}@example.test`, stream_ids: [] }),
  create_multiuse_invite_group: (actor) => post(actor, '/invites/multiuse', {}),
  can_manage_all_groups: (actor) => actor.call('PATCH', `/user_groups/${foreignGroup}`, { name: another('foreign') }),
  can_mention_many_users_group: (actor) =>
    post(actor, '/messages', { type: 'channel', to: floor, topic: 'topic', content: '@**all** hello' }),
  can_move_messages_between_channels_group: async (actor) =>
    patch(actor, await owner.send(floor, another('topic'), 'x'), { stream_id: hall }),
  can_move_messages_between_topics_group: async (actor) =>
    patch(actor, await owner.send(floor, another('topic'), 'x'), { topic: another('elsewhere') }),
  async can_resolve_topics_group(actor) {
    const topic = another('topic');
    const id = await owner.send(floor, topic, 'x');
    return patch(actor, id, { topic: `✔ ${topic}`, propagate_mode: 'change_all' });
  },
  can_set_delete_message_policy_group: (actor) => subscribe(actor, { can_delete_own_message_group: MEMBERS }),
  can_set_topics_policy_group: (actor) => subscribe(actor, { topics_policy: 'disable_empty_topic' }),
  direct_message_initiator_group: (actor) => write(actor, companies.next().value as ApiClient[]),
  direct_message_permission_group: (actor) => write(actor, extras.slice(0, 2)),
};

/** Permissions of features that this suite does not cover, and where they are. */
const ELSEWHERE: Partial<Record<RealmPermissionName, string>> = {
  can_access_all_users_group: 'the view that guests have of users',
  can_create_bots_group: 'bots',
  can_create_write_only_bots_group: 'bots',
  can_create_web_public_channel_group: 'web-public channels',
  can_manage_billing_group: 'there is no billing',
  can_summarize_topics_group: 'there are no summaries',
};

/** What guests may not do for another reason. */
const NOT_BY_GUESTS: ReadonlySet<string> = new Set(['can_set_topics_policy_group']);

/** Without them, the path is unknown. */
const HIDDEN: ReadonlySet<string> = new Set(['can_audit_group']);

/** What the register response says of the caller. */
const DERIVED: Partial<Record<RealmPermissionName, string>> = {
  can_create_public_channel_group: 'can_create_public_streams',
  can_create_private_channel_group: 'can_create_private_streams',
};

type Value = number | { direct_members: number[]; direct_subgroups: number[] };

const named = (...people: ApiClient[]): Value => ({
  direct_members: people.map(({ userId }) => userId),
  direct_subgroups: [],
});

test('every permission is covered', () => {
  expect([...Object.keys(routes), ...Object.keys(ELSEWHERE)].sort()).toEqual([...REALM_PERMISSION_NAMES].sort());
});

describe.each(Object.entries(routes))('%s', (name, act) => {
  const permission = name as RealmPermissionName;
  const rule: RealmPermission = REALM_PERMISSIONS[permission];
  const register = async (client: ApiClient): Promise<any> =>
    (await client.register({ fetch_event_types: ['realm', 'realm_user'] })).state;

  async function give(value: Value): Promise<void> {
    const queue = await ben.register({ event_types: ['realm'] });
    const before = (await register(ben))[`realm_${name}`];
    await owner.ok('PATCH', '/realm', { [name]: { new: value, old: before } });
    const event = { type: 'realm', op: 'update_dict', property: 'default', data: { [name]: value } };
    const told = (await queue.pending()).map(({ id: _, ...rest }) => rest);
    expect(told).toEqual(JSON.stringify(before) === JSON.stringify(value) ? [] : [event]);
    expect((await register(ben))[`realm_${name}`]).toEqual(value);
  }

  async function expectAllowed(actor: ApiClient, isAllowed: boolean, how: string): Promise<void> {
    const { status, body } = await act(actor);
    const { code = 'success', msg } = body;
    const refused = HIDDEN.has(permission) ? 404 : 400;
    expect([how, status, msg]).toEqual([how, isAllowed ? 200 : refused, isAllowed ? '' : expect.stringMatching(/./)]);
    if (!isAllowed) expect(code).toMatch(/^(BAD_REQUEST|UNAUTHORIZED_PRINCIPAL|STREAM_WILDCARD_MENTION_NOT_ALLOWED)$/);
    const derived = DERIVED[permission];
    if (derived !== undefined) expect([how, (await register(actor))[derived]]).toEqual([how, isAllowed]);
  }

  afterAll(async () => {
    await owner.ok('PATCH', '/realm', { [name]: { new: systemGroupId(rule.defaultGroup) } });
  });

  test('goes by role', async () => {
    await give(OWNERS);
    await expectAllowed(ann, false, 'owners alone');
    await give(MEMBERS);
    await expectAllowed(ann, true, 'members');
    await give(MODERATORS);
    await expectAllowed(ann, false, 'moderators alone');
    await owner.ok('PATCH', `/users/${ann.userId}`, { role: 300 });
    await expectAllowed(ann, true, 'as a moderator');
    await owner.ok('PATCH', `/users/${ann.userId}`, { role: 400 });
    await expectAllowed(ann, false, 'as a member again');
  });

  test('goes by name', async () => {
    await give(named(ann));
    await expectAllowed(ann, true, 'named');
    await give(named(ben));
    await expectAllowed(ann, false, 'another is named');
  });

  test.each([
    ['a group', () => inner],
    ['a nested group', () => outer],
    ['a nested group among others', (): Value => ({ direct_members: [ben.userId], direct_subgroups: [outer] })],
  ] as const)('goes by %s', async (_, value) => {
    await give(value());
    await expectAllowed(ann, true, 'in the group');
    await owner.ok('POST', `/user_groups/${inner}/members`, { delete: [ann.userId] });
    await expectAllowed(ann, false, 'out of the group');
    await owner.ok('POST', `/user_groups/${inner}/members`, { add: [ann.userId] });
    await expectAllowed(ann, true, 'in the group again');
  });

  test('is for guests where everyone may have it, and otherwise not even by name', async () => {
    await give(named(gus));
    await expectAllowed(gus, rule.allowsEveryone && !NOT_BY_GUESTS.has(name), 'a guest who is named');
  });

  test(rule.allowsNobody ? 'is given to nobody' : 'is never given to nobody', async () => {
    const { status } = await owner.call('PATCH', '/realm', { [name]: { new: 8 } });
    expect(status).toBe(rule.allowsNobody ? 200 : 400);
    if (rule.allowsNobody) await expectAllowed(ann, false, 'nobody');
    await owner.ok('PATCH', '/realm', { [name]: { new: rule.allowsEveryone ? 6 : MEMBERS } });
    await expectAllowed(ann, true, 'all who may have it');
  });
});
