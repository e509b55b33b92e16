import { fetch } from '#testing';
import { expectRefusal, messageOf } from '../../support/answers.js';
import type { Answer, ApiClient, TestQueue } from '../../support/client.js';
import { channelOf, startWithPeople } from '../../support/people.js';
import { animation, picture, shapeOf, upload } from '../../support/pictures.js';
import type { TestServer } from '../../support/server.js';

/** Custom emoji (endpoints.md §12, /realm/emoji), in messages, reactions and statuses. */

let server: TestServer;
let owner: ApiClient;
let ann: ApiClient;
let ben: ApiClient;
let cleo: ApiClient;
let still: Buffer;
beforeAll(async () => {
  ({ server, owner, ann, ben, cleo } = await startWithPeople());
  await channelOf('hall', ann, ben, cleo);
  still = await picture(90, 30, 120);
});
afterAll(() => server.stop());

const add = (client: ApiClient, name: string, ...files: Buffer[]): Promise<Answer> =>
  upload(server, client, { path: `/realm/emoji/${encodeURIComponent(name)}`, files });
const remove = (client: ApiClient, name: string): Promise<Answer> => client.call('DELETE', `/realm/emoji/${name}`);
const all = async (client = cleo): Promise<any> => (await client.ok('GET', '/realm/emoji')).emoji;
const named = async (name: string): Promise<any[]> =>
  Object.values<any>(await all()).filter((emoji) => emoji.name === name);
const made = async (client: ApiClient, name: string, file = still): Promise<any> => {
  const { status, body } = await add(client, name, file);
  expect([name, status, body]).toEqual([name, 200, { result: 'success', msg: '' }]);
  return (await named(name.replaceAll(' ', '_'))).at(-1);
};
const load = (address: string): Promise<Response> => fetch(new URL(address, server.url));
const heard = async (queue: TestQueue): Promise<any[]> => (await queue.pending()).map(({ id: _, ...event }) => event);
const rendered = async (content: string): Promise<string> =>
  (await ben.ok('POST', '/messages/render', { content })).rendered;

test('an emoji is added, told to everybody and shown', async () => {
  const queues = await Promise.all([ann, ben].map((user) => user.register({ event_types: ['realm_emoji'] })));
  expect(queues[0]!.state.realm_emoji).toEqual({});
  const party = await made(ann, 'party cat');
  expect(party).toEqual({
    id: '1',
    name: 'party_cat',
    source_url: '/user_avatars/1/emoji/images/1.png',
    still_url: null,
    deactivated: false,
    author_id: ann.userId,
  });
  for (const queue of queues)
    expect(await heard(queue)).toEqual([{ type: 'realm_emoji', op: 'update', realm_emoji: { 1: party } }]);
  expect((await ben.register({ fetch_event_types: ['realm_emoji'] })).state.realm_emoji).toEqual({ 1: party });
  const response = await load(party.source_url);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  });
  expect(await shapeOf(await response.arrayBuffer())).toEqual({ format: 'png', width: 64, height: 64, pages: 1 });
  expect(await rendered('a :party_cat: b :no_cat:')).toBe(
    `<p>a <img alt=":party_cat:" class="emoji" src="${party.source_url}" title="party cat"> b :no_cat:</p>`,
  );
});

test('an animation moves, and has a still picture', async () => {
  const { id, source_url, still_url } = await made(ann, 'spin', await animation(30, 4));
  expect(source_url).toBe(`/user_avatars/1/emoji/images/${id}.gif`);
  const response = await load(source_url);
  expect(response.headers.get('content-type')).toBe('image/gif');
  expect(await shapeOf(await response.arrayBuffer())).toEqual({ format: 'gif', width: 64, height: 64, pages: 4 });
  expect(await shapeOf(await (await load(still_url)).arrayBuffer())).toMatchObject({ format: 'png', pages: 1 });
  expect(await rendered(':spin:')).toContain(`src="${source_url}"`);
});

