/** Calls with users' accounts at Zoom, for which a server on a socket stands. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { fetch } from '#testing';
import { expectRefusal } from '../../support/answers.js';
import type { ApiClient } from '../../support/client.js';
import { pairsIn } from '../../support/forms.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { cookiesOf } from '../../support/signed-in.js';

interface Asked {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

type Answer = (response: ServerResponse) => void;

let zoom: Server;
let server: TestServer;
let ann: ApiClient;
let ben: ApiClient;
const asked: Asked[] = [];
const lines: string[] = [];
let answering: { token?: Answer; meeting?: Answer } = {};
/** Of access tokens. */
let lifespan = 3600;
let given = 0;

const json =
  (body: object, status = 200): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };

const tokens: Answer = (response) => {
  given += 1;
  const expires = { token_type: 'bearer', expires_in: lifespan, scope: 'meeting:write' };
  json({ access_token: `access-${given}`, refresh_token: `refresh-${given}`, ...expires })(response);
};

const meeting = json({ id: 7, join_url: 'https://zoom.example/j/7?pwd=x' }, 201);

function answer({ url = '', headers: { authorization } }: IncomingMessage, body: string, response: ServerResponse) {
  asked.push({ path: url, authorization, body });
  if (url === '/oauth/token') (answering.token ?? tokens)(response);
  else (answering.meeting ?? meeting)(response);
}

