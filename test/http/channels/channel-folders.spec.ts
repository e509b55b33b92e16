import { applyEvents } from '#testing';
import { expectRefusal } from '../../support/answers.js';
import type { ApiClient, TestQueue } from '../../support/client.js';
import { startWithPeople } from '../../support/people.js';
import type { TestServer } from '../../support/server.js';

let server: TestServer;
let owner: ApiClient;
let ann: ApiClient;
let guest: ApiClient;
let admin: ApiClient;
let made = 0;

beforeAll(async () => {
  ({ server, owner, ann } = await startWithPeople());
  [guest, admin] = [await server.user('Gail Guest'), await server.user('Ada Admin')];
  await owner.ok('PATCH', `/users/${guest.userId}`, { role: 600 });
  await owner.ok('PATCH', `/users/${admin.userId}`, { role: 200 });
});
afterAll(() => server.stop());

const create = async (name = `Folder ${++made}`, description = ''): Promise<number> =>
  (await owner.ok('POST', '/channel_folders/create', { name, description })).channel_folder_id;
const change = (client: ApiClient, id: number, parameters: Record<string, unknown>) =>
  client.call('PATCH', `/channel_folders/${id}`, parameters);
const list = async (client: ApiClient, parameters = {}): Promise<any[]> =>
  (await client.ok('GET', '/channel_folders', parameters)).channel_folders;
const all = (): Promise<any[]> => list(owner, { include_archived: true });
const folder = async (id: number): Promise<any> => (await all()).find((one) => one.id === id);
const toldTo = async (queue: TestQueue): Promise<any[]> =>
  (await queue.pending()).filter(({ type }) => type === 'channel_folder').map(({ id: _, ...event }) => event);
const inFolder = (client: ApiClient, name: string, folder_id: unknown) =>
  client.call('POST', '/users/me/subscriptions', { subscriptions: [{ name }], folder_id });

describe('creating', () => {
  test('creates a folder that all users may list, guests too, with an event', async () => {
    const queues = [await ann.register(), await guest.register()];
    const before = Math.floor(Date.now() / 1000);
    const body = await owner.ok('POST', '/channel_folders/create', { name: ' Teams ', description: 'All *teams*' });
    const id = body.channel_folder_id;
    expect(body).toEqual({ result: 'success', msg: '', channel_folder_id: expect.any(Number) });
    const order = (await all()).length - 1;
    const wire = {
      id,
      name: 'Teams',
      order,
      description: 'All *teams*',
      rendered_description: '<p>All <em>teams</em></p>',
      creator_id: (await owner.ok('GET', '/users/me')).user_id,
      date_created: expect.any(Number),
      is_archived: false,
    };
    for (const client of [owner, ann, guest]) expect((await list(client)).at(-1)).toEqual(wire);
    expect((await folder(id)).date_created).toBeGreaterThanOrEqual(before);
    for (const queue of queues)
      expect(await toldTo(queue)).toEqual([{ type: 'channel_folder', op: 'add', channel_folder: wire }]);
  });

  test('by an administrator, without a description', async () => {
    const id = (await admin.ok('POST', '/channel_folders/create', { name: 'Plain', description: '' }))
      .channel_folder_id;
    expect(await folder(id)).toMatchObject({ description: '', rendered_description: '', creator_id: admin.userId });
  });

  test.each([
    ['an empty name', { name: '', description: '' }],
    ['a blank name', { name: '  ', description: '' }],
    ['a name of 101 characters', { name: 'x'.repeat(101), description: '' }],
    ['a control character', { name: 'a\u0007b', description: '' }],
    ['a name in use, in another case', { name: 'TEAMS', description: '' }],
    ['a description of 1025 characters', { name: 'Fine', description: 'x'.repeat(1025) }],
    ['NUL in the description', { name: 'Fine', description: 'a\0b' }],
  ])('with %s is refused', async (_, parameters) => {
    const before = await all();
    const queue = await ann.register();
    expectRefusal(await owner.call('POST', '/channel_folders/create', parameters), 'BAD_REQUEST');
    expect(await all()).toEqual(before);
    expect(await toldTo(queue)).toEqual([]);
  });

  test('accepts the limits', async () => {
    const id = await create('x'.repeat(100), '🙂'.repeat(1024));
    expect((await folder(id)).description).toBe('🙂'.repeat(1024));
  });

  test.each(['name', 'description'])('needs %s', async (missing) => {
    const { [missing]: _, ...rest }: Record<string, string> = { name: 'Fine', description: '' };
    const answer = await owner.call('POST', '/channel_folders/create', rest);
    expect(expectRefusal(answer, 'REQUEST_VARIABLE_MISSING').var_name).toBe(missing);
  });
});

