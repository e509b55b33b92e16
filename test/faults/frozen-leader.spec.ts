import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '#testing';
import { EventStoreDbCluster } from '../eventstoredb/index.js';
import type { Answer, ApiClient } from '../support/client.js';
import { build, ServerProcess } from '../support/process.js';

const USERS = { olive: 's3cret' };
/** More than an append waits for its answer, so that the silence is noticed while nobody leads. */
const ELECTION_MS = 3_500;
/** Guards against hanging only. */
const TURNS_WITHIN_MS = 120_000;

let folder: string;
let cluster: EventStoreDbCluster;
let api: ServerProcess;

beforeAll(async () => {
  build();
  folder = mkdtempSync(join(tmpdir(), 'scrollback-cluster-'));
  cluster = await EventStoreDbCluster.start({
    electionMs: ELECTION_MS,
    users: USERS,
    tlsCAFile: join(folder, 'ca.pem'),
  });
  // One process with its read models in a file tests the log, and starts fastest.
  api = new ServerProcess('api', { EVENT_STORE_URL: cluster.urlAs('olive', USERS.olive) });
  await api.launch();
  await api.turns(200, TURNS_WITHIN_MS);
});

afterAll(async () => {
  await api.discard();
  await cluster.stop();
  rmSync(folder, { recursive: true });
});

function send(client: ApiClient, content: string): Promise<Answer> {
  return client.call('POST', '/messages', { type: 'channel', to: 'general', topic: 'frozen', content });
}

/** Levels and texts of log lines about the event store. */
function logged(): readonly (readonly [string, string])[] {
  const lines = api.output.split('\n').filter((line) => line.startsWith('{'));
  return lines
    .map((line) => JSON.parse(line) as { level: string; msg: string })
    .filter(({ msg }) => msg.includes('event store') || msg.includes('event log'))
    .map(({ level, msg }) => [level, msg] as const);
}

test('TLS to an IP address gives Node nothing to warn of', () => {
  expect(api.errors).toBe('');
});

test('a frozen leader: readiness tells of it, who waits is told to come back, and sends pass at the next leader', async () => {
  const owner = api.owner();
  await owner.send('general', 'frozen', 'before');
  const old = cluster.leader;
  const sinceMs = performance.now();
  cluster.freeze(old);
  const first = send(owner, 'under way');
  await pause(100);
  const waiting = send(owner, 'waiting');
  await api.turns(503, TURNS_WITHIN_MS);
  const refused = await waiting;
  expect(refused).toMatchObject({ status: 503, body: { code: 'SERVER_NOT_READY' } });
  expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  expect((await first).status).toBe(200);
  await api.turns(200, TURNS_WITHIN_MS);
  await owner.send('general', 'frozen', 'after');
  const passedMs = Math.round(performance.now() - sinceMs);
  process.stdout.write(
    `A frozen leader: a send passes after ${passedMs} ms, the election of ${ELECTION_MS} ms included.\n`,
  );
  cluster.thaw(old);
  const { messages } = await owner.ok('GET', '/messages', {
    anchor: 'oldest',
    num_before: 0,
    num_after: 20,
    narrow: [{ operator: 'topic', operand: 'frozen' }],
    apply_markdown: false,
  });
  expect(messages.map(({ content }: { content: string }) => content)).toEqual(['before', 'under way', 'after']);
});

test('the log says once that nothing is recorded, not that a restart is needed, and once that it is over', async () => {
  await until(() => logged().length >= 2);
  expect(logged()).toEqual([
    ['error', 'The event store is not available. Nothing is recorded until it is; no restart is needed.'],
    ['warn', 'The event store is available again.'],
  ]);
  expect(api.output).not.toContain(USERS.olive);
});
