import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { build, ServerProcess } from '../support/process.js';
import { canMount } from '../support/small-disk.js';

let server: ServerProcess;

beforeAll(() => {
  build();
});
beforeEach(() => {
  server = new ServerProcess('api');
});
afterEach(() => server.discard());

async function expectOneLine(environment: Record<string, string>, line: RegExp): Promise<void> {
  await server.launch(environment);
  expect(await server.ended()).toBe(1);
  expect(server.output).toMatch(line);
  expect(server.output.trimEnd().split('\n')).toHaveLength(1);
}

test('a data directory that is a file', async () => {
  const path = join(server.dataDir, 'file');
  writeFileSync(path, '');
  await expectOneLine({ DATA_DIR: path }, /^DATA_DIR: .+ cannot be used: there is a file of this name\.$/m);
});

test.each(['EVENT_STORE_URL', 'READ_STORE_URL'])('%s in a folder that is a file', async (setting) => {
  const path = join(server.dataDir, 'file');
  writeFileSync(path, '');
  await expectOneLine({ [setting]: `sqlite:${path}/x.db` }, new RegExp(`^${setting}: .+ cannot be used: `));
});

test('a port that is in use', async () => {
  const other = createServer();
  await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
  const { port } = other.address() as { port: number };
  await expectOneLine(
    { PORT: String(port) },
    /^Cannot listen on 127\.0\.0\.1:\d+: something listens there .+ set PORT\.$/m,
  );
  await new Promise((closed) => other.close(closed));
});

const asRoot = canMount() ? test : test.skip;

asRoot('a data directory on a read-only disk (needs the rights to mount one)', async () => {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'ro,size=1m', 'tmpfs', server.dataDir]);
  try {
    await expectOneLine({}, /^DATA_DIR: .+ cannot be used: the file system is read-only\.$/m);
  } finally {
    execFileSync('umount', ['-l', server.dataDir]);
  }
});
