import { applyEvents } from '#testing';
import { channelId, expectRefusal } from '../../support/answers.js';
import type { ApiClient, TestQueue } from '../../support/client.js';
import { channelOf, startWithPeople } from '../../support/people.js';
import type { TestServer } from '../../support/server.js';

let server: TestServer;
let owner: ApiClient;
let ann: ApiClient;
let guest: ApiClient;
let moderator: ApiClient;
const ids: Record<string, number> = {};

beforeAll(async () => {
  ({ server, owner, ann } = await startWithPeople());
  [guest, moderator] = [await server.user('Gail Guest'), await server.user('Mo Moderator')];
  await owner.ok('PATCH', `/users/${guest.userId}`, { role: 600 });
  await owner.ok('PATCH', `/users/${moderator.userId}`, { role: 300 });
  for (const name of ['garden', 'kitchen', 'attic']) ids[name] = await channelOf(name, ann);
  for (const [client, name] of [[ann, 'diary'] as const, [owner, 'vault'] as const]) {
    await client.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }], invite_only: true });
    ids[name] = await channelId(client, name);
  }
});
afterAll(() => server.stop());

const idOf = (name: string): number => ids[name]!;
const fetched = async (client: ApiClient, key: string, field: string): Promise<any> =>
  (await client.register({ event_types: [], fetch_event_types: [key] })).state[field];
const defaults = (client: ApiClient): Promise<number[]> => fetched(client, 'default_streams', 'realm_default_streams');
const groups = (client: ApiClient): Promise<any[]> =>
  fetched(client, 'default_stream_groups', 'realm_default_stream_groups');
const toldTo = async (queue: TestQueue, type: string): Promise<any[]> =>
  (await queue.pending()).filter((event) => event.type === type).map(({ id: _, ...event }) => event);

describe('default channels', () => {
  test('are added and removed, and members are told', async () => {
    const before = await defaults(ann);
    const [members, guests] = [await ann.register(), await guest.register()];
    const stream_id = idOf('garden');
    const added = await owner.call('POST', '/default_streams', { stream_id });
    expect([added.status, added.body]).toEqual([200, { result: 'success', msg: '' }]);
    const after = await defaults(ann);
    expect([...after].sort((a, b) => a - b)).toEqual([...before, stream_id].sort((a, b) => a - b));
    const { streams } = await ann.ok('GET', '/streams', { include_default: true });
    expect(streams.find((one: any) => one.stream_id === stream_id).is_default).toBe(true);
    expect(await toldTo(members, 'default_streams')).toEqual([{ type: 'default_streams', default_streams: after }]);
    const removed = await owner.call('DELETE', '/default_streams', { stream_id });
    expect([removed.status, removed.body]).toEqual([200, { result: 'success', msg: '' }]);
    expect(await defaults(ann)).toEqual(before);
    expect(await toldTo(members, 'default_streams')).toEqual([{ type: 'default_streams', default_streams: before }]);
    expect(await toldTo(guests, 'default_streams')).toEqual([]);
    expect(await defaults(guest)).toEqual([]);
  });

  test('are told as they were after each change', async () => {
    const before = await defaults(ann);
    const queue = await ann.register();
    const stream_id = idOf('garden');
    await owner.ok('POST', '/default_streams', { stream_id });
    const after = await defaults(ann);
    await owner.ok('DELETE', '/default_streams', { stream_id });
    expect((await toldTo(queue, 'default_streams')).map((event) => event.default_streams)).toEqual([after, before]);
  });

  test('are those that new accounts are subscribed to', async () => {
    await owner.ok('POST', '/default_streams', { stream_id: idOf('garden') });
    const subscribed = async (client: ApiClient): Promise<string[]> =>
      (await client.ok('GET', '/users/me/subscriptions')).subscriptions.map(({ name }: any) => name);
    expect(await subscribed(await server.user('New One'))).toContain('garden');
    await owner.ok('DELETE', '/default_streams', { stream_id: idOf('garden') });
    expect(await subscribed(await server.user('New Two'))).not.toContain('garden');
  });

  test('twice is once', async () => {
    const queue = await ann.register();
    for (const [method, count] of [
      ['POST', 1],
      ['POST', 0],
      ['DELETE', 1],
      ['DELETE', 0],
    ] as const) {
      await owner.ok(method, '/default_streams', { stream_id: idOf('attic') });
      expect(await toldTo(queue, 'default_streams')).toHaveLength(count);
    }
  });

  test('are not private, and not unknown', async () => {
    const before = await defaults(ann);
    for (const stream_id of [idOf('vault'), 999_999])
      expectRefusal(await owner.call('POST', '/default_streams', { stream_id }), 'BAD_REQUEST');
    expectRefusal(await owner.call('DELETE', '/default_streams', { stream_id: 999_999 }), 'BAD_REQUEST');
    expect(await defaults(ann)).toEqual(before);
  });

  test.each(['POST', 'DELETE'])('%s is for administrators, and names a channel', async (method) => {
    for (const client of [ann, guest, moderator])
      for (const stream_id of [idOf('kitchen'), idOf('diary'), 999_999])
        expectRefusal(await client.call(method, '/default_streams', { stream_id }), 'UNAUTHORIZED_PRINCIPAL');
    const answer = await owner.call(method, '/default_streams');
    expect(expectRefusal(answer, 'REQUEST_VARIABLE_MISSING').var_name).toBe('stream_id');
    expectRefusal(await owner.call(method, '/default_streams', { stream_id: 'kitchen' }), 'REQUEST_VARIABLE_INVALID');
  });
});

