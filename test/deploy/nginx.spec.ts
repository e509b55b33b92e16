/** The server behind nginx, as `deploy/nginx.conf` sets it up. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { globalAgent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fetch, freePort, sized, until } from '#testing';
import { runCommand } from '../../apps/cli/src/command-line.js';
import type { ApiClient } from '../support/client.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { credentials } from '../support/uploads.js';

const NGINX = [process.env['NGINX_BIN'] ?? '', '/usr/sbin/nginx'].find((path) => path !== '' && existsSync(path));
/** Beyond what nginx waits for by itself. */
const HEARTBEAT_SECONDS = sized({ nightly: 65, usual: 2 });
/** In a minute. */
const CALLS_OF_AN_ADDRESS = 100;
/** Folders that nginx writes requests and answers to. */
const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

let folder: string;
let port: number;
let nginx: ChildProcess;
let server: TestServer;

/** The file in `deploy/`, with the addresses of this test. */
function writeConfiguration(httpPort: number): string {
  const settings = readFileSync(resolve(__dirname, '../../deploy/nginx.conf'), 'utf8')
    .replaceAll('127.0.0.1:9991', new URL(server.url).host)
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replace('listen 80', `listen 127.0.0.1:${httpPort}`)
    .replace(/ssl_certificate .+;/, `ssl_certificate ${join(folder, 'own.pem')};`)
    .replace(/ssl_certificate_key .+;/, `ssl_certificate_key ${join(folder, 'own.key')};`);
  writeFileSync(join(folder, 'scrollback.conf'), settings);
  const places = TEMPORARY.map((name) => `${name}_temp_path ${folder}/${name};`);
  const path = join(folder, 'nginx.conf');
  writeFileSync(
    path,
    `daemon off; user ${process.getuid?.() === 0 ? 'root' : 'nobody'}; pid ${folder}/pid; error_log stderr crit; events {}
http { access_log off; ${places.join(' ')} include ${folder}/scrollback.conf; }`,
  );
  return path;
}

interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

/** Through the proxy. */
function ask(method: string, path: string, headers: Record<string, string> = {}, body?: Buffer): Promise<Answer> {
  return new Promise((answered, failed) => {
    const ca = readFileSync(join(folder, 'own.pem'));
    const sent = request({ host: '127.0.0.1', port, path, method, headers, ca }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', failed);
      response.on('end', () => answered({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }));
    });
    sent.on('error', failed).end(body);
  });
}

const asJson = ({ body }: Answer): any => JSON.parse(body.toString());
const as = (client: ApiClient): Record<string, string> => ({ authorization: credentials(client) });

async function register(client: ApiClient): Promise<string> {
  const form = { ...as(client), 'content-type': 'application/x-www-form-urlencoded' };
  return asJson(await ask('POST', '/api/v1/register', form, Buffer.from('event_types=["message"]'))).queue_id;
}

const behindNginx = NGINX === undefined ? describe.skip : describe;