beforeAll(async () => {
  zoom = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      answer(request, body, response);
    });
  });
  await new Promise<void>((resolve) => zoom.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(zoom.address() as { port: number }).port}`;
  const settings = { ZOOM_CLIENT_ID: 'chat', ZOOM_CLIENT_SECRET: 'the secret', ZOOM_OAUTH_URL: url, ZOOM_API_URL: url };
  server = await startTestServer(settings, (line) => lines.push(line));
  ann = await server.user('Ann Archer');
  ben = await server.user('Ben Baker');
});
afterEach(() => {
  answering = {};
  lifespan = 3600;
  asked.length = 0;
});
afterAll(async () => {
  await server.stop();
  zoom.closeAllConnections();
  zoom.close();
});

const open = (path: string, cookie = ''): Promise<Response> =>
  fetch(`${server.url}${path}`, { redirect: 'manual', headers: { cookie } });

/** A browser that was sent to Zoom: its cookies, and the parameters of the address. */
async function begun(client: ApiClient) {
  const session = await cookiesOf(server.url, client);
  const { status, headers } = await open('/calls/zoom/register', session);
  expect(status).toBe(303);
  const address = new URL(headers.get('location') ?? '');
  return { session, cookies: `${session}; ${pairsIn(headers)}`, query: Object.fromEntries(address.searchParams) };
}

async function connect(client: ApiClient): Promise<void> {
  const { cookies, query } = await begun(client);
  expect((await open(`/calls/zoom/complete?code=good&state=${query['state']}`, cookies)).status).toBe(200);
}

const create = (client: ApiClient, parameters = {}) => client.call('POST', '/calls/zoom/create', parameters);
const hasToken = async (client: ApiClient): Promise<unknown> =>
  (await client.register({ fetch_event_types: ['video_calls'] })).state.has_zoom_token;

test('a user connects an account, and makes calls with it', async () => {
  expect(await hasToken(ann)).toBe(false);
  expectRefusal(await create(ann), 'INVALID_ZOOM_TOKEN');
  const queue = await ann.register({ event_types: ['has_zoom_token'] });
  const others = await ben.register({ event_types: ['has_zoom_token'] });
  const { cookies, query } = await begun(ann);
  expect(query).toEqual({
    response_type: 'code',
    client_id: 'chat',
    redirect_uri: `${server.url}/calls/zoom/complete`,
    state: expect.stringMatching(/^[\w-]{40,}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  });
  const page = await open(`/calls/zoom/complete?code=good&state=${query['state']}`, cookies);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Zoom is connected')]);
  expect(page.headers.getSetCookie().join()).toMatch(/zoom=;.*Max-Age=0/);
  const [exchange] = asked.splice(0);
  expect(exchange?.authorization).toBe(`Basic ${Buffer.from('chat:the+secret').toString('base64')}`);
  expect(Object.fromEntries(new URLSearchParams(exchange?.body))).toMatchObject({
    grant_type: 'authorization_code',
    code: 'good',
    redirect_uri: query['redirect_uri'],
    code_verifier: expect.stringMatching(/^[\w-]{43}$/),
  });
  expect(await queue.pending()).toEqual([{ id: expect.any(Number), type: 'has_zoom_token', value: true }]);
  expect([await hasToken(ann), await hasToken(ben), (await others.pending()).length]).toEqual([true, false, 0]);
  expectRefusal(await create(ben), 'INVALID_ZOOM_TOKEN');

  expect(await ann.ok('POST', '/calls/zoom/create')).toMatchObject({ url: 'https://zoom.example/j/7?pwd=x' });
  await ann.ok('POST', '/calls/zoom/create', { is_video_call: false });
  expect(asked.map(({ path, authorization }) => [path, authorization])).toEqual(
    Array(2).fill(['/v2/users/me/meetings', `Bearer access-${given}`]),
  );
  expect(asked.map(({ body }) => JSON.parse(body).settings)).toEqual([
    { host_video: true, participant_video: true },
    { host_video: false, participant_video: false },
  ]);
});

test('tokens that expire are refreshed, once for several requests', async () => {
  lifespan = 30;
  await connect(ann);
  const first = given;
  asked.length = 0;
  lifespan = 3600;
  const queue = await ann.register({ event_types: ['has_zoom_token'] });
  await Promise.all([1, 2, 3].map(() => ann.ok('POST', '/calls/zoom/create')));
  const refreshes = asked.filter(({ path }) => path === '/oauth/token');
  expect(refreshes.map(({ body }) => Object.fromEntries(new URLSearchParams(body)))).toEqual([
    { grant_type: 'refresh_token', refresh_token: `refresh-${first}` },
  ]);
  expect(asked.filter(({ authorization }) => authorization === `Bearer access-${first + 1}`)).toHaveLength(3);
  expect(await queue.pending()).toEqual([]);
});

const revoked = json({ reason: 'Invalid Token!', error: 'invalid_grant' }, 400);
const unauthorized = json({ code: 124, message: 'Invalid access token.' }, 401);

test.each([
  ['a call', 3600, { meeting: unauthorized }],
  ['new tokens', 30, { token: revoked }],
] as const)('an account to which Zoom refuses %s is disconnected', async (_what, seconds, answers) => {
  lifespan = seconds;
  await connect(ann);
  const queue = await ann.register({ event_types: ['has_zoom_token'] });
  answering = answers;
  expectRefusal(await create(ann), 'INVALID_ZOOM_TOKEN');
  expect(await queue.pending()).toEqual([{ id: expect.any(Number), type: 'has_zoom_token', value: false }]);
  expect(await hasToken(ann)).toBe(false);
  asked.length = 0;
  expectRefusal(await create(ann), 'INVALID_ZOOM_TOKEN');
  expect(asked).toEqual([]);
});

test('tokens that were replaced while Zoom refused them are not the end of the account', async () => {
  await connect(ann);
  const queue = await ann.register({ event_types: ['has_zoom_token'] });
  answering = {
    meeting: (response) => {
      answering = {};
      void connect(ann).then(() => {
        unauthorized(response);
      });
    },
  };
  await ann.ok('POST', '/calls/zoom/create');
  expect((await queue.pending()).map(({ value }) => value)).toEqual([true]);
});

const large: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const chunk = Buffer.alloc(1024 * 1024, ' ');
  const write = (left: number): void => {
    if (left === 0 || response.destroyed) response.end();
    else response.write(chunk, () => { write(left - 1); }); // prettier-ignore
  };
  write(100);
};
const redirect: Answer = (response) => {
  response.writeHead(302, { location: '/elsewhere' }).end();
};

test.each<[string, Answer]>([
  ['a fault', json({}, 500)],
  ['a refusal', json({ code: 300, message: 'no' }, 400)],
  ['no JSON', (response) => response.end('<html>')],
  ['null', (response) => response.end('null')],
  ['no link', json({ id: 7 })],
  ['a link that runs', json({ join_url: 'javascript:alert(1)' })],
  ['a link that is long', json({ join_url: `https://zoom.example/${'x'.repeat(3000)}` })],
  ['100 MB', large],
  ['a redirect', redirect],
  ['a broken connection', (response) => response.destroy()],
])('%s in place of a meeting is a bad request, and the account stays', async (_what, wrong) => {
  await connect(ann);
  answering = { meeting: wrong };
  asked.length = lines.length = 0;
  expect(expectRefusal(await create(ann), 'BAD_REQUEST').msg).toBe('Failed to create Zoom call');
  expect(asked).toHaveLength(1);
  expect(lines.filter((line) => line.includes('"service":"Zoom"'))).toHaveLength(1);
  expect(await hasToken(ann)).toBe(true);
});

