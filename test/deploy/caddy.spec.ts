/** The server behind Caddy, as `deploy/Caddyfile` sets it up. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fetch, freePort, until } from '#testing';
import type { ApiClient } from '../support/client.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { credentials } from '../support/uploads.js';

const CADDY = [process.env['CADDY_BIN'] ?? '', '/usr/bin/caddy'].find((path) => path !== '' && existsSync(path));
const CONFIGURATION = ['--config', resolve(__dirname, '../../deploy/Caddyfile'), '--adapter', 'caddyfile'];
/** In a minute. */
const CALLS_OF_AN_ADDRESS = 100;

let folder: string;
let url: string;
let caddy: ChildProcess;
let servers: TestServer[];

const behindCaddy = CADDY === undefined ? describe.skip : describe;

behindCaddy('behind Caddy (/usr/bin/caddy, or CADDY_BIN)', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'caddy-'));
    url = `http://127.0.0.1:${await freePort()}`;
    servers = [await startTestServer({ RATE_LIMITS: 'on', TRUST_PROXY: 'on', SITE_URL: url, HEARTBEAT_SECONDS: '2' })];
    const environment = {
      PATH: process.env['PATH'],
      HOME: folder,
      PROXY_ADDRESS: url,
      UPSTREAMS: servers.map((server) => new URL(server.url).host).join(' '),
      // Its own port for operators would be the same for everybody on this machine.
      CADDY_ADMIN: `127.0.0.1:${await freePort()}`,
    };
    execFileSync(CADDY!, ['validate', ...CONFIGURATION], { env: environment, stdio: 'ignore' });
    caddy = spawn(CADDY!, ['run', ...CONFIGURATION], { env: environment, stdio: ['ignore', 'ignore', 'ignore'] });
    const isUp = (): Promise<boolean> => fetch(`${url}/health/ready`).then(({ status }) => status === 200, () => false); // prettier-ignore
    await until(isUp);
  });
  afterAll(async () => {
    const ended = new Promise((resolved) => caddy.once('exit', resolved));
    caddy.kill('SIGTERM');
    await ended;
    for (const server of servers) await server.stop();
    rmSync(folder, { recursive: true });
  });

  const owner = (): ApiClient => servers[0]!.owner.at(() => url);

  test('a poll is held, and answered at once by an event, or by a heartbeat', async () => {
    const { queue_id, last_event_id } = await owner().ok('POST', '/register', { event_types: ['message'] });
    const polled = owner().ok('GET', '/events', { queue_id, last_event_id });
    const messageId = await servers[0]!.owner.send('general', 'lunch', 'soup');
    let [event] = (await polled).events;
    const next = async (): Promise<any> =>
      (await owner().ok('GET', '/events', { queue_id, last_event_id: event.id })).events[0];
    // A busy machine takes longer for a send than until a heartbeat.
    while (event.type === 'heartbeat') event = await next();
    expect(event).toMatchObject({ type: 'message', message: { id: messageId } });
    expect(await next()).toMatchObject({ type: 'heartbeat' });
  });

  test('25 MB are uploaded, and come back; more is refused in JSON', async () => {
    const headers = { authorization: credentials(servers[0]!.owner) };
    const upload = async (content: Buffer): Promise<Response> => {
      const body = new FormData();
      body.append('file', new Blob([new Uint8Array(content)]), 'soup.txt');
      return fetch(`${url}/api/v1/user_uploads`, { method: 'POST', headers, body });
    };
    const content = Buffer.alloc(25 * 1024 * 1024, 'soup ');
    const { url: path } = (await (await upload(content)).json()) as { url: string };
    const link = (await owner().ok('GET', path)).url;
    const back = Buffer.from(await (await fetch(`${url}${link}`)).arrayBuffer());
    expect(back.equals(content)).toBe(true);
    const refused = await upload(Buffer.alloc(content.length + 1));
    expect([refused.status, ((await refused.json()) as { result: string }).result]).toEqual([400, 'error']);
  });

  test('the address of a client is the one that Caddy sees', async () => {
    const statuses: number[] = [];
    for (let call = 0; call <= CALLS_OF_AN_ADDRESS; call++) {
      const headers = { 'x-forwarded-for': `203.0.113.${call}` };
      statuses.push((await fetch(`${url}/api/v1/server_settings`, { headers })).status);
    }
    expect(statuses.at(-1)).toBe(429);
  });
});