describe('changing', () => {
  test.each([
    [{ name: 'Renamed' }, { name: 'Renamed' }],
    [{ description: '**New**' }, { description: '**New**', rendered_description: '<p><strong>New</strong></p>' }],
    [{ description: '' }, { description: '', rendered_description: '' }],
    [
      { name: 'renamed', is_archived: true },
      { name: 'renamed', is_archived: true },
    ],
    [{ is_archived: false }, { is_archived: false }],
  ])('%j is kept and told', async (asked, data) => {
    const id = (await all()).find(({ name }) => /^(Plain|renamed)$/i.test(name)).id;
    const queues = [await ann.register(), await guest.register()];
    const before = await folder(id);
    const answer = await change(admin, id, asked);
    expect([answer.status, answer.body]).toEqual([200, { result: 'success', msg: '' }]);
    expect(await folder(id)).toEqual({ ...before, ...data });
    for (const queue of queues) {
      const told = await toldTo(queue);
      expect(told).toEqual([{ type: 'channel_folder', op: 'update', channel_folder_id: id, data }]);
      expect(applyEvents(queue.state, told)['channel_folders']).toEqual(await all());
    }
  });

  test('what does not change is not told', async () => {
    const id = await create('Same', 'Old');
    const queue = await ann.register();
    for (const asked of [{}, { name: 'Same' }, { description: 'Old' }, { is_archived: false }])
      expect((await change(owner, id, asked)).status).toBe(200);
    expect(await toldTo(queue)).toEqual([]);
  });

  test.each([
    ['an empty name', { name: '' }],
    ['a name in use', { name: 'teams' }],
    ['a long name', { name: 'x'.repeat(101) }],
    ['a long description', { name: 'Good', description: 'x'.repeat(1025) }],
  ])('to %s is refused, and nothing is changed', async (_, asked) => {
    const id = await create();
    const before = await folder(id);
    expectRefusal(await change(owner, id, { description: 'Good', ...asked }), 'BAD_REQUEST');
    expect(await folder(id)).toEqual(before);
  });

  test.each([999_999, 0, -1])('an unknown folder %j is refused', async (id) => {
    expectRefusal(await change(owner, id, { name: 'Any' }), 'BAD_REQUEST');
  });

  test('a flag that is none is refused', async () => {
    expectRefusal(await change(owner, await create(), { is_archived: 'maybe' }), 'REQUEST_VARIABLE_INVALID');
  });
});

describe('archived folders', () => {
  test('are listed on request, and in the register response', async () => {
    const id = await create();
    await owner.ok('PATCH', `/channel_folders/${id}`, { is_archived: true });
    expect((await list(ann)).map((one) => one.id)).not.toContain(id);
    expect((await list(ann, { include_archived: true })).map((one) => one.id)).toContain(id);
    const { state } = await guest.register({ fetch_event_types: ['channel_folders'] });
    expect(state.channel_folders).toEqual(await all());
  });

  test('leave their name to others, and cannot come back while it is taken', async () => {
    const id = await create('Twice');
    await owner.ok('PATCH', `/channel_folders/${id}`, { is_archived: true });
    await create('twice');
    expectRefusal(await change(owner, id, { is_archived: false }), 'BAD_REQUEST');
    expect((await change(owner, id, { is_archived: false, name: 'Thrice' })).status).toBe(200);
  });

  test('were empty before, and stay so', async () => {
    const id = await create();
    expect((await inFolder(ann, `in folder ${id}`, id)).status).toBe(200);
    expectRefusal(await change(owner, id, { is_archived: true }), 'BAD_REQUEST');
    expect((await folder(id)).is_archived).toBe(false);
    const empty = await create();
    await owner.ok('PATCH', `/channel_folders/${empty}`, { is_archived: true });
    expectRefusal(await inFolder(ann, 'never made', empty), 'BAD_REQUEST');
  });
});