test.each(['0.png', '99.png', '1.gif', '1-still.png', '1', 'x.png', '01.png', '1.svg'])(
  'no picture is at %s',
  async (file) => {
    expect((await load(`/user_avatars/1/emoji/images/${file}`)).status).toBe(404);
  },
);

describe('is refused', () => {
  afterEach(async () => {
    expect(Object.keys(await all())).toHaveLength(2);
  });

  test.each(['Party', 'party!', 'ends_', '..', 'é'])('the name %j', async (name) => {
    expectRefusal(await add(ann, name === '..' ? '%2e%2e' : name, still), 'BAD_REQUEST');
  });

  test('a name with a slash, however it is written', async () => {
    for (const path of ['my/emoji', 'my%2Femoji', 'my/emoji/'])
      expect(
        expectRefusal(await upload(server, ann, { path: `/realm/emoji/${path}`, files: [still] }), 'BAD_REQUEST').msg,
      ).toMatch(/^Emoji names must contain only/);
  });

  test('a name in use', async () => {
    expectRefusal(await add(ben, 'party cat', still), 'BAD_REQUEST');
  });

  test('the name of a built-in emoji, from whom is no administrator', async () => {
    for (const name of ['smile', 'zulip']) expectRefusal(await add(ann, name, still), 'BAD_REQUEST');
  });

  test('any number of files but one', async () => {
    expectRefusal(await add(ann, 'none'), 'BAD_REQUEST');
    expectRefusal(await add(ann, 'two', still, still), 'BAD_REQUEST');
  });

  test('what is no image, or too large', async () => {
    expectRefusal(await add(ann, 'text', Buffer.from('text')), 'BAD_IMAGE');
    expectRefusal(await add(ann, 'large', Buffer.alloc(5 * 1024 * 1024 + 1)), 'BAD_REQUEST');
  });

  test('whoever may not add emoji', async () => {
    await owner.ok('PATCH', '/realm', { can_add_custom_emoji_group: { new: 2 } });
    expectRefusal(await add(ann, 'mine', still), 'BAD_REQUEST');
    await owner.ok('PATCH', '/realm', { can_add_custom_emoji_group: { new: 5 } });
  });
});

test('administrators put an emoji in the place of a built-in one', async () => {
  const smile = await made(owner, 'smile');
  expect(await rendered(':smile:')).toContain(`src="${smile.source_url}"`);
  const id = await ann.send('hall', 'smiles', ':smile:');
  await ben.ok('POST', `/messages/${id}/reactions`, { emoji_name: 'smile' });
  const builtIn = { emoji_name: 'smile', emoji_code: '1f642', reaction_type: 'unicode_emoji' };
  await cleo.ok('POST', `/messages/${id}/reactions`, builtIn);
  expect((await messageOf(ann, id)).reactions).toEqual([
    expect.objectContaining({ emoji_name: 'smile', emoji_code: smile.id, reaction_type: 'realm_emoji' }),
    expect.objectContaining(builtIn),
  ]);
  expect((await remove(owner, 'smile')).status).toBe(200);
  expect(await rendered(':smile:')).toContain('class="emoji emoji-1f642"');
});

