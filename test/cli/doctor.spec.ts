/** The checks of a running server. */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ClientRequest,
  createServer as createHttp,
  type IncomingMessage,
  request as requestHttp,
  type ServerResponse,
} from 'node:http';
import { createServer, type Server } from 'node:tls';
import { LogStatistics } from '#operator';
import { until } from '#testing';
import { runCommand } from '../../apps/cli/src/command-line.js';
import { selfSigned } from '../eventstoredb/certificate.js';
import { expectRefusal } from '../support/answers.js';
import { OperatorCalls } from '../support/operator.js';
import { startTestServer, type TestServer } from '../support/server.js';

let server: TestServer;
/** What clients reach, with a certificate that ends tomorrow. */
let proxy: Server;
let site: string;

beforeAll(async () => {
  const { key, certificate } = selfSigned();
  proxy = createServer({ key, cert: certificate });
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
  site = `https://127.0.0.1:${(proxy.address() as { port: number }).port}`;
  server = await startTestServer({ SITE_URL: site });
});
afterAll(async () => {
  await server.stop();
  proxy.close();
});

async function doctor(...args: string[]) {
  const out: string[] = [];
  const through = args.includes('--site') ? [] : ['--site', server.url];
  const code = await runCommand(['doctor', ...args, '--data', server.dataDir, ...through], {
    environment: {},
    print: (line) => void out.push(line),
    tell: (line) => void out.push(line),
    onInterrupt: () => undefined,
  });
  return { code, out };
}

const checks = async (): Promise<any[]> => (await doctor('--json')).out.map((line) => JSON.parse(line));

test('each part of the server is looked at', async () => {
  const all = await checks();
  const stateOf = (name: string): string[] => all.filter((check) => check.name === name).map(({ state }) => state);
  for (const name of ['version', 'background work', 'pending work', 'clock', 'operator token'])
    expect([name, stateOf(name)]).toEqual([name, ['ok']]);
  for (const name of ['log', 'read store', 'read models', 'disk of data'])
    expect([name, stateOf(name).length]).toEqual([name, 1]);
  const textOf = (name: string): string => all.find((check) => check.name === name).text;
  expect(textOf('log')).toMatch(/^(SQLite 3|EventStoreDB \d+)\.[\d.]+, position \d+, in [\d.]+ ms$/);
  expect(textOf('read store')).toMatch(/^(SQLite 3|(FerretDB \S+ as )?MongoDB \d+)\.[^ ,]+, in [\d.]+ ms$/);
  expect(all).toContainEqual({
    name: 'certificate',
    state: 'warning',
    text: expect.stringMatching(new RegExp(`^${site}: ends \\d{4}-\\d\\d-\\d\\d, in [01] days$`)),
  });
  const settings = all.filter(({ name }) => name === 'settings').map(({ text }) => text.split(' ')[0]);
  expect(settings).toEqual(['TRUST_PROXY', 'SMTP_URL', 'RATE_LIMITS']);
  // A slow machine takes seconds to ask.
  expect(textOf('clock')).toMatch(/^(?:within a second|[2-5] s ahead) of the machine that asks$/);
  const { out } = await doctor();
  expect(out[0]).toMatch(/^CHECK +STATE/);
});

test('a token that others can read, and a clock that is off, are named', async () => {
  chmodSync(join(server.dataDir, 'operator.token'), 0o644);
  expect(await checks()).toContainEqual(
    expect.objectContaining({
      name: 'operator token',
      state: 'warning',
      text: expect.stringContaining('its mode is 644'),
    }),
  );
  const calls = new OperatorCalls(server);
  // A slow machine takes seconds to ask.
  const now = String(Math.floor(Date.now() / 1000) - 60);
  expect((await calls.ok('GET', 'doctor', { now })).checks).toContainEqual(
    expect.objectContaining({
      name: 'clock',
      state: 'warning',
      text: expect.stringMatching(/^[6-9]\d s ahead of the machine that asks$/),
    }),
  );
  // The machine that asks is an hour ahead.
  const later = String(Math.floor(Date.now() / 1000) + 3600);
  expect((await calls.ok('GET', 'doctor', { now: later })).checks).toContainEqual(
    expect.objectContaining({
      name: 'clock',
      state: 'warning',
      text: expect.stringMatching(/^3[56]\d\d s behind the/),
    }),
  );
});