describe('the order', () => {
  test('is that of a list of all folders, archived ones included', async () => {
    const queue = await guest.register();
    const order = (await all()).map(({ id }) => id).reverse();
    const answer = await admin.call('PATCH', '/channel_folders', { order });
    expect([answer.status, answer.body]).toEqual([200, { result: 'success', msg: '' }]);
    const folders = await all();
    expect(folders.map(({ id }) => id)).toEqual(order);
    expect(folders.map((one) => one.order)).toEqual(order.map((_, index) => index));
    const told = await toldTo(queue);
    expect(told).toEqual([{ type: 'channel_folder', op: 'reorder', order }]);
    expect(applyEvents(queue.state, told)['channel_folders']).toEqual(folders);
    await owner.ok('PATCH', '/channel_folders', { order });
    expect(await toldTo(queue)).toEqual([]);
  });

  test.each<[string, (ids: number[]) => unknown]>([
    ['without one', (ids) => ids.slice(1)],
    ['with one twice', (ids) => [...ids.slice(1), ids.at(-1)]],
    ['with one too many', (ids) => [...ids, ids[0]]],
    ['with an unknown one', (ids) => [...ids.slice(1), 999_999]],
    ['with text', (ids) => ids.map(String)],
  ])('%s is refused', async (_, wrong) => {
    const before = await all();
    const order = wrong(before.map(({ id }) => id));
    expectRefusal(await owner.call('PATCH', '/channel_folders', { order }), 'BAD_REQUEST');
    expect(await all()).toEqual(before);
  });

  test('must be there', async () => {
    const answer = await owner.call('PATCH', '/channel_folders');
    expect(expectRefusal(answer, 'REQUEST_VARIABLE_MISSING').var_name).toBe('order');
  });
});

test('only administrators change folders', async () => {
  const id = await create('Closed');
  const before = await all();
  const order = before.map((one) => one.id).reverse();
  const moderator = await server.user('Mo Moderator');
  await owner.ok('PATCH', `/users/${moderator.userId}`, { role: 300 });
  for (const client of [ann, guest, moderator]) {
    const answers = [
      await client.call('POST', '/channel_folders/create', { name: 'Open', description: '' }),
      await change(client, id, { name: 'Open' }),
      await change(client, 999_999, { name: 'Open' }),
      await change(client, id, {}),
      await client.call('PATCH', '/channel_folders', { order }),
    ];
    for (const answer of answers) expectRefusal(answer, 'UNAUTHORIZED_PRINCIPAL');
  }
  expect(await all()).toEqual(before);
});

test('a channel is created in a folder, and in no unknown one', async () => {
  const id = await create();
  const queue = await ann.register();
  expect((await inFolder(ann, 'filed', id)).status).toBe(200);
  const { streams } = await ann.ok('GET', '/streams');
  expect(streams.find(({ name }: any) => name === 'filed').folder_id).toBe(id);
  const created = (await queue.pending()).find(({ type, op }) => type === 'stream' && op === 'create');
  expect(created.streams[0].folder_id).toBe(id);
  expectRefusal(await inFolder(ann, 'never made', 999_999), 'BAD_REQUEST');
  expectRefusal(await ann.call('GET', '/get_stream_id', { stream: 'never made' }), 'BAD_REQUEST');
});

test('a channel is put into a folder, and taken out of it by null', async () => {
  const id = await create();
  expect((await inFolder(ann, 'moved about', null)).status).toBe(200);
  const { stream_id } = await ann.ok('GET', '/get_stream_id', { stream: 'moved about' });
  const queue = await ann.register({ event_types: ['stream'] });
  for (const folder_id of [id, 'null', 'null']) await ann.ok('PATCH', `/streams/${stream_id}`, { folder_id });
  const told = { type: 'stream', op: 'update', stream_id, name: 'moved about', property: 'folder_id' };
  expect((await queue.pending()).map(({ id: _, ...event }) => event)).toEqual([
    { ...told, value: id },
    { ...told, value: null },
  ]);
  expect((await ann.ok('GET', `/streams/${stream_id}`)).stream.folder_id).toBeNull();
});