behindNginx('behind nginx (/usr/sbin/nginx, or NGINX_BIN)', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'nginx-'));
    for (const name of TEMPORARY) mkdirSync(join(folder, name));
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
        ...['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'],
        ...['-keyout', join(folder, 'own.key'), '-out', join(folder, 'own.pem')],
      ],
      { stdio: 'ignore' },
    );
    port = await freePort();
    server = await startTestServer({
      RATE_LIMITS: 'on',
      TRUST_PROXY: 'on',
      SITE_URL: `https://127.0.0.1:${port}`,
      HEARTBEAT_SECONDS: String(HEARTBEAT_SECONDS),
    });
    const configuration = writeConfiguration(await freePort());
    execFileSync(NGINX!, ['-t', '-q', '-p', folder, '-c', configuration], { stdio: 'inherit' });
    nginx = spawn(NGINX!, ['-p', folder, '-c', configuration], { stdio: ['ignore', 'inherit', 'inherit'] });
    const isUp = (): Promise<boolean> => ask('GET', '/health/ready').then(({ status }) => status === 200, () => false); // prettier-ignore
    await until(isUp);
  });
  afterAll(async () => {
    const ended = new Promise((resolved) => nginx.once('exit', resolved));
    nginx.kill('SIGTERM');
    await ended;
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  test('a poll is held, and answered at once by an event', async () => {
    const queueId = await register(server.owner);
    const path = `/api/v1/events?queue_id=${queueId}&last_event_id=-1`;
    const polled = ask('GET', path, as(server.owner));
    const messageId = await server.owner.send('general', 'lunch', 'soup');
    let [event] = asJson(await polled).events;
    const next = async (): Promise<any> =>
      asJson(await ask('GET', path.replace(/-1$/, event.id), as(server.owner))).events[0];
    // A busy machine takes longer for a send than until a heartbeat.
    while (event.type === 'heartbeat') event = await next();
    expect(event).toMatchObject({ type: 'message', message: { id: messageId } });
    expect(await next()).toMatchObject({ type: 'heartbeat' });
  });

  test('25 MB are uploaded, and come back; more is refused in JSON', async () => {
    const content = Buffer.alloc(25 * 1024 * 1024, 'soup ');
    const boundary = 'a-line-between';
    const form = (file: Buffer): Buffer =>
      Buffer.concat([
        Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="soup.txt"\r\n\r\n`),
        file,
        Buffer.from(`\r\n--${boundary}--\r\n`),
      ]);
    const headers = { ...as(server.owner), 'content-type': `multipart/form-data; boundary=${boundary}` };
    const { url } = asJson(await ask('POST', '/api/v1/user_uploads', headers, form(content)));
    const back = await ask('GET', asJson(await ask('GET', `/api/v1${url}`, as(server.owner))).url);
    expect(back.body.equals(content)).toBe(true);
    for (const surplus of [1, 2 * 1024 * 1024]) {
      const refused = await ask('POST', '/api/v1/user_uploads', headers, form(Buffer.alloc(content.length + surplus)));
      expect([refused.status >= 400 && refused.status < 500, asJson(refused).result]).toEqual([true, 'error']);
    }
  });

  test('the doctor has nothing to say about it, and names one that buffers answers to polls', async () => {
    const polls = async (): Promise<string> => {
      const out: string[] = [];
      globalAgent.options.ca = readFileSync(join(folder, 'own.pem'));
      await runCommand(['doctor', '--polls', '1', '--site', `https://127.0.0.1:${port}`, '--data', server.dataDir], {
        environment: {},
        print: (line) => void out.push(line),
        tell: (line) => void out.push(line),
        onInterrupt: () => undefined,
      });
      return out.find((line) => line.startsWith('held polls')) ?? out.join('\n');
    };
    expect(await polls()).toMatch(/^held polls +ok +A request was held for 1 s, and answered\.$/);
    const path = join(folder, 'scrollback.conf');
    writeFileSync(path, readFileSync(path, 'utf8').replace('proxy_buffering off;', ''));
    nginx.kill('SIGHUP');
    await until(async () => /^held polls +warning +.* kept the beginning back/.test(await polls()));
  });

  test('addresses are those of the site, and that of a client is the one that nginx sees', async () => {
    expect(asJson(await ask('GET', '/api/v1/server_settings')).realm_url).toBe(`https://127.0.0.1:${port}`);
    const statuses: number[] = [];
    // A client that makes up addresses is one client nevertheless.
    for (let call = 0; call <= CALLS_OF_AN_ADDRESS; call++)
      statuses.push((await ask('GET', '/api/v1/server_settings', { 'x-forwarded-for': `203.0.113.${call}` })).status);
    expect(statuses.at(-1)).toBe(429);
    const elsewhere = await fetch(`${server.url}/api/v1/server_settings`, { headers: { 'x-forwarded-for': '203.0.113.1' } }); // prettier-ignore
    expect(elsewhere.status).toBe(200);
  });
});
