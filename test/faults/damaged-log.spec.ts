/** A server meets a damaged record of its log, says so, and goes on; `repair` takes the record from a backup. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { openEventStore, parseOrigin, repairLog, streams } from '#event-store';
import { scrollback } from '#runtime';
import { fetch, until } from '#testing';
import { tamperWithLog } from '../../libs/engine/event-store/src/sqlite/tamper.fixture.js';
import { alertsWithin, PROMTOOL } from '../support/alerts.js';
import { readExposition } from '../support/exposition.js';
import { isShared } from '../support/pairings.js';
import { startTestServer, type TestServer } from '../support/server.js';

const DAMAGED = 'ScrollbackLogDamaged';

(isShared ? test.skip : test)('damage is told while the server runs, and a repair is a fact', async () => {
  const lines: Record<string, unknown>[] = [];
  const server: TestServer = await startTestServer({ METRICS_ADDRESS: '0' }, (line) => {
    lines.push(JSON.parse(line) as Record<string, unknown>);
  });
  try {
    await server.owner.send('general', 'lunch', 'a secret soup');
    const log = join(server.dataDir, 'events.db');
    const [[position] = []] = tamperWithLog(log, "SELECT max(position) FROM events WHERE data LIKE '%secret%'");
    const backup = join(server.dataDir, 'backup.db');
    await server.restart(() => {
      copyFileSync(log, backup);
    });
    tamperWithLog(log, `UPDATE events SET checksum = checksum + 1 WHERE position = ${Number(position)}`);
    // What is not read again goes on.
    await server.owner.send('general', 'lunch', 'bread');
    expect(await server.owner.ok('GET', '/operator/projections')).not.toHaveProperty('logDamages');
    const ready = async (): Promise<unknown> => (await fetch(`${server.url}/health/ready`)).json();
    expect(await ready()).toMatchObject({ status: 'ready' });
    expect(await ready()).not.toHaveProperty('damaged_records');

    const reason = 'its checksum does not fit its content';
    // A client would repeat what is refused because the server is busy.
    for (const path of ['messages/rebuild', 'messages/diff', 'messages/rebuild'])
      expect(await server.owner.call('POST', `/operator/projections/${path}`)).toMatchObject({
        status: 500,
        body: {
          msg: expect.stringMatching(`^The record at position ${Number(position)} .* is damaged: ${reason}\\. `),
        },
      });
    const { logDamages, state } = await server.owner.ok('GET', '/operator/projections');
    const damage = { position, stream: '1.messages', revision: 0, reason };
    expect({ logDamages, state }).toEqual({ logDamages: [damage], state: 'live' });
    expect(await ready()).toMatchObject({ status: 'ready', damaged_records: 1 });
    const { checks } = await server.owner.ok('GET', '/operator/doctor');
    expect(checks).toContainEqual({
      name: 'damaged record',
      state: 'failure',
      text: expect.stringMatching(
        `^Position ${Number(position)} \\(1.messages, revision 0\\): ${reason}\\. .*repair --from`,
      ),
    });
    const told = lines.filter(({ msg }) => String(msg).startsWith('A record of the event log is damaged.'));
    expect(told).toMatchObject([{ level: 'error', ...damage, msg: expect.stringContaining('repair --from BACKUP') }]);
    expect(JSON.stringify(lines)).not.toContain('secret soup');
    const metrics = await server.metrics();
    expect(readExposition(metrics).value('scrollback_log_damaged_records')).toBe(1);
    if (PROMTOOL !== undefined) expect(alertsWithin(metrics, metrics, [DAMAGED])).toEqual([DAMAGED]);

    await server.restart(async () => {
      expect(await repairLog(log, backup, 1_000_000)).toMatchObject({ replaced: [[position, position]], left: [] });
    });
    const rebuilt = await server.owner.ok('POST', '/operator/projections/messages/rebuild');
    expect(rebuilt).not.toHaveProperty('failure');
    const repairs = async () => {
      const store = await openEventStore(`sqlite:${log}`, scrollback.registry);
      const events = await store.readStream(streams.repairs, { limit: 10 });
      await store.close();
      return events;
    };
    // It is recorded once, however often the server starts.
    await server.restart();
    await server.restart(async () => {
      const [repaired, ...others] = await repairs();
      expect(others).toEqual([]);
      const none = { count: 0, ranges: [] };
      const replaced = { count: 1, ranges: [[position, position]] };
      expect(repaired).toMatchObject({ type: 'log.repaired.v1', data: { replaced, left: none, at: 1_000 } });
      expect(parseOrigin(repaired?.metadata['o'] as string)?.by).toEqual({ kind: 'operator' });
    });
    await until(async () => (await server.owner.call('GET', '/users/me')).status === 200);
  } finally {
    await server.stop();
  }
});
