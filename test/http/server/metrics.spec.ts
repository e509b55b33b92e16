import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { forEachInBatches } from '#kernel';
import { fetch, until } from '#testing';
import type { ApiClient } from '../../support/client.js';
import { type Exposed, readExposition } from '../../support/exposition.js';
import { isShared } from '../../support/pairings.js';
import { startTestServer, type TestServer } from '../../support/server.js';

const PROMTOOL = [process.env['PROMTOOL_BIN'], '/usr/bin/promtool'].find(
  (path) => path !== undefined && existsSync(path),
);
const SEND = { method: 'POST', route: '/api/v1/messages' };

let server: TestServer;
let ann: ApiClient;

const scrape = async (): Promise<Exposed> => readExposition(await server.metrics());
const requests = (exposed: Exposed, labels: Record<string, string>): number =>
  exposed.value('scrollback_http_request_duration_seconds_count', labels) ?? 0;

beforeAll(async () => {
  server = await startTestServer({ METRICS_ADDRESS: '0' });
  ann = await server.user('Ann Archer');
  await server.owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'observatory' }] });
});
afterAll(() => server.stop());

const send = (client: ApiClient, content: string, to = 'observatory') =>
  client.call('POST', '/messages', { type: 'stream', to, topic: 'telescopes', content });

test('sends are counted when they are acknowledged, and refusals by their class', async () => {
  const before = await scrape();
  for (const content of ['one', 'two', 'three']) expect((await send(server.owner, content)).status).toBe(200);
  expect((await send(server.owner, 'four', 'nowhere')).status).toBe(400);
  const after = await scrape();
  const sent = 'scrollback_messages_acknowledged_total';
  expect(after.value(sent)).toBe((before.value(sent) ?? 0) + 3);
  expect(requests(after, { ...SEND, status: '2xx' }) - requests(before, { ...SEND, status: '2xx' })).toBe(3);
  expect(requests(after, { ...SEND, status: '4xx' }) - requests(before, { ...SEND, status: '4xx' })).toBe(1);
  const calls = (exposed: Exposed, store: string, call: string): number =>
    exposed.value('scrollback_store_call_duration_seconds_count', { store, call }) ?? 0;
  expect(calls(after, 'log', 'append') - calls(before, 'log', 'append')).toBeGreaterThanOrEqual(3);
  expect(calls(after, 'read-models', 'commit')).toBeGreaterThan(calls(before, 'read-models', 'commit'));
});

test('a held poll is counted while it waits, and its delivery by the delay', async () => {
  const queue = await server.owner.ok('POST', '/register', { event_types: ['message'] });
  const polled = server.owner.ok('GET', '/events', { queue_id: queue.queue_id, last_event_id: queue.last_event_id });
  await until(async () => (await scrape()).value('scrollback_held_polls') === 1);
  const before = await scrape();
  expect(before.value('scrollback_event_queues')).toBeGreaterThanOrEqual(1);
  expect(before.value('scrollback_http_requests_in_progress')).toBe(1);
  await send(server.owner, 'look');
  expect((await polled).events).toHaveLength(1);
  const after = await scrape();
  expect(after.value('scrollback_held_polls')).toBe(0);
  const delivered = 'scrollback_delivery_delay_seconds_count';
  expect(after.value(delivered)).toBe((before.value(delivered) ?? 0) + 1);
});