test('work that failed says when it is tried again, since it may be well by then', async () => {
  jest.spyOn(LogStatistics.prototype, 'everyMs', 'get').mockReturnValue(20);
  const look = jest.spyOn(LogStatistics.prototype, 'look').mockRejectedValue(new Error('The disk is full.'));
  await server.restart();
  const work = async () => (await checks()).find(({ name }) => name === 'background work');
  await until(async () => (await work()).state === 'warning');
  expect((await work()).text).toMatch(
    /^log-statistics failed \d+ times since its last success\. It is tried again within 1 s\.$/,
  );
  look.mockRestore();
  await until(async () => (await work()).state === 'ok');
});

test('a certificate that cannot be looked at is said to be so', async () => {
  await new Promise((closed) => proxy.close(closed));
  const text = `${site} cannot be looked at from the server.`;
  expect(await checks()).toContainEqual({ name: 'certificate', state: 'warning', text });
});

/** A proxy that treats requests and their answers as `treat` does. */
async function proxyThat(
  treat: (onwards: ClientRequest, response: ServerResponse, isPoll: boolean) => void,
): Promise<{ readonly through: string; readonly end: () => void }> {
  const proxying = createHttp((request, response) => {
    const { method, headers, url = '' } = request;
    const onwards = requestHttp(`${server.url}${url}`, { method, headers });
    treat(onwards, response, url.startsWith('/api/v1/events'));
    response.once('close', () => onwards.destroy());
    request.pipe(onwards.on('error', () => undefined));
  });
  await new Promise<void>((listening) => proxying.listen(0, '127.0.0.1', listening));
  return {
    through: `http://127.0.0.1:${(proxying.address() as { port: number }).port}`,
    end: () => {
      proxying.closeAllConnections();
      proxying.close();
    },
  };
}

function relay(answer: IncomingMessage, response: ServerResponse): void {
  response.writeHead(answer.statusCode ?? 502);
  answer.pipe(response);
}

test('a proxy that ends requests which wait is found, and one that lets them wait', async () => {
  const { through, end } = await proxyThat((onwards, response, isPoll) => {
    const giveUp = (): unknown => response.writeHead(504).end('Gateway Timeout');
    // To the first byte alone: an answer that has begun may take its time. Other calls may take long on a busy machine.
    const patience = isPoll ? setTimeout(giveUp, 200) : undefined;
    onwards.once('response', (answer) => {
      clearTimeout(patience);
      relay(answer, response);
    });
  });
  const cut = await doctor('--polls', '2', '--site', through);
  expect(cut.code).toBe(1);
  expect(cut.out.join('\n')).toMatch(/^held polls +failure +A request that waits ends after [01] s instead of 2: /m);
  // What a proxy has cut takes no room from the next tries.
  for (let tries = 0; tries < 5; tries++)
    expect((await doctor('--polls', '300', '--site', through)).out.join('\n')).toMatch(/ of 300: (?!Enough)/);
  const held = await doctor('--polls', '1');
  expect(held.out.join('\n')).toMatch(/^held polls +ok +A request was held for 1 s, and answered\.$/m);
  end();
});

test('a proxy that cuts an answer which has begun is found', async () => {
  const { through, end } = await proxyThat((onwards, response, isPoll) => {
    onwards.once('response', (answer) => {
      relay(answer, response);
      if (isPoll) answer.once('data', () => setTimeout(() => response.destroy(), 200));
    });
  });
  const { code, out } = await doctor('--polls', '1', '--site', through);
  expect(out.join('\n')).toMatch(/^held polls +failure +An answer that has begun ends after [01] s instead of 2: /m);
  expect(code).toBe(1);
  end();
});

test('a proxy that keeps an answer back until it is whole is named', async () => {
  const { through, end } = await proxyThat((onwards, response) => {
    onwards.once('response', (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => response.writeHead(answer.statusCode ?? 502).end(Buffer.concat(chunks)));
    });
  });
  const { code, out } = await doctor('--polls', '1', '--site', through);
  expect(out.join('\n')).toMatch(/^held polls +warning +.+ a proxy kept the beginning back until the end\./m);
  expect(code).toBe(0);
  end();
});

test('it is for the operator and owners', async () => {
  const ann = await server.user();
  expectRefusal(await ann.call('GET', '/operator/doctor'), 'UNAUTHORIZED_PRINCIPAL');
  expectRefusal(await ann.call('GET', '/events/held', { seconds: 1 }), 'UNAUTHORIZED_PRINCIPAL');
  await server.owner.ok('GET', '/operator/doctor');
});