test.each<[string, Answer]>([
  ['a fault', json({}, 503)],
  ['wrong credentials of this server', json({ error: 'invalid_client' }, 400)],
  ['no tokens', json({ token_type: 'bearer' })],
  ['100 MB', large],
  ['a redirect', redirect],
])('%s in place of new tokens is a bad request, and the account stays', async (_what, wrong) => {
  lifespan = 30;
  await connect(ann);
  answering = { token: wrong };
  asked.length = 0;
  expect(expectRefusal(await create(ann), 'BAD_REQUEST').msg).toBe('Failed to create Zoom call');
  expect(asked).toHaveLength(1);
  expect(await hasToken(ann)).toBe(true);
});

test('an answer counts once, for the browser and the account that asked', async () => {
  const before = await hasToken(ben);
  const mine = await begun(ben);
  const others = await begun(ann);
  const session = await cookiesOf(server.url, ann);
  const cookie = mine.cookies.slice(mine.session.length);
  const at = (state: string | undefined) => `/calls/zoom/complete?code=good&state=${state}`;
  const attempts: [string, string][] = [
    [at(mine.query['state']), ''],
    [at(mine.query['state']), mine.session],
    [at(mine.query['state']), session + cookie],
    [at(mine.query['state']), others.cookies],
    [at(others.query['state']), mine.cookies],
    ['/calls/zoom/complete', mine.cookies],
    ['/calls/zoom/complete?code=good', mine.cookies],
    [at(mine.query['state']), `${mine.session}; zoom=bnVsbA`],
    [at(mine.query['state']), `${mine.session}; zoom=%00`],
  ];
  for (const [path, cookies] of attempts) {
    const { status, headers } = await open(path, cookies);
    expect([path, cookies, status, headers.get('content-type')]).toEqual([path, cookies, 400, expect.stringContaining('text/html')]); // prettier-ignore
  }
  expect(asked).toEqual([]);
  // What Zoom refuses is refused here.
  expect((await open(at(mine.query['state']).replace('code=good', 'error=access_denied'), mine.cookies)).status).toBe(400); // prettier-ignore
  answering = { token: revoked };
  expect((await open(at(mine.query['state']), mine.cookies)).status).toBe(400);
  expect(await hasToken(ben)).toBe(before);
});

test('who is not signed in does so first', async () => {
  const { status, headers } = await open('/calls/zoom/register');
  expect([status, headers.get('location')]).toEqual([303, '/login/?next=%2Fcalls%2Fzoom%2Fregister']);
});

test('the provider can be chosen', async () => {
  await server.owner.ok('PATCH', '/realm', { video_chat_provider: 3 });
  const { state } = await ann.register({ fetch_event_types: ['realm'] });
  expect(state.realm_available_video_chat_providers).toMatchObject({ zoom: { id: 3, name: 'Zoom' } });
});

test('tokens are neither in the log nor in what the server writes, and work after a restart', async () => {
  await connect(ann);
  for (const text of [await server.rawLog(), lines.join('\n')])
    expect(text).not.toMatch(/access-\d|refresh-\d|code=good|the secret/);
  await server.restart();
  expect(await ann.ok('POST', '/calls/zoom/create')).toMatchObject({ url: expect.stringContaining('zoom.example') });
});
