import { closeSync, existsSync, openSync } from 'node:fs';
import { connect } from 'node:net';
import { build, ServerProcess } from '../support/process.js';

/** More log lines than a pipe holds, at more than 100 bytes each. */
const REQUESTS = 3_000;
const FULL_DISK = '/dev/full';

let server: ServerProcess;

beforeAll(() => {
  build();
});
beforeEach(() => {
  server = new ServerProcess('api', { LOG_LEVEL: 'info' });
});
afterEach(() => server.discard());

/** Sends so many requests on one connection, and resolves to all that is answered. */
function pipelined(count: number): Promise<string> {
  const { hostname, port } = new URL(server.url);
  const request = `GET /health/live HTTP/1.1\r\nHost: ${hostname}\r\n`;
  return new Promise((resolve, reject) => {
    const chunks: string[] = [];
    const socket = connect(Number(port), hostname).setEncoding('latin1');
    socket.on('data', (chunk: string) => chunks.push(chunk)).once('error', reject);
    socket.once('end', () => {
      resolve(chunks.join(''));
    });
    socket.write(`${request}\r\n`.repeat(count - 1) + `${request}Connection: close\r\n\r\n`);
  });
}

async function expectServedAndEnded(): Promise<void> {
  expect((await pipelined(REQUESTS)).split('HTTP/1.1 200 ').length - 1).toBe(REQUESTS);
  expect(await server.end('SIGTERM')).toBe(0);
}

const onFullDisk = existsSync(FULL_DISK) ? test : test.skip;

onFullDisk('a disk that is full where the log goes neither stops the server nor keeps it from ending', async () => {
  const full = openSync(FULL_DISK, 'w');
  try {
    await server.launch({}, full);
    await server.ready();
    await expectServedAndEnded();
  } finally {
    closeSync(full);
  }
});

test.each([
  ['is gone', true],
  ['does not read', false],
])('nor does a reader who %s', async (_, isTold) => {
  await server.start();
  server.stopReading(isTold);
  await expectServedAndEnded();
});