test('the projections, their rebuild, the version and the disk are told', async () => {
  await server.owner.ok('POST', '/operator/projections/messages/rebuild');
  const exposed = await scrape();
  expect(exposed.value('scrollback_ready', { part: 'api' })).toBe(1);
  expect(exposed.value('scrollback_read_side_state', { state: 'live' })).toBe(1);
  expect(exposed.value('scrollback_read_side_state')).toBe(1);
  expect(exposed.value('scrollback_projection_events_total', { projection: 'messages' })).toBeGreaterThan(0);
  expect(exposed.value('scrollback_projection_lag', { projection: 'feed' })).toBeGreaterThanOrEqual(0);
  expect(exposed.value('scrollback_build_info')).toBe(1);
  expect(exposed.value('scrollback_disk_free_bytes', { place: 'data' })).toBeGreaterThan(0);
  expect(exposed.value('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
  expect(exposed.value('process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
  const syncs = exposed.value('scrollback_log_sync_duration_seconds_count') ?? 0;
  if (isShared) expect(syncs).toBe(0);
  else expect(syncs).toBeGreaterThan(10);
});

test('a measure of what the process does not do has no value', async () => {
  const { samples } = await scrape();
  expect(samples.filter(({ name }) => name.startsWith('scrollback_retention_'))).toEqual([]);
});

test('work that waits is counted by kind, and told how late it is', async () => {
  const scheduledFor = Math.floor(Date.now() / 1000) + 3_600;
  const later = { type: 'direct', to: [ann.userId], content: 'later', scheduled_delivery_timestamp: scheduledFor };
  await server.owner.ok('POST', '/scheduled_messages', later);
  await until(async () => (await scrape()).value('scrollback_pending', { kind: 'scheduled-message' }) === 1);
  const exposed = await scrape();
  expect(exposed.value('scrollback_pending_overdue_seconds', { kind: 'scheduled-message' })).toBe(0);
  expect(exposed.value('scrollback_pending', { kind: 'follow-up' })).toBeGreaterThanOrEqual(0);
});

test('no label names anybody or anything that people made', async () => {
  await send(ann, 'secret words', 'observatory');
  const { samples } = await scrape();
  const values = new Set(samples.flatMap(({ labels }) => Object.values(labels)));
  const names = /olive|ann|archer|example\.test|observatory|telescopes|secret|127\.0\.0\.1/i;
  expect([...values].filter((value) => names.test(value.replaceAll(/channel|annou?nce/g, '')))).toEqual([]);
});

const CALLS_AT_ONCE = 16;

/** Calls every route; most lack parameters. */
async function callAll(client: ApiClient): Promise<number> {
  const { paths } = (await (await fetch(`${server.url}/api/v1/openapi.json`)).json()) as {
    paths: Record<string, Record<string, unknown>>;
  };
  const calls: (readonly [verb: string, path: string])[] = [];
  for (const [path, verbs] of Object.entries(paths)) {
    const at = path.replace('/api/v1', '').replaceAll(/\{[^}]+\}/g, '1');
    for (const verb of Object.keys(verbs)) {
      // Afterwards there would be no owner to ask.
      if (!path.startsWith('/api/v1/') || /deactivate|users\/me$|events$/.test(path)) continue;
      calls.push([verb.toUpperCase(), at]);
    }
  }
  await forEachInBatches(CALLS_AT_ONCE, calls, async ([verb, at]) => {
    await client.call(verb, at);
  });
  return calls.length;
}

test('after every route was called there are fewer than 3,000 series, and no new ones for other callers', async () => {
  expect(await callAll(ann)).toBeGreaterThan(150);
  const { samples } = await scrape();

  expect(samples.length).toBeGreaterThan(1_000);
  expect(samples.length).toBeLessThan(3_000);
  const series = async (): Promise<Set<string>> => {
    const names = (await scrape()).samples
      // Kinds of what Node.js does at that instant, whoever calls.
      .filter(({ name }) => !/^nodejs_active_(?:handles|requests|resources)$/.test(name))
      .map(({ name, labels }) => `${name}${JSON.stringify(labels)}`);
    return new Set(names);
  };
  await callAll(ann);
  let before = await series();
  let added: string[] = [];
  // Work in the background comes for the first time whenever it does: what callers added, the next one would add again.
  for (const name of ['Ben Baker', 'Cleo Cole', 'Dora Dent']) {
    await callAll(await server.user(name));
    const after = await series();
    added = [...after].filter((one) => !before.has(one));
    if (added.length === 0) break;
    before = after;
  }
  expect(added).toEqual([]);
});

test('the page of operations names every metric, and no other', async () => {
  const page = readFileSync(resolve(__dirname, '../../../docs/operations.md'), 'utf8');
  const documented = Array.from(page.matchAll(/^\| `(scrollback_\w+)`/gm), ([, name = '']) => name);
  const { families } = await scrape();
  expect([...families.keys()].filter((name) => name.startsWith('scrollback_')).sort()).toEqual(documented.sort());
});

test('only /metrics is there, to be read', async () => {
  expect((await fetch(new URL('/', server.metricsUrl).href)).status).toBe(404);
  expect((await fetch(server.metricsUrl, { method: 'POST' })).status).toBe(405);
  expect((await fetch(new URL('/metrics', server.url).href)).status).toBe(404);
});

(PROMTOOL === undefined ? test.skip : test)('promtool finds nothing wrong (needs promtool)', async () => {
  const { stdout, stderr, status } = spawnSync(PROMTOOL ?? '', ['check', 'metrics'], {
    input: await server.metrics(),
    encoding: 'utf8',
  });
  expect({ stdout, stderr, status }).toEqual({ stdout: '', stderr: '', status: 0 });
});

test('without the setting nothing listens and nothing is counted', async () => {
  const other = await startTestServer();
  expect(other.metricsUrl).toBe('');
  await other.stop();
});
