import { fetch } from '#testing';
import { exchange, expectRefusal } from '../../support/answers.js';
import type { Answer, ApiClient } from '../../support/client.js';
import { startWithPeople } from '../../support/people.js';
import { animation, picture, shapeOf, upload } from '../../support/pictures.js';
import type { TestServer } from '../../support/server.js';

/** The organization's icon and logos (endpoints.md §12). */

const UPLOADED = /^\/user_avatars\/1\/realm\/[0-9a-f]{40}\.png\?version=\d+$/;
const OWN = '/static/icon.svg';

let server: TestServer;
let owner: ApiClient;
let ann: ApiClient;
let ben: ApiClient;
beforeAll(async () => ({ server, owner, ann, ben } = await startWithPeople()));
afterAll(() => server.stop());

const registered = async (kind: string): Promise<any> => {
  const { state } = await ben.register({ fetch_event_types: ['realm'] });
  return { [`${kind}_url`]: state[`realm_${kind}_url`], [`${kind}_source`]: state[`realm_${kind}_source`] };
};

describe.each([
  ['icon', '/realm/icon', {}, 'icon_url', 'G', { width: 200, height: 200 }],
  ['logo', '/realm/logo', {}, 'logo_url', 'D', { width: 200, height: 100 }],
  ['logo', '/realm/logo', { night: 'false' }, 'logo_url', 'D', { width: 200, height: 100 }],
  ['night_logo', '/realm/logo', { night: 'true' }, 'logo_url', 'D', { width: 200, height: 100 }],
] as const)('%s (%s %j)', (kind, path, fields, field, ownSource, size) => {
  const post = (client: ApiClient, ...files: Buffer[]): Promise<Answer> =>
    upload(server, client, { path, files, fields });

  test('is uploaded, told and shown, and taken away', async () => {
    expect((await ann.ok('GET', path, fields))[field]).toBe(OWN);
    expect(await registered(kind)).toEqual({ [`${kind}_url`]: OWN, [`${kind}_source`]: ownSource });
    const queue = await ben.register({ event_types: ['realm'] });
    const { status, body } = await post(owner, await picture(600, 300, 77));
    expect([status, body]).toEqual([200, { result: 'success', msg: '', [field]: expect.stringMatching(UPLOADED) }]);
    const address = body[field];
    const uploaded = { [`${kind}_url`]: address, [`${kind}_source`]: 'U' };
    expect(await registered(kind)).toEqual(uploaded);
    expect((await ann.ok('GET', path, fields))[field]).toBe(address);
    const response = await fetch(new URL(address, server.url));
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    expect(await shapeOf(await response.arrayBuffer())).toEqual({ format: 'png', pages: 1, ...size });

    expect((await owner.ok('DELETE', path, fields))[field]).toBe(OWN);
    expect((await fetch(new URL(address, server.url))).status).toBe(404);
    const own = { [`${kind}_url`]: OWN, [`${kind}_source`]: ownSource };
    expect(await registered(kind)).toEqual(own);
    expect((await queue.pending()).map(({ id: _, ...event }) => event)).toEqual([
      { type: 'realm', op: 'update_dict', property: kind, data: uploaded },
      { type: 'realm', op: 'update_dict', property: kind, data: own },
    ]);
    expect((await owner.ok('DELETE', path, fields))[field]).toBe(OWN);
    expect(await queue.pending()).toEqual([]);
  });

  test('is refused', async () => {
    const file = await picture(10, 10);
    expectRefusal(await post(ann, file), 'UNAUTHORIZED_PRINCIPAL');
    expectRefusal(await ann.call('DELETE', path, fields), 'UNAUTHORIZED_PRINCIPAL');
    expectRefusal(await post(owner), 'BAD_REQUEST');
    expectRefusal(await post(owner, file, file), 'BAD_REQUEST');
    expectRefusal(await post(owner, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')), 'BAD_IMAGE');
    expect(expectRefusal(await post(owner, Buffer.alloc(6 * 1024 * 1024)), 'BAD_REQUEST').msg).toMatch(/5 MiB/);
    expect(await registered(kind)).toEqual({ [`${kind}_url`]: OWN, [`${kind}_source`]: ownSource });
  });
});

test('strangers see the icon, and it is there after a restart', async () => {
  const { icon_url } = (await upload(server, owner, { path: '/realm/icon', files: [await animation(20, 2)] })).body;
  await server.restart(() => server.forgetReadModels());
  expect((await exchange(`${server.url}/api/v1/server_settings`)).body.realm_icon).toBe(icon_url);
  expect((await fetch(new URL(icon_url, server.url))).status).toBe(200);
});
