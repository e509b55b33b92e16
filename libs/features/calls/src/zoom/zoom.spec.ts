import { createServer, type Server } from 'node:http';
import { Refusal, ServiceReports } from '#kernel';
import { Zoom } from './zoom.js';

const TIMEOUT_SECONDS = 0.2;
const tokens = { accessToken: 'a', refreshToken: 'r', expiresAt: 0 };
const signIn = { state: 's', verifier: 'v'.repeat(43) };
let stalled: Server;
let zoom: Zoom;
let reported: string[];
beforeEach(() => (reported = []));

beforeAll(async () => {
  stalled = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{');
  });
  await new Promise<void>((resolve) => stalled.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(stalled.address() as { port: number }).port}`;
  const settings = { clientId: 'chat', clientSecret: 'x', oauthUrl: url, apiUrl: url };
  zoom = new Zoom(settings, new ServiceReports(({ cause }) => reported.push(cause)), TIMEOUT_SECONDS);
});
afterAll(() => {
  stalled.closeAllConnections();
  stalled.close();
});

test.each([
  ['a meeting', () => zoom.createMeeting(tokens, true)],
  ['new tokens', () => zoom.refreshed(tokens, 0)],
  ['tokens', () => zoom.tokensFor('http://localhost/?code=c&state=s', signIn, 0)],
])('an answer with %s that never ends is given up', async (_what, ask) => {
  await expect(ask()).rejects.toBeInstanceOf(Refusal);
  expect(reported).toEqual([expect.stringMatching(/Timeout|Abort/)]);
});
