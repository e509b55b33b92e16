import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fetch } from '#testing';
import type { Answer, ApiClient } from '../support/client.js';
import { isShared } from '../support/pairings.js';
import { build, ServerProcess } from '../support/process.js';
import { tryUpload } from '../support/uploads.js';
import { canMount, mountSmallDisk } from '../support/small-disk.js';

/** Guards against hanging only. */
const WITHIN_MS = 120_000;
const SENDS_MAX = 5_000;

const onSmallDisk = !isShared && canMount() ? describe : describe.skip;

onSmallDisk('a data disk that is full (needs the rights to mount a small one)', () => {
  let server: ServerProcess;
  let owner: ApiClient;
  const sent = new Set<string>();

  beforeAll(async () => {
    build();
    server = new ServerProcess('api');
    mountSmallDisk(server.dataDir);
    await server.start();
    owner = server.owner();
  });

  afterAll(async () => {
    await server.end('SIGKILL');
    execFileSync('umount', ['-l', server.dataDir]);
    await server.discard();
  });

  const filler = (): string => join(server.dataDir, 'filler');

  function fill(): void {
    const file = openSync(filler(), 'w');
    try {
      for (const bytes of [65_536, 4_096, 1]) {
        try {
          for (;;) writeSync(file, Buffer.alloc(bytes, 'x'));
        } catch {
          // Full, for pieces of this size.
        }
      }
    } finally {
      closeSync(file);
    }
  }

  async function send(): Promise<Answer> {
    const content = `message ${sent.size} ${'x'.repeat(3_000)}`;
    const answer = await owner.call('POST', '/messages', { type: 'channel', to: 'general', topic: 'disk', content });
    if (answer.status === 200) sent.add(content);
    return answer;
  }

  /** Sends until a message is refused. Free space inside the files is used first. */
  async function sendUntilFull(): Promise<Answer> {
    for (let count = 0; count < SENDS_MAX; count++) {
      const answer = await send();
      if (answer.status !== 200) return answer;
    }
    throw new Error('The disk does not fill up.');
  }

  async function contents(): Promise<Set<string>> {
    const found = new Set<string>();
    for (let anchor = 0; ;) {
      const { messages, found_newest } = await owner.ok('GET', '/messages', {
        narrow: [{ operator: 'topic', operand: 'disk' }],
        anchor,
        num_before: 0,
        num_after: 1000,
        include_anchor: false,
        apply_markdown: false,
      });
      for (const { content } of messages) found.add(content);
      if (found_newest) return found;
      anchor = messages.at(-1).id;
    }
  }

  async function expectReadsAlone(): Promise<void> {
    const refused = await sendUntilFull();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(refused.body).toMatchObject({ result: 'error', code: 'SERVER_NOT_READY' });
    expect(await contents()).toEqual(sent);
    expect(await owner.ok('GET', '/users/me')).toMatchObject({ result: 'success' });
    expect((await server.check('live')).status).toBe(200);
    expect(await server.health()).toBe(503);
    const { checks } = await owner.ok('GET', '/operator/doctor');
    expect(checks).toContainEqual({
      name: 'log',
      state: 'failure',
      text: 'It cannot be written: its disk is full, and it goes on when there is room.',
    });
    const ready = await fetch(`${server.url}/health/ready`);
    expect(await ready.json()).toMatchObject({ code: 'SERVER_NOT_READY', msg: 'The event log cannot be written.' });
  }

  test('refuses uploads, and keeps nothing of them', async () => {
    const soup = Buffer.alloc(200_000, 'soup');
    const incoming = join(server.dataDir, 'uploads', '.incoming');
    fill();
    const { status, body } = await tryUpload(server, owner, 'soup.bin', soup);
    expect([status, body.code]).toEqual([503, 'SERVER_NOT_READY']);
    expect(readdirSync(incoming)).toEqual([]);
    rmSync(filler());
    await server.turns(200, WITHIN_MS);
    expect((await tryUpload(server, owner, 'soup.bin', soup)).status).toBe(200);
    expect((await owner.ok('GET', '/attachments')).attachments).toHaveLength(1);
  });

  test('refuses writes alone, and takes them again without a restart when there is room', async () => {
    const { queue_id, last_event_id } = await owner.ok('POST', '/register', { event_types: ['message'] });
    for (let count = 0; count < 5; count++) expect((await send()).status).toBe(200);
    for (let round = 0; round < 2; round++) {
      fill();
      await expectReadsAlone();
      const { events } = await owner.ok('GET', '/events', { queue_id, last_event_id, dont_block: true });
      expect(events).toHaveLength(sent.size);
      rmSync(filler());
      await server.turns(200, WITHIN_MS);
      expect((await send()).status).toBe(200);
      expect(await contents()).toEqual(sent);
    }
  });

  test('lets clients register, whose queues outlive a restart once there is room', async () => {
    fill();
    await expectReadsAlone();
    const queues: { queue_id: string; last_event_id: number }[] = [];
    // More records than fit into the free space inside the files.
    for (let count = 0; count < 500; count++) {
      const { queue_id, last_event_id } = await owner.ok('POST', '/register', {
        event_types: ['message'],
        fetch_event_types: ['message'],
      });
      queues.push({ queue_id, last_event_id });
    }
    const ended = queues.pop();
    await owner.ok('DELETE', '/events', { queue_id: ended?.queue_id });
    rmSync(filler());
    await server.turns(200, WITHIN_MS);
    expect(await server.end('SIGTERM')).toBe(0);
    await server.start();
    expect((await send()).status).toBe(200);
    for (const queue of queues)
      expect((await owner.ok('GET', '/events', { ...queue, dont_block: true })).events).toHaveLength(1);
    const gone = await owner.call('GET', '/events', { ...ended, dont_block: true });
    expect(gone).toMatchObject({ status: 400, body: { code: 'BAD_EVENT_QUEUE_ID' } });
  });

  test('lets the server end, and loses nothing acknowledged', async () => {
    fill();
    await expectReadsAlone();
    expect(await server.end('SIGTERM')).toBe(0);
    rmSync(filler());
    await server.start();
    expect(await contents()).toEqual(sent);
    fill();
    await expectReadsAlone();
    await server.end('SIGKILL');
    rmSync(filler());
    await server.start();
    expect(await contents()).toEqual(sent);
    expect((await send()).status).toBe(200);
  });
});
