/** What a process says while it builds its read models, and how it ends then. */
import { join } from 'node:path';
import { rmSync } from 'node:fs';
import { openEventStore, streams } from '#event-store';
import { newId } from '#kernel';
import { fetch, until } from '#testing';
import { scrollback } from '#runtime';
import { build, ServerProcess } from '../support/process.js';

/** Some seconds of work, so that the process is met in the midst of it. */
const MESSAGES = 20_000;
const BATCH = 500;

let server: ServerProcess;

beforeAll(async () => {
  build();
  server = new ServerProcess('api', { LOG_LEVEL: 'info' });
  await server.start();
  await server.end('SIGTERM');
  const store = await openEventStore(`sqlite:${join(server.dataDir, 'events.db')}`, scrollback.registry);
  const data = { senderId: 8, channelId: 1, topic: 'a', content: 'x', client: 'test', at: 1_790_000_000 };
  for (let sent = 0; sent < MESSAGES; sent += BATCH)
    await store.append(
      streams.messages,
      'any',
      Array.from({ length: BATCH }, () => ({ id: newId(), type: 'message.sent.v1', data })),
    );
  await store.close();
});
afterAll(() => server.discard());
beforeEach(() => {
  for (const suffix of ['', '-wal', '-shm', '.unsynced'])
    rmSync(join(server.dataDir, `read-models.db${suffix}`), { force: true });
});

/** The first refusal of the readiness check that says how far the read models are. */
async function building(): Promise<any> {
  let found: any;
  await until(async () => {
    const { status, body } = await server.check('ready');
    if (status === 200) throw new Error('It was ready before it said that it is not.');
    found = body;
    return body?.phase === 'read_models' && body.position > 0;
  });
  return found;
}

test('a server that builds its read models is alive, says how far it is, and serves when they are whole', async () => {
  await server.launch();
  const { position, head, ...said } = await building();
  expect(said).toEqual({
    result: 'error',
    msg: 'The server is starting.',
    code: 'SERVER_NOT_READY',
    phase: 'read_models',
    rate: expect.any(Number),
    estimate: said.estimate === null ? null : expect.any(Number),
  });
  expect(head).toBeGreaterThan(MESSAGES);
  expect(position).toBeLessThanOrEqual(head);
  expect((await server.check('live')).status).toBe(200);
  const other = await fetch(`${server.url}/api/v1/messages`);
  expect([other.status, other.headers.get('retry-after'), (await other.json()).code]).toEqual([
    503,
    '1',
    'SERVER_NOT_READY',
  ]);
  await server.ready();
  await server.end('SIGTERM');
});

test('SIGTERM ends it in the midst of that, and the next start goes on', async () => {
  await server.launch();
  await building();
  expect(await server.end('SIGTERM')).toBe(0);
  expect(server.errors).toBe('');
  await server.start();
  await server.end('SIGTERM');
});

test('SIGTERM ends a start with nothing to read, and work that has not begun is not missed', async () => {
  const empty = new ServerProcess('api', { LOG_LEVEL: 'info' });
  try {
    await empty.launch();
    await until(async () => (await empty.check('live')).status === 200);
    expect(await empty.end('SIGTERM')).toBe(0);
    expect(empty.output).not.toContain('"level":"warn"');
  } finally {
    await empty.discard();
  }
});
