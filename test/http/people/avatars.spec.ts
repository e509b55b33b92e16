import { fetch } from '#testing';
import { basic, expectRefusal, messageOf } from '../../support/answers.js';
import type { Answer, ApiClient, TestQueue } from '../../support/client.js';
import { startWithPeople } from '../../support/people.js';
import { animation, photo, picture, shapeOf, upload } from '../../support/pictures.js';
import type { TestServer } from '../../support/server.js';

const UPLOADED = /^\/user_avatars\/1\/[0-9a-f]{40}\.png\?version=\d+$/;
const IMMUTABLE = 'public, max-age=31536000, immutable';

let server: TestServer;
let owner: ApiClient;
let ann: ApiClient;
let ben: ApiClient;
let cleo: ApiClient;
beforeAll(async () => {
  ({ server, owner, ann, ben, cleo } = await startWithPeople());
  await Promise.all([ann, ben, cleo].map((user) => user.subscribe('tea')));
});
afterAll(() => server.stop());

const post = (client: ApiClient, ...files: Buffer[]): Promise<Answer> =>
  upload(server, client, { path: '/users/me/avatar', files });
const set = async (client: ApiClient, file: Buffer): Promise<string> => {
  const { status, body } = await post(client, file);
  expect([status, body]).toEqual([200, { result: 'success', msg: '', avatar_url: expect.stringMatching(UPLOADED) }]);
  return body.avatar_url;
};
const remove = async (client: ApiClient): Promise<string> => (await client.ok('DELETE', '/users/me/avatar')).avatar_url;
const load = (address: string, init: RequestInit = {}): Promise<Response> =>
  fetch(new URL(address, server.url), { redirect: 'manual', ...init });
const shapeAt = async (address: string): Promise<object> => shapeOf(await (await load(address)).arrayBuffer());
const medium = (address: string): string => address.replace('.png', '-medium.png');
const square = (side: number): object => ({ format: 'png', width: side, height: side, pages: 1 });
const versionOf = (address: string): number => Number(/\d+$/.exec(address)?.[0]);
const heard = async (queue: TestQueue): Promise<any[]> => (await queue.pending()).map(({ id: _, ...event }) => event);
const as = ({ email, apiKey }: ApiClient): RequestInit => ({ headers: { authorization: basic(email, apiKey) } });

/** Every address of the user's picture that another user is told, for a client that computes pictures itself or not. */
async function toldTo(viewer: ApiClient, user: ApiClient, client_gravatar: boolean): Promise<unknown[]> {
  const id = await user.send('tea', 'pictures', 'look');
  const mine = { anchor: id, num_before: 0, num_after: 0, client_gravatar };
  const { members } = await viewer.ok('GET', '/users', { client_gravatar });
  const { state } = await viewer.register({ client_gravatar, fetch_event_types: ['realm_user'] });
  const byId = ({ user_id }: any): boolean => user_id === user.userId;
  return [
    (await viewer.ok('GET', `/users/${user.userId}`, { client_gravatar })).user.avatar_url,
    (await viewer.ok('GET', `/users/${user.email}`, { client_gravatar })).user.avatar_url,
    (await user.ok('GET', '/users/me', { client_gravatar })).avatar_url,
    members.find(byId).avatar_url,
    state.realm_users.find(byId).avatar_url,
    (await messageOf(viewer, id, { client_gravatar })).avatar_url,
    (await viewer.ok('GET', '/messages', mine)).messages[0].avatar_url,
  ];
}

describe('without an uploaded picture', () => {
  test('the server draws one, which is loaded without credentials', async () => {
    const { avatar_url } = await ann.ok('GET', '/users/me');
    expect(avatar_url).toMatch(/^\/user_avatars\/1\/[0-9a-f]{40}\.png\?version=1$/);
    const response = await load(avatar_url);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': IMMUTABLE,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    expect(await shapeOf(await response.arrayBuffer())).toEqual(square(100));
    expect(await shapeAt(medium(avatar_url))).toEqual(square(500));
    expect((await ben.ok('GET', '/users/me')).avatar_url).not.toBe(avatar_url);
  });

  test('clients that compute pictures themselves are told of none', async () => {
    const [first, ...others] = await toldTo(ben, ann, false);
    expect(first).toEqual(expect.any(String));
    expect(others).toEqual(others.map(() => first));
    expect(await toldTo(ben, ann, true)).toEqual(Array(7).fill(null));
  });

  test('removing it changes nothing', async () => {
    const queue = await ben.register({ event_types: ['realm_user'] });
    const before = (await ann.ok('GET', '/users/me')).avatar_url;
    expect(await remove(ann)).toBe(before);
    expect(await heard(queue)).toEqual([]);
  });
});

