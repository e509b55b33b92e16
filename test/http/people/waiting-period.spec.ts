import { until } from '#testing';
import { expectRefusal } from '../../support/answers.js';
import type { ApiClient } from '../../support/client.js';
import { startWithPeople } from '../../support/people.js';
import type { TestServer } from '../../support/server.js';

/** `waiting_period_threshold`: who is a full member, by time alone, and what follows. */

const FULL_MEMBERS = 4;
const MEMBERS = 5;
const DAY_MS = 86_400_000;

let server: TestServer;
let owner: ApiClient;
let ann: ApiClient;
let ben: ApiClient;
let cleo: ApiClient;
const now = Date.now;

beforeAll(async () => {
  ({ server, owner, ann, ben, cleo } = await startWithPeople());
  await owner.ok('PATCH', `/users/${cleo.userId}`, { role: 300 });
  await owner.ok('PATCH', '/realm', { can_create_groups: { new: FULL_MEMBERS } });
});
afterAll(async () => {
  Date.now = now;
  await server.stop();
});

const members = async (groupId: number): Promise<number[]> =>
  (await ann.ok('GET', `/user_groups/${groupId}/members`, { direct_member_only: true })).members;
const eventOf = ({ id: _, ...event }: any): any => event;
const fullMembers = (op: string, ...people: ApiClient[]): object => ({
  type: 'user_group',
  op,
  group_id: FULL_MEMBERS,
  user_ids: people.map(({ userId }) => userId),
});
let made = 0;
const create = (client: ApiClient) =>
  client.call('POST', '/user_groups/create', { name: `group ${++made}`, description: '', members: [] });

test('every member is a full member at first', async () => {
  expect(await members(FULL_MEMBERS)).toEqual([ann.userId, ben.userId]);
  expect((await create(ann)).status).toBe(200);
});

test('it is set by owners alone, to a number of days', async () => {
  const admin = await server.user('Ada Admin');
  await owner.ok('PATCH', `/users/${admin.userId}`, { role: 200 });
  expectRefusal(await admin.call('PATCH', '/realm', { waiting_period_threshold: 3 }), 'UNAUTHORIZED_PRINCIPAL');
  expectRefusal(await owner.call('PATCH', '/realm', { waiting_period_threshold: -1 }), 'BAD_REQUEST');
  expectRefusal(await owner.call('PATCH', '/realm', { waiting_period_threshold: 'x' }), 'REQUEST_VARIABLE_INVALID');
});

test('members who are not here for so many days are no full members any more, and clients are told', async () => {
  const queue = await ann.register({ event_types: ['user_group', 'realm'] });
  await owner.ok('PATCH', '/realm', { waiting_period_threshold: 3 });
  expect((await queue.pending()).map(eventOf)).toEqual([
    { type: 'realm', op: 'update', property: 'waiting_period_threshold', value: 3 },
    fullMembers('remove_members', ann, ben),
  ]);
  expect(await members(FULL_MEMBERS)).toEqual([]);
  expect(await members(MEMBERS)).toEqual([ann.userId, ben.userId]);
  const { state } = await ann.register({ fetch_event_types: ['realm', 'realm_user_groups'] });
  expect(state.realm_waiting_period_threshold).toBe(3);
  expect(state.realm_user_groups.find(({ id }: any) => id === FULL_MEMBERS).members).toEqual([]);
  expectRefusal(await create(ann), 'BAD_REQUEST');
  for (const always of [owner, cleo]) expect((await create(always)).status).toBe(200);
});

test('a newcomer waits, and so does who becomes a member', async () => {
  const queue = await ann.register({ event_types: ['user_group'] });
  const dora = await server.user('Dora Dunn');
  await owner.ok('PATCH', `/users/${cleo.userId}`, { role: 400 });
  await owner.ok('PATCH', `/users/${cleo.userId}`, { role: 300 });
  const changes = (await queue.pending()).map(({ op, group_id, user_ids }) => [op, group_id, ...user_ids]);
  expect(changes).toEqual([
    ['add_members', MEMBERS, dora.userId],
    ['remove_members', 3, cleo.userId],
    ['add_members', MEMBERS, cleo.userId],
    ['remove_members', MEMBERS, cleo.userId],
    ['add_members', 3, cleo.userId],
  ]);
  expectRefusal(await create(dora), 'BAD_REQUEST');
  await owner.ok('DELETE', `/users/${dora.userId}`);
});

test('time alone ends the waiting, at the whole day', async () => {
  Date.now = () => now() + 3 * DAY_MS - 60_000;
  await server.restart();
  expectRefusal(await create(ann), 'BAD_REQUEST');
  const queue = await ann.register({ event_types: ['user_group'] });
  Date.now = () => now() + 3 * DAY_MS;
  await server.restart();
  // The server looks when it has started, and does not wait for the end of it.
  await until(async () => (await members(FULL_MEMBERS)).length === 2);
  expect((await queue.pending()).map(eventOf)).toEqual([fullMembers('add_members', ann, ben)]);
  expect((await create(ann)).status).toBe(200);
  await server.restart();
  expect(await queue.pending()).toEqual([{ ...fullMembersGroupMade(), id: expect.any(Number) }]);
  expect(await members(FULL_MEMBERS)).toEqual([ann.userId, ben.userId]);
});

test('who becomes a member later has waited meanwhile', async () => {
  await owner.ok('PATCH', `/users/${cleo.userId}`, { role: 400 });
  expect(await members(FULL_MEMBERS)).toEqual([ann.userId, ben.userId, cleo.userId]);
  expect((await create(cleo)).status).toBe(200);
});

test('a longer time makes them wait again, and none ends all waiting', async () => {
  const queue = await ann.register({ event_types: ['user_group'] });
  await owner.ok('PATCH', '/realm', { waiting_period_threshold: 4 });
  expect((await queue.pending()).map(eventOf)).toEqual([fullMembers('remove_members', ann, ben, cleo)]);
  await owner.ok('PATCH', '/realm', { waiting_period_threshold: 4 });
  await owner.ok('PATCH', '/realm', { waiting_period_threshold: 5 });
  expect(await queue.pending()).toEqual([]);
  await owner.ok('PATCH', '/realm', { waiting_period_threshold: 0 });
  expect((await queue.pending()).map(eventOf)).toEqual([fullMembers('add_members', ann, ben, cleo)]);
});

function fullMembersGroupMade(): object {
  return { type: 'user_group', op: 'add', group: expect.objectContaining({ name: `group ${made}` }) };
}