describe('a reaction and a status', () => {
  let id: number;
  let code: string;
  beforeAll(async () => {
    id = await ann.send('hall', 'reactions', 'x');
    code = (await made(ann, 'wave_fast')).id;
  });
  const react = (client: ApiClient, asked: object, method = 'POST'): Promise<Answer> =>
    client.call(method, `/messages/${id}/reactions`, { ...asked });
  const custom = (change: object = {}): object => {
    return { emoji_name: 'wave_fast', emoji_code: code, reaction_type: 'realm_emoji', ...change };
  };

  test('have a custom emoji, by name alone as well', async () => {
    const queue = await cleo.register({ event_types: ['reaction', 'user_status'] });
    expect((await react(ben, { emoji_name: 'wave_fast' })).status).toBe(200);
    expect((await react(ann, custom())).status).toBe(200);
    await ben.ok('POST', '/users/me/status', { status_text: 'out', ...custom() });
    expect(await heard(queue)).toEqual([
      expect.objectContaining({ type: 'reaction', op: 'add', user_id: ben.userId, ...custom() }),
      expect.objectContaining({ type: 'reaction', op: 'add', user_id: ann.userId, ...custom() }),
      { type: 'user_status', user_id: ben.userId, status_text: 'out', ...custom() },
    ]);
  });

  test.each<[string, object]>([
    ['another name', { emoji_name: 'party_cat' }],
    ['an unknown name', { emoji_name: 'nothing' }],
    ['an unknown ID', { emoji_code: '77' }],
    ['something that is no ID', { emoji_code: '1f642' }],
    ['another type', { reaction_type: 'unicode_emoji' }],
  ])('have none with %s', async (_, change) => {
    const other = await ann.send('hall', 'reactions', 'z');
    expectRefusal(await cleo.call('POST', `/messages/${other}/reactions`, { ...custom(change) }), 'BAD_REQUEST');
    expectRefusal(await cleo.call('POST', '/users/me/status', { ...custom(change) }), 'BAD_REQUEST');
  });

  test('have no deactivated one, but a reaction is joined and removed', async () => {
    expect((await remove(ann, 'wave_fast')).status).toBe(200);
    const other = await ann.send('hall', 'reactions', 'y');
    for (const asked of [custom(), { emoji_name: 'wave_fast' }])
      expectRefusal(await ben.call('POST', `/messages/${other}/reactions`, { ...asked }), 'BAD_REQUEST');
    expectRefusal(await cleo.call('POST', '/users/me/status', { ...custom() }), 'BAD_REQUEST');
    expect((await ben.ok('GET', `/users/${ben.userId}/status`)).status).toMatchObject(custom());
    expectRefusal(await react(cleo, { emoji_name: 'wave_fast' }), 'BAD_REQUEST');
    expect((await react(cleo, custom())).status).toBe(200);
    expect((await react(ben, custom({ emoji_name: undefined }), 'DELETE')).status).toBe(200);
    expect((await react(ann, { emoji_name: 'wave_fast' }, 'DELETE')).status).toBe(200);
    expectRefusal(await react(ann, custom(), 'DELETE'), 'REACTION_DOES_NOT_EXIST');
    expect((await messageOf(ann, id)).reactions.map(({ user_id }: any) => user_id)).toEqual([cleo.userId]);
  });
});

test('a deactivated emoji stays in the list, and where it is', async () => {
  const before = await made(ann, 'brief');
  const id = await ben.send('hall', 'brief', ':brief:');
  const { content } = await messageOf(ann, id);
  const queue = await ben.register({ event_types: ['realm_emoji'] });
  expectRefusal(await remove(ben, 'brief'), 'BAD_REQUEST');
  expect(await heard(queue)).toEqual([]);
  expect((await remove(ann, 'brief')).body).toEqual({ result: 'success', msg: '' });
  const gone = { ...before, deactivated: true };
  const [event] = await heard(queue);
  expect(event.realm_emoji[before.id]).toEqual(gone);
  expect(event.realm_emoji).toEqual(await all());
  expect((await messageOf(ann, id)).content).toBe(content);
  expect((await load(before.source_url)).status).toBe(200);
  expect(await rendered(':brief:')).toBe('<p>:brief:</p>');
  expectRefusal(await remove(ann, 'brief'), 'BAD_REQUEST', 404);
  expectRefusal(await remove(ann, 'never_was'), 'BAD_REQUEST', 404);
  const again = await made(ben, 'brief', await picture(5, 5, 9));
  expect(Number(again.id)).toBe(Number(before.id) + 1);
  expect(await named('brief')).toEqual([gone, again]);
  expect((await remove(owner, 'brief')).status).toBe(200);
  const kept = await all();
  await server.restart(() => server.forgetReadModels());
  expect(await all()).toEqual(kept);
  expect((await load(before.source_url)).status).toBe(200);
});