describe('an uploaded picture', () => {
  test('is shown to everybody everywhere, in two sizes', async () => {
    const address = await set(ann, await photo(900, 600));
    for (const computes of [true, false]) expect(await toldTo(ben, ann, computes)).toEqual(Array(7).fill(address));
    expect(await shapeAt(address)).toEqual(square(100));
    expect(await shapeAt(medium(address))).toEqual(square(500));
    const bytes = Buffer.from(await (await load(medium(address))).arrayBuffer());
    expect(bytes.includes('Secret camera') || bytes.includes('Exif')).toBe(false);
  });

  test('is told with its version, to its user as well', async () => {
    const queues = await Promise.all(
      [ann, ben].map((user) => user.register({ event_types: ['realm_user', 'message'] })),
    );
    const { avatar_version: before } = await ann.ok('GET', '/users/me');
    const address = await set(ann, await picture(10, 20, 30));
    const { avatar_version } = await ann.ok('GET', '/users/me');
    expect([avatar_version, versionOf(address)]).toEqual(Array(2).fill(Number(before) + 1));
    const picked = { avatar_url: address, avatar_url_medium: medium(address) };
    const person = { user_id: ann.userId, avatar_source: 'U', ...picked, avatar_version };
    for (const queue of queues) expect(await heard(queue)).toEqual([{ type: 'realm_user', op: 'update', person }]);
    const { state } = await ann.register({ fetch_event_types: ['realm_user'] });
    expect(state).toMatchObject({ ...picked, avatar_source: 'U' });
    await ann.send('tea', 'pictures', 'again');
    expect((await heard(queues[1]!))[0].message.avatar_url).toBe(address);
  });

  test('has an address of its own, which never shows another one', async () => {
    const first = await set(ben, await picture(30, 30, 1));
    const second = await set(ben, await picture(30, 30, 1));
    expect(second).not.toBe(first);
    expect(versionOf(second)).toBe(versionOf(first) + 1);
    expect((await load(first)).status).toBe(404);
    const found = await load(second);
    expect(Object.fromEntries(found.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': IMMUTABLE,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
  });

  test.each(['uploaded', 'drawn'])('is not sent to a client that has it, where it is %s', async (kind) => {
    const address = kind === 'drawn' ? await remove(ben) : await set(ben, await picture(30, 30, 4));
    const etag = String((await load(address)).headers.get('etag'));
    expect(etag).toMatch(/^"[0-9a-f]{64}"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await load(address, { headers: { 'if-none-match': known } });
      expect([known, again.status, await again.text()]).toEqual([known, 304, '']);
      expect(again.headers.get('etag')).toBe(etag);
    }
    expect((await load(address, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });

  test('is there after a restart, also when the read models are built anew', async () => {
    const address = await set(ben, await picture(30, 30, 2));
    await server.restart(() => server.forgetReadModels());
    expect((await ben.ok('GET', '/users/me')).avatar_url).toBe(address);
    expect(await shapeAt(address)).toEqual(square(100));
  });

  test('can be taken away', async () => {
    const address = await set(ann, await picture(30, 30, 3));
    const queue = await ben.register({ event_types: ['realm_user'] });
    const drawn = await remove(ann);
    expect(await shapeAt(drawn)).toEqual(square(100));
    expect((await load(address)).status).toBe(404);
    const avatar_version = versionOf(address) + 1;
    const person = { avatar_source: 'G', avatar_url: drawn, avatar_url_medium: medium(drawn), avatar_version };
    expect(await heard(queue)).toEqual([
      { type: 'realm_user', op: 'update', person: { user_id: ann.userId, ...person } },
    ]);
    expect((await ben.ok('GET', `/users/${ann.userId}`)).user).toMatchObject({ avatar_url: null, avatar_version });
    expect(versionOf(drawn)).toBe(avatar_version);
  });

  test('of an animation is its first frame', async () => {
    expect(await shapeAt(await set(cleo, await animation(20, 3)))).toEqual(square(100));
  });
});

describe('is refused', () => {
  const refuse = async (code: string, ...files: Buffer[]): Promise<string> => {
    const { avatar_url: before } = await ann.ok('GET', '/users/me');
    const { msg } = expectRefusal(await post(ann, ...files), code);
    expect((await ann.ok('GET', '/users/me')).avatar_url).toBe(before);
    return msg;
  };

  test('any number of files but one', async () => {
    const file = await picture(10, 10);
    await refuse('BAD_REQUEST');
    await refuse('BAD_REQUEST', file, file);
    expectRefusal(await ann.call('POST', '/users/me/avatar', { file: 'text' }), 'BAD_REQUEST');
  });

  test('a file that is too large', async () => {
    const megabytes = (count: number): Buffer => Buffer.alloc(count * 1024 * 1024, 1);
    for (const size of [5.1, 12]) expect(await refuse('BAD_REQUEST', megabytes(size))).toMatch(/5 MiB/);
  });

  test.each<[string, string | Buffer]>([
    ['text', 'text'],
    ['nothing', ''],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'],
    ['half an image', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
    ['HTML behind a signature', Buffer.concat([Buffer.from('GIF89a'), Buffer.from('<script>alert(1)</script>')])],
  ])('%s', async (_, file) => {
    await refuse('BAD_IMAGE', Buffer.from(file));
  });

  test('any change where pictures may not be changed, but for administrators', async () => {
    const file = await picture(10, 10, 7);
    await owner.ok('PATCH', '/realm', { avatar_changes_disabled: true });
    await refuse('BAD_REQUEST', file);
    expectRefusal(await cleo.call('DELETE', '/users/me/avatar'), 'BAD_REQUEST');
    await set(owner, file);
    await remove(owner);
    await owner.ok('PATCH', '/realm', { avatar_changes_disabled: false });
    await remove(cleo);
  });
});

test('a bot is made with a picture, and gets another one', async () => {
  const queues = await Promise.all(
    [ann, ben].map((user) => user.register({ event_types: ['realm_user', 'realm_bot'] })),
  );
  const asked = { full_name: 'Painter', short_name: 'painter' };
  const made = await upload(server, ann, { path: '/bots', files: [await picture(20, 20, 40)], fields: asked });
  expect([made.status, made.body.avatar_url]).toEqual([200, expect.stringMatching(UPLOADED)]);
  const { avatar_url, user_id } = made.body;
  expect(await shapeAt(avatar_url)).toEqual(square(100));
  expect((await ann.ok('GET', '/bots')).bots[0].avatar_url).toBe(avatar_url);
  const [toAnn = [], toBen] = await Promise.all(queues.map(heard));
  expect(toAnn.map(({ type, op, person, bot }) => [type, op, (person ?? bot).avatar_url])).toEqual([
    ['realm_user', 'add', avatar_url],
    ['realm_bot', 'add', avatar_url],
  ]);
  expect(toBen).toEqual([toAnn[0]]);

  const path = `/bots/${user_id}`;
  const changed = await upload(server, ann, { method: 'PATCH', path, files: [await picture(20, 20, 41)] });
  const next = changed.body.avatar_url;
  expect([changed.status, next, changed.body.full_name]).toEqual([200, expect.stringMatching(UPLOADED), 'Painter']);
  const person = { avatar_source: 'U', avatar_url: next, avatar_url_medium: medium(next), avatar_version: 2 };
  const told = { type: 'realm_user', op: 'update', person: { user_id, ...person } };
  expect(await heard(queues[0]!)).toEqual([
    told,
    { type: 'realm_bot', op: 'update', bot: { user_id, avatar_url: next } },
  ]);
  expect(await heard(queues[1]!)).toEqual([told]);

  const two = [await picture(5, 5), await picture(5, 5)];
  expectRefusal(await upload(server, ann, { method: 'PATCH', path, files: two }), 'BAD_REQUEST');
  const bad = { method: 'PATCH', path, files: [Buffer.from('text')], fields: { full_name: 'Poet' } };
  expectRefusal(await upload(server, ann, bad), 'BAD_IMAGE');
  expectRefusal(await upload(server, ben, { method: 'PATCH', path, files: [two[0]!] }), 'BAD_REQUEST');
  expect((await ann.ok('GET', '/bots')).bots).toMatchObject([{ full_name: 'Painter', avatar_url: next }]);
});

describe('/avatar', () => {
  const location = async (path: string, init: RequestInit = as(ben)): Promise<string | null> => {
    const response = await load(path, init);
    expect([path, response.status]).toEqual([path, 302]);
    return response.headers.get('location');
  };

  test('leads to the picture, by ID and by address, with the query', async () => {
    const address = await set(ann, await picture(10, 10, 9));
    for (const user of [ann.userId, ann.email]) {
      expect(await location(`/avatar/${user}`)).toBe(address);
      expect(await location(`/avatar/${user}/medium`)).toBe(medium(address));
      expect(await location(`/avatar/${user}?x=1&y=%20`)).toBe(`${address}&x=1&y=%20`);
    }
    const followed = await load(`/avatar/${ann.userId}?s=50`, { ...as(ben), redirect: 'follow' });
    expect(await shapeOf(await followed.arrayBuffer())).toEqual(square(100));
  });

  test('leads to a drawn picture for those whom nobody knows', async () => {
    const unknown = await location('/avatar/987654');
    expect(unknown).toMatch(UPLOADED);
    for (const path of ['/avatar/nobody@example.test', '/avatar/me', '/avatar/0', '/avatar/%00'])
      expect([path, await location(path)]).toEqual([path, unknown]);
    expect(await shapeAt(await location('/avatar/987654/medium').then(String))).toEqual(square(500));
  });

  test('is for users, and for spectators by ID where there are some', async () => {
    for (const path of [`/avatar/${ann.userId}`, `/avatar/${ann.email}/medium`])
      expect([path, (await load(path)).status]).toEqual([path, 401]);
    await owner.ok('PATCH', '/realm', { enable_spectator_access: true });
    const { avatar_url } = await ann.ok('GET', '/users/me');
    expect(await location(`/avatar/${ann.userId}`, {})).toBe(avatar_url);
    for (const path of [`/avatar/${ann.email}`, '/avatar/nobody@example.test'])
      expect([path, (await load(path)).status]).toEqual([path, 401]);
    await owner.ok('PATCH', '/realm', { enable_spectator_access: false });
  });

  test('shows a limited guest nobody whom they do not know', async () => {
    const guest = await server.user('Gail Guest');
    await owner.ok('PATCH', `/users/${guest.userId}`, { role: 600 });
    await owner.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['general'], principals: [guest.userId] });
    await owner.ok('PATCH', '/realm', { can_access_all_users_group: { new: 5, old: 6 } });
    const unknown = await location('/avatar/987654', as(guest));
    expect(await location(`/avatar/${ann.userId}`, as(guest))).toBe(unknown);
    expect(await location(`/avatar/${ann.email}`, as(guest))).toBe(unknown);
    const { state } = await guest.register({ fetch_event_types: ['realm_user'] });
    expect(state.realm_users.find(({ user_id }: any) => user_id === ann.userId).avatar_url).toBe(unknown);
    const queue = await guest.register({ event_types: ['realm_user'] });
    await set(ann, await picture(10, 10, 11));
    expect(await heard(queue)).toEqual([]);
    await owner.ok('PATCH', '/realm', { can_access_all_users_group: { new: 6, old: 5 } });
  });
});

test.each([
  '/user_avatars/1/0123456789012345678901234567890123456789.png',
  '/user_avatars/1/x.png',
  '/user_avatars/1/x',
])('%s is not there', async (path) => {
  const response = await load(path);
  expect([response.status, (await response.json()).code]).toEqual([404, 'BAD_REQUEST']);
  expect(response.headers.get('cache-control')).toMatch(/no-store/);
});
