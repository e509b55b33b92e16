import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { openEventStore, streams } from '#event-store';
import { newId } from '#kernel';
import { scrollback } from '#runtime';
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

test.each([
  ['events.db', /^EVENT_STORE_URL: .+events\.db cannot be used: it cannot be opened\./],
  ['events.db.lock', /^EVENT_STORE_URL: .+events\.db\.lock cannot be used: it cannot be opened\./],
  ['events.db.acknowledged', /^EVENT_STORE_URL: .+ cannot be used: there is a folder of this name\.$/m],
  ['read-models.db', /^READ_STORE_URL: .+read-models\.db cannot be used: it cannot be opened\./],
  ['read-models-side.db', /^READ_STORE_URL: .+read-models-side\.db cannot be used: it cannot be opened\./],
  ['owner.zuliprc', /^DATA_DIR: .+owner\.zuliprc cannot be used: there is a folder of this name\.$/m],
])('a folder where %s belongs', async (name, line) => {
  mkdirSync(join(server.dataDir, name));
  await expectOneLine({ LOG_LEVEL: 'silent' }, line);
});

test('a storage of files whose temporary folder is a file', async () => {
  mkdirSync(join(server.dataDir, 'uploads'));
  writeFileSync(join(server.dataDir, 'uploads', '.incoming'), '');
  await expectOneLine(
    { LOG_LEVEL: 'silent' },
    /^UPLOADS_URL: .+uploads cannot be used: a part of the path is a file\.$/m,
  );
});

test('a data directory behind a link that leads nowhere', async () => {
  const path = join(server.dataDir, 'link');
  symlinkSync(join(server.dataDir, 'unmounted'), path);
  await expectOneLine({ DATA_DIR: path }, /^DATA_DIR: .+link cannot be used: .+ a link leads nowhere\.$/m);
});

// Node's own `mkdir` with `recursive` would repeat there for ever.
const onProc = existsSync('/proc/self') ? test : test.skip;

onProc.each(['DATA_DIR', 'EVENT_STORE_URL', 'READ_STORE_URL', 'UPLOADS_URL'])(
  '%s on a file system that takes no folders',
  async (setting) => {
    const scheme = { DATA_DIR: '', UPLOADS_URL: 'file:' }[setting] ?? 'sqlite:';
    await expectOneLine(
      { LOG_LEVEL: 'silent', [setting]: `${scheme}/proc/scrollback/data` },
      new RegExp(`^${setting}: .+ cannot be used: a folder of the path is missing and cannot be created`),
    );
  },
);

test('a lock file that is damaged', async () => {
  writeFileSync(join(server.dataDir, 'events.db.lock'), 'x'.repeat(4096));
  await expectOneLine({}, /^.+events\.db\.lock is damaged\. It holds nothing: remove it\.$/m);
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

asRoot('a disk that fills up during the start (needs the rights to mount one)', async () => {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=900k', 'tmpfs', server.dataDir]);
  try {
    await expectOneLine({ LOG_LEVEL: 'silent' }, /^READ_STORE_URL: .+ cannot be used: the disk is full\.$/m);
  } finally {
    execFileSync('umount', ['-l', server.dataDir]);
  }
});

asRoot('a data directory on a read-only disk (needs the rights to mount one)', async () => {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'ro,size=1m', 'tmpfs', server.dataDir]);
  try {
    await expectOneLine({}, /^DATA_DIR: .+ cannot be used: the file system is read-only\.$/m);
  } finally {
    execFileSync('umount', ['-l', server.dataDir]);
  }
});

test('an event that projections cannot apply is named at the start, without its contents, and keeps nobody out', async () => {
  const path = join(server.dataDir, 'events.db');
  await server.start();
  const owner = server.owner();
  owner.userId = (await owner.ok('GET', '/users/me')).user_id;
  const messageId = await owner.sendTo([owner], 'hello');
  await server.end('SIGTERM');
  const store = await openEventStore(`sqlite:${path}`, scrollback.registry);
  const place = { channelId: 1, topic: 'a private topic' };
  const data = {
    ...{
      targetId: messageId,
      ids: [[messageId, messageId]],
      firstId: messageId,
      by: owner.userId,
      from: place,
      to: place,
    },
    ...{ propagateMode: 'change_one', at: 1 },
  };
  const id = newId();
  await store.append(streams.message(messageId), 'any', [{ id, type: 'messages.moved.v1', data }]);
  const position = await store.head();
  await store.close();
  for (const name of readdirSync(server.dataDir))
    if (name.startsWith('read-models')) rmSync(join(server.dataDir, name));
  await server.start();
  expect(await owner.sendTo([owner], 'hello again')).toBeGreaterThan(messageId);
  await server.end('SIGTERM');
  expect(linesOf(server.output)).toContainEqual(
    expect.objectContaining({
      msg: 'A projection failed on an event. It is set aside, and the others go on.',
      ...{ projection: 'messages', position, stream: streams.message(messageId), type: 'messages.moved.v1', id },
    }),
  );
  // Neither its fields nor their values.
  expect(server.output).not.toMatch(/propagateMode|a private topic/);
});

/** The lines that are log, not told to a person. */
function linesOf(output: string): unknown[] {
  return output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
}
