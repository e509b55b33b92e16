/** Links to video calls, and joining them at a server of meetings. */
import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { fetch } from '#testing';
import { expectRefusal } from '../../support/answers.js';
import type { ApiClient } from '../../support/client.js';
import { cookiesOf } from '../../support/signed-in.js';
import { startTestServer, type TestServer } from '../../support/server.js';

const SECRET = 'a secret of the server of meetings';
let meetings: Server;
let server: TestServer;
let ann: ApiClient;
let ben: ApiClient;
const asked: URL[] = [];
const lines: string[] = [];
let answer = '<response><returncode>SUCCESS</returncode></response>';

beforeAll(async () => {
  meetings = createServer((request, response) => {
    asked.push(new URL(request.url ?? '', 'http://meetings'));
    response.end(answer);
  });
  await new Promise<void>((resolve) => meetings.listen(0, '127.0.0.1', resolve));
  const { port } = meetings.address() as { port: number };
  server = await startTestServer(
    {
      BIGBLUEBUTTON_URL: `http://127.0.0.1:${port}/bigbluebutton`,
      BIGBLUEBUTTON_SECRET: SECRET,
    },
    (line) => lines.push(line),
  );
  ann = await server.user('Ann Archer');
  ben = await server.user('Ben Baker');
});
afterAll(async () => {
  await server.stop();
  meetings.closeAllConnections();
  meetings.close();
});

const signedIn = (client: ApiClient): Promise<string> => cookiesOf(server.url, client);

const open = (url: string, cookie = ''): Promise<Response> => fetch(url, { redirect: 'manual', headers: { cookie } });

/** The parameters of a request to the server of meetings, whose signature must be right. */
function signedParameters({ pathname, search }: URL): Record<string, string> {
  const [query = '', checksum] = search.slice(1).split('&checksum=');
  const call = pathname.split('/').at(-1) ?? '';
  expect(checksum).toBe(createHash('sha256').update(`${call}${query}${SECRET}`).digest('hex'));
  return { call, ...Object.fromEntries(new URLSearchParams(query)) };
}

test('a link leads people to the meeting by their names, and its maker moderates', async () => {
  const { url } = await ann.ok('GET', '/calls/bigbluebutton/create', {
    meeting_name: 'Plans & more',
    voice_only: true,
  });
  expect(url).toMatch(new RegExp(`^${server.url}/calls/bigbluebutton/join\\?bigbluebutton=[\\w.-]+$`));
  expect(asked).toEqual([]);
  const joined = [];
  for (const client of [ann, ben]) {
    const { status, headers } = await open(url, await signedIn(client));
    expect(status).toBe(303);
    joined.push(signedParameters(new URL(headers.get('location') ?? '')));
  }
  const [created] = asked.splice(0).map(signedParameters);
  const meetingID = expect.stringMatching(/^scrollback-\d+$/);
  expect(created).toEqual({ call: 'create', meetingID, name: 'Plans & more', lockSettingsDisableCam: 'true' });
  const common = { call: 'join', meetingID: created?.['meetingID'] };
  expect(joined).toEqual([
    { ...common, fullName: 'Ann Archer', userID: String(ann.userId), role: 'MODERATOR' },
    { ...common, fullName: 'Ben Baker', userID: String(ben.userId), role: 'VIEWER' },
  ]);
});

test('people who are not signed in do so first; a changed link is refused', async () => {
  const { url } = await ann.ok('GET', '/calls/bigbluebutton/create', { meeting_name: 'Plans' });
  const { pathname, search } = new URL(url);
  const { status, headers } = await open(url);
  expect([status, headers.get('location')]).toEqual([303, `/login/?next=${encodeURIComponent(pathname + search)}`]);
  for (const changed of [url.replace('=', '=x'), url.slice(0, -2), `${url.split('=')[0]}=`, `${url.split('=')[0]}=a.b`])
    expect((await open(changed, await signedIn(ann))).status).toBe(400);
  expect(asked).toEqual([]);
});

test.each([
  ['<response><returncode>FAILED</returncode><messageKey>checksumError</messageKey></response>', 'Error checksumError'],
  ['x'.repeat(1_000_000), 'Refusal BAD_REQUEST'],
])('a server of meetings that answers otherwise is a bad request: %.20s', async (given, cause) => {
  lines.length = 0;
  const { url } = await ann.ok('GET', '/calls/bigbluebutton/create', { meeting_name: 'Plans' });
  const before = answer;
  answer = given;
  expect((await open(url, await signedIn(ann))).status).toBe(400);
  answer = before;
  expect(lines.filter((line) => line.includes('BigBlueButton'))).toEqual([expect.stringContaining(cause)]);
});

test('the provider can be chosen where it is set up', async () => {
  await server.owner.ok('PATCH', '/realm', { video_chat_provider: 4 });
  const { state } = await ann.register({ fetch_event_types: ['realm'] });
  expect(state.realm_video_chat_provider).toBe(4);
  expect(state.realm_available_video_chat_providers).toEqual({
    disabled: { id: 0, name: 'None' },
    jitsi_meet: { id: 1, name: 'Jitsi Meet' },
    big_blue_button: { id: 4, name: 'BigBlueButton' },
  });
  expectRefusal(await server.owner.call('PATCH', '/realm', { video_chat_provider: 3 }), 'BAD_REQUEST');
});

test('parameters are checked, and Zoom is not set up', async () => {
  expectRefusal(await ann.call('GET', '/calls/bigbluebutton/create'), 'REQUEST_VARIABLE_MISSING');
  const unclear = { meeting_name: 'Plans', voice_only: 'maybe' };
  expectRefusal(await ann.call('GET', '/calls/bigbluebutton/create', unclear), 'REQUEST_VARIABLE_INVALID');
  expect(expectRefusal(await ann.call('POST', '/calls/zoom/create'), 'BAD_REQUEST').msg).toMatch(/^Zoom credentials/);
});

test('a server without meetings says so', async () => {
  const plain = await startTestServer();
  const answered = await plain.owner.call('GET', '/calls/bigbluebutton/create', { meeting_name: 'Plans' });
  expect(expectRefusal(answered, 'BAD_REQUEST').msg).toBe('BigBlueButton is not configured.');
  expect((await open(`${plain.url}/calls/bigbluebutton/join?bigbluebutton=a.b`)).status).toBe(400);
  await plain.stop();
});
