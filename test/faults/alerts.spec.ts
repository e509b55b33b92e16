/** Alerts of `deploy/prometheus` on real faults: what promtool says of a server that goes on as it does in the fault. */
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fetch, freePort, until } from '#testing';
import { alertsWithin, PROMTOOL } from '../support/alerts.js';
import { type Exposed, readExposition } from '../support/exposition.js';
import { describeShared, isShared } from '../support/pairings.js';
import { build, ServerProcess } from '../support/process.js';
import { openSharedStores, type SharedStores } from '../support/shared-stores.js';
import { canMount, mountSmallDisk } from '../support/small-disk.js';

const RULES = readFileSync(resolve(__dirname, '../../deploy/prometheus/scrollback.rules.yml'), 'utf8');
const alerts = Array.from(RULES.matchAll(/- alert: (\w+)/g), ([, name = '']) => name);
/** Depends on the machine of the tests, where a fault is not about it. */
const DISK = 'ScrollbackDiskFills';

const wherePromtoolIs = PROMTOOL === undefined ? describe.skip : describe;

const textAt = async (port: number): Promise<string> => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
const firing = (before: string, after: string): string[] => alertsWithin(before, after, alerts);

wherePromtoolIs('alerts on faults (needs promtool)', () => {
  let server: ServerProcess | undefined;
  let port: number;

  beforeAll(build);
  afterEach(async () => {
    await server?.discard();
    server = undefined;
  });

  /** @param prepare is called before the start */
  async function start(
    environment: Record<string, string>,
    prepare?: (folder: string) => void,
  ): Promise<ServerProcess> {
    port = await freePort();
    server = new ServerProcess('api', { METRICS_ADDRESS: String(port), ...environment });
    prepare?.(server.dataDir);
    await server.start();
    return server;
  }

  const alone = isShared ? test.skip : test;

  alone('a mail server that does not answer, and nothing else', async () => {
    const owner = (await start({ SMTP_URL: `smtp://127.0.0.1:${await freePort()}` })).owner();
    const before = await textAt(port);
    expect(firing(before, before).filter((name) => name !== DISK)).toEqual([]);
    await owner.ok('POST', '/invites', { invitee_emails: 'ann@example.test', stream_ids: '[]', invite_as: 400 });
    let after = before;
    await until(async () => {
      after = await textAt(port);
      return (readExposition(after).value('scrollback_outgoing_failures_total', { kind: 'mail' }) ?? 0) > 0;
    });
    expect(firing(before, after).filter((name) => name !== DISK)).toEqual(['ScrollbackOutgoingFails']);
    await until(async () => {
      const exposed = readExposition(await textAt(port));
      return (exposed.value('scrollback_pending_failing_age_seconds', { kind: 'mail' }) ?? 0) > 0;
    });
  });

  alone('a client that repeats what is refused, and nothing else', async () => {
    const owner = (await start({ RATE_LIMITS: 'on' })).owner();
    const before = await textAt(port);
    for (let call = 0; call < 260; call++) await owner.call('GET', '/users/me');
    expect(firing(before, await textAt(port)).filter((name) => name !== DISK)).toEqual(['ScrollbackManyRefused']);
  });

  (isShared || !canMount() ? test.skip : test)(
    'a disk that is full (needs the rights to mount a small one)',
    async () => {
      const { dataDir, ...started } = await onSmallDisk();
      try {
        const before = await textAt(port);
        fill(dataDir);
        const refused = async (n: number): Promise<boolean> =>
          (await started.send(`message ${n} ${'x'.repeat(3_000)}`)).status === 503;
        let count = 0;
        await until(() => refused(count++));
        const fired = firing(before, await textAt(port));
        expect(fired).toEqual(expect.arrayContaining([DISK, 'ScrollbackNotReady', 'ScrollbackStoreFails']));
      } finally {
        await server?.end('SIGKILL');
        execFileSync('umount', ['-l', dataDir]);
      }
    },
  );

  async function onSmallDisk() {
    const { dataDir } = await start({}, mountSmallDisk);
    const owner = server!.owner();
    const send = (content: string) =>
      owner.call('POST', '/messages', { type: 'channel', to: 'general', topic: 'disk', content });
    return { dataDir, send };
  }

  describeShared('many processes', () => {
    let stores: SharedStores;
    let projector: ServerProcess;
    let projectorPort: number;

    beforeAll(async () => {
      stores = await openSharedStores();
      projectorPort = await freePort();
      projector = new ServerProcess('projector', { ...stores.environment, METRICS_ADDRESS: String(projectorPort) });
      await projector.start();
    });
    afterAll(async () => {
      await projector.discard();
      await stores.stop();
    });

    const scrape = async (at: number): Promise<Exposed> => readExposition(await textAt(at));

    test('the projector tells of the read side, and each api of its requests; without a projector it is told', async () => {
      const api = await start({ ...stores.environment, PROJECTOR: 'off' });
      await api.owner().send('general', 'lunch', 'soup');
      const [ofApi, ofProjector] = [await scrape(port), await scrape(projectorPort)];
      expect(ofApi.value('scrollback_messages_acknowledged_total')).toBe(1);
      expect(ofApi.value('scrollback_read_side_state')).toBeUndefined();
      expect(
        ofApi.value('scrollback_store_call_duration_seconds_count', { store: 'log', call: 'append' }),
      ).toBeGreaterThan(0);
      expect(ofProjector.value('scrollback_ready', { part: 'projector' })).toBe(1);
      expect(ofProjector.value('scrollback_read_side_state', { state: 'live' })).toBe(1);
      expect(ofProjector.value('scrollback_pending', { kind: 'mail' })).toBe(0);
      expect(
        ofProjector.value('scrollback_store_call_duration_seconds_count', { store: 'read-models', call: 'commit' }),
      ).toBeGreaterThan(0);
      await projector.end('SIGKILL');
      await until(async () => (await scrape(port)).value('scrollback_ready', { part: 'api' }) === 0);
      const text = await textAt(port);
      const fired = firing(text, text).filter((name) => name !== DISK);
      expect(fired).toEqual(['ScrollbackNoReadSide', 'ScrollbackNotReady']);
    });
  });
});

/** Takes all room of the disk. */
function fill(folder: string): void {
  const file = openSync(join(folder, 'filler'), 'w');
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
