import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '../logging/logging.js';
import { type Sample, startSample } from '../http.fixture.js';
import { PolicyReports } from './policy-reports.js';
import { acceptsEncoding } from './web-page.js';

let folder: string;
let sample: Sample;
let lines: Record<string, unknown>[];

const BROWSER = 'text/html,application/xhtml+xml,*/*;q=0.8';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** Unlike `fetch`, neither decodes what comes nor adds headers. */
function at(path: string, headers: Record<string, string> = {}, method = 'GET', body = ''): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = httpRequest(`http://127.0.0.1:${sample.port}${path}`, { method, headers, agent: false }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => {
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts).toString() });
      });
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'scrollback-page-'));
  mkdirSync(join(folder, 'app/unreadable-3c4d.js'), { recursive: true });
  writeFileSync(join(folder, 'index.html'), '<!doctype html>shell');
  writeFileSync(join(folder, 'index.html.br'), 'shell by brotli');
  writeFileSync(join(folder, 'app/main-1a2b.js'), 'run()');
  writeFileSync(join(folder, 'app/main-1a2b.js.gz'), 'run by gzip');
  writeFileSync(join(folder, 'app/.secret'), 'hidden');
  lines = [];
  const logger = createLogger('warn', { write: (line) => lines.push(JSON.parse(line)) });
  sample = await startSample({ rateLimits: false, webFolder: folder, logger });
});
afterAll(async () => {
  await sample.app.close();
  rmSync(folder, { recursive: true });
});

test('a browser gets the page, under its policy, and asks again at each visit', async () => {
  const { status, headers, body } = await at('/', { accept: BROWSER });
  expect([status, headers['content-type'], body]).toEqual([200, 'text/html; charset=utf-8', '<!doctype html>shell']);
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /);
  expect(headers['content-security-policy']).toContain("require-trusted-types-for 'script'; trusted-types scrollback");
  expect(headers).toMatchObject({ 'cache-control': 'no-cache', vary: 'accept, accept-encoding' });
  expect(headers['reporting-endpoints']).toBe('csp="/csp-reports"');
});

test('an API client gets JSON, as without a page', async () => {
  const { status, headers } = await at('/', { accept: '*/*' });
  expect([status, headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
  expect(headers['cache-control']).toContain('no-store');
});

test('the smallest form that the browser takes is sent', async () => {
  const brotli = await at('/', { accept: BROWSER, 'accept-encoding': 'gzip, br' });
  expect([brotli.body, brotli.headers['content-encoding']]).toEqual(['shell by brotli', 'br']);
  const zipped = await at('/app/main-1a2b.js', { 'accept-encoding': 'gzip, br' });
  expect([zipped.body, zipped.headers['content-encoding']]).toEqual(['run by gzip', 'gzip']);
  expect(zipped.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': 'text/javascript; charset=utf-8',
    'content-length': '11',
    'x-content-type-options': 'nosniff',
  });
  expect((await at('/app/main-1a2b.js')).body).toBe('run()');
  const head = await at('/app/main-1a2b.js', {}, 'HEAD');
  expect([head.status, head.headers['content-length'], head.body]).toEqual([200, '5', '']);
  const shell = await at('/', { accept: BROWSER }, 'HEAD');
  expect([shell.status, shell.headers['content-length'], shell.body]).toEqual([200, '20', '']);
});

test.each(['/app/none.js', '/app/.secret', '/app/..%2findex.html', '/app/%2e%2e', '/app/', '/app/app%2fmain-1a2b.js'])(
  '%s is nowhere, and is not kept',
  async (path) => {
    const { status, headers } = await at(path);
    expect(status).toBe(404);
    expect(headers['cache-control']).toContain('no-store');
  },
);

test.each([
  ['br', true],
  ['gzip;q=1.0, br ; q=0.5', true],
  ['br;q=0', false],
  ['*', false],
  [undefined, false],
])('Accept-Encoding: %s takes br: %s', (accepted, expected) => {
  expect(acceptsEncoding(accepted, 'br')).toBe(expected);
});

test('what the policy refused is a line of the log, once, without paths', async () => {
  const violation = { 'violated-directive': 'script-src', 'blocked-uri': 'https://evil.test/private?key=1' };
  const old = JSON.stringify({ 'csp-report': violation });
  const body = { effectiveDirective: 'require-trusted-types-for', blockedURL: 'trusted-types-sink', sample: 'private' };
  const reports = JSON.stringify([{ type: 'csp-violation', body }, { type: 'csp-violation', body }, 7, null]);
  const send = (type: string, text: string): Promise<Answer> =>
    at('/csp-reports', { 'content-type': type, 'content-length': String(text.length) }, 'POST', text);
  expect((await send('application/csp-report', old)).status).toBe(204);
  expect((await send('application/reports+json', reports)).status).toBe(204);
  expect((await send('application/csp-report', 'no JSON')).status).toBe(204);
  expect((await send('application/csp-report', `"${'x'.repeat(40_000)}"`)).status).toBe(413);
  expect(lines.map(({ directive, blocked }) => [directive, blocked])).toEqual([
    ['script-src', 'https://evil.test'],
    ['require-trusted-types-for', 'trusted-types-sink'],
  ]);
  expect(JSON.stringify(lines)).not.toContain('private');
});

test('what one address reports takes no place from the others', () => {
  const told: string[] = [];
  const logger = createLogger('warn', { write: (line) => told.push(line) });
  const reports = new PolicyReports(logger);
  const report = (directive: string): string => JSON.stringify({ 'csp-report': { 'violated-directive': directive } });
  for (let kind = 0; kind < 100; kind++) reports.take(report(`invented-${kind}`), '2001:db8::7');
  expect(told).toHaveLength(10);
  reports.take(report('script-src'), '2001:db8::8');
  expect(told).toHaveLength(10);
  reports.take(report('script-src'), '192.0.2.1');
  expect(told).toHaveLength(11);
  for (let caller = 0; caller < 100; caller++)
    for (let kind = 0; kind < 10; kind++) reports.take(report(`more-${caller}-${kind}`), `192.0.3.${caller}`);
  expect(told).toHaveLength(200);
});

test('that a file cannot be read is not kept', async () => {
  const { status, headers } = await at('/app/unreadable-3c4d.js');
  expect(status).toBe(500);
  expect(headers['cache-control']).toContain('no-store');
});
