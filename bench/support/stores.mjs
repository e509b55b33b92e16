import { mkdirSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { run, ROOT } from './processes.mjs';

/** Where the binary is expected (test/ferretdb says how to build it). */
export const FERRETDB = process.env.FERRETDB_BIN ?? join(ROOT, 'node_modules/.cache/scrollback/ferretdb');
const READY_WITHIN_MS = 15_000;

export const startStandIn = () => run(['test/eventstoredb/run.mjs', '0'], /(esdb:\S+)/);

export async function startFerretDb(folder) {
  mkdirSync(folder);
  const port = await freePort();
  const server = await run([`127.0.0.1:${port}`, folder], undefined, FERRETDB);
  for (const limit = performance.now() + READY_WITHIN_MS; !(await answers(port));) {
    if (performance.now() > limit) throw new Error('FerretDB did not start.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { url: `mongodb://127.0.0.1:${port}/scrollback`, stop: server.stop };
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function answers(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const done = (isThere) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('connect', () => done(true)).once('error', () => done(false));
  });
}