describe('default channel groups', () => {
  const path = '/default_stream_groups';
  const create = (client: ApiClient, group_name: string, stream_names: unknown, description = 'Why') =>
    client.call('POST', `${path}/create`, { group_name, description, stream_names });
  const groupId = async (name: string): Promise<number> => (await groups(ann)).find((one) => one.name === name).id;

  test('are created with their channels, and told to members', async () => {
    const [members, guests] = [await ann.register(), await guest.register()];
    const answer = await create(owner, ' House ', ['kitchen', 'GARDEN', 'kitchen']);
    expect([answer.status, answer.body]).toEqual([200, { result: 'success', msg: '' }]);
    const streams = [idOf('garden'), idOf('kitchen')];
    const all = [{ id: expect.any(Number), name: 'House', description: 'Why', streams }];
    expect(await groups(ann)).toEqual(all);
    expect(await toldTo(members, 'default_stream_groups')).toEqual([
      { type: 'default_stream_groups', default_stream_groups: all },
    ]);
    expect(await groups(guest)).toEqual([]);
    expect(await toldTo(guests, 'default_stream_groups')).toEqual([]);
  });

  test('are renamed and described', async () => {
    const id = await groupId('House');
    const queue = await ann.register();
    await owner.ok('PATCH', `${path}/${id}`, { new_group_name: 'Home' });
    await owner.ok('PATCH', `${path}/${id}`, { new_description: '' });
    await owner.ok('PATCH', `${path}/${id}`, { new_description: '', new_group_name: 'Home' });
    expect((await groups(ann))[0]).toMatchObject({ id, name: 'Home', description: '' });
    const told = await toldTo(queue, 'default_stream_groups');
    const [{ streams }] = await groups(ann);
    expect(told.map((event) => event.default_stream_groups)).toEqual(
      ['Why', ''].map((description) => [{ id, name: 'Home', description, streams }]),
    );
    expect(applyEvents(queue.state, told)['realm_default_stream_groups']).toEqual(await groups(ann));
  });

  test('gain and lose channels', async () => {
    const id = await groupId('Home');
    const change = (op: string, stream_names: unknown) =>
      owner.call('PATCH', `${path}/${id}/streams`, { op, stream_names });
    expect((await change('add', ['attic'])).body).toEqual({ result: 'success', msg: '' });
    expect((await groups(ann))[0].streams).toEqual([idOf('garden'), idOf('kitchen'), idOf('attic')]);
    expect((await change('remove', ['garden', 'attic'])).status).toBe(200);
    expect((await groups(ann))[0].streams).toEqual([idOf('kitchen')]);
    for (const [op, names] of [
      ['add', ['garden', 'kitchen']],
      ['remove', ['kitchen', 'garden']],
      ['add', ['garden', 'nowhere']],
      ['add', ['garden', 'vault']],
      ['add', ['garden', 'general']],
      ['swap', ['garden']],
      ['add', [1]],
    ] as const)
      expectRefusal(await change(op, names), 'BAD_REQUEST');
    expect((await groups(ann))[0].streams).toEqual([idOf('kitchen')]);
  });

  test.each([
    ['without a name', '', ['garden']],
    ['with a long name', 'x'.repeat(61), ['garden']],
    ['with a hidden character', 'a\u200Bb', ['garden']],
    ['with a name in use', 'HOME', ['garden']],
    ['with an unknown channel', 'Other', ['garden', 'nowhere']],
    ['with a private channel', 'Other', ['vault']],
    ['with a default channel', 'Other', ['general']],
  ])('%s are refused', async (_, name, names) => {
    const before = await groups(ann);
    expectRefusal(await create(owner, name, names), 'BAD_REQUEST');
    expect(await groups(ann)).toEqual(before);
  });

  test.each([
    ['no change', {}],
    ['an empty name', { new_group_name: ' ' }],
    ['a name in use', { new_group_name: 'TAKEN' }],
    ['a long description', { new_description: 'x'.repeat(1025) }],
  ])('%s is refused', async (_, parameters) => {
    if ((await groups(ann)).every(({ name }) => name !== 'Taken')) await create(owner, 'Taken', []);
    const before = await groups(ann);
    expectRefusal(await owner.call('PATCH', `${path}/${await groupId('Home')}`, parameters), 'BAD_REQUEST');
    expect(await groups(ann)).toEqual(before);
  });

  test('are listed by name, and removed', async () => {
    expect((await groups(ann)).map(({ name }) => name)).toEqual(['Home', 'Taken']);
    const queue = await ann.register();
    const id = await groupId('Taken');
    expect((await owner.call('DELETE', `${path}/${id}`)).body).toEqual({ result: 'success', msg: '' });
    expect((await groups(ann)).map(({ name }) => name)).toEqual(['Home']);
    const [told] = await toldTo(queue, 'default_stream_groups');
    expect(told.default_stream_groups).toEqual(await groups(ann));
    expectRefusal(await owner.call('DELETE', `${path}/${id}`), 'BAD_REQUEST');
    expectRefusal(await owner.call('PATCH', `${path}/${id}`, { new_group_name: 'x' }), 'BAD_REQUEST');
  });

  test('vanish for those who become guests, and come back with their role', async () => {
    const other = await server.user('Ola Other');
    const queue = await other.register();
    await owner.ok('PATCH', `/users/${other.userId}`, { role: 600 });
    expect((await toldTo(queue, 'default_stream_groups'))[0].default_stream_groups).toEqual([]);
    await owner.ok('PATCH', `/users/${other.userId}`, { role: 400 });
    expect((await toldTo(queue, 'default_stream_groups'))[0].default_stream_groups).toEqual(await groups(ann));
  });

  test('leave out channels that are private or archived now', async () => {
    const id = await groupId('Home');
    await owner.ok('PATCH', `${path}/${id}/streams`, { op: 'add', stream_names: ['garden', 'attic'] });
    const queue = await ann.register();
    await ann.ok('PATCH', `/streams/${idOf('garden')}`, { is_private: true });
    await ann.ok('DELETE', `/streams/${idOf('attic')}`);
    expect((await groups(ann))[0].streams).toEqual([idOf('kitchen')]);
    const told = await toldTo(queue, 'default_stream_groups');
    expect(told.at(-1).default_stream_groups).toEqual(await groups(ann));
  });

  test('are for administrators', async () => {
    const id = await groupId('Home');
    const before = await groups(ann);
    for (const client of [ann, guest, moderator]) {
      const answers = [
        await create(client, 'Other', ['kitchen']),
        await client.call('PATCH', `${path}/${id}`, { new_group_name: 'Other' }),
        await client.call('PATCH', `${path}/${id}/streams`, { op: 'remove', stream_names: ['kitchen'] }),
        await client.call('DELETE', `${path}/${id}`),
        await client.call('DELETE', `${path}/999999`),
      ];
      for (const answer of answers) expectRefusal(answer, 'UNAUTHORIZED_PRINCIPAL');
    }
    expect(await groups(ann)).toEqual(before);
  });
});
