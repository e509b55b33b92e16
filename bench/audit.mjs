// What an auditor waits for in a log of BENCH_MESSAGES messages: one message, a topic as it read half way, everything that a
// person did, all wordings with a word; how long other people's requests wait meanwhile, and the server's event loop by the clock and
// in CPU time of its thread.
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { MOVING_CHANNEL, MOVING_TOPIC, movedIn, OFTEN, PARTNER, writeHistory } from './support/history.mjs';
import { percentile } from './support/load.mjs';
import { Others } from './support/others.mjs';
import { startServer, temporaryFolder } from './support/processes.mjs';
import { authorizationOf } from './support/seed.mjs';

const MESSAGES = Number(process.env.BENCH_MESSAGES ?? 1_000_000);
const OWNER_ID = 4;
const OBSERVED_CHANNEL = 3;
const ROUNDS = 10;
const OTHERS_BAR_MS = 100;

export async function measureAudit() {
  const data = temporaryFolder();
  const portFile = join(data.folder, 'loop-watch-port');
  let server;
  let others;
  try {
    await writeHistory(join(data.folder, 'data'), MESSAGES);
    const watched = ['--import', './bench/support/loop-watch.mjs'];
    server = await startServer(join(data.folder, 'data'), { LOOP_WATCH_FILE: portFile }, watched);
    const { port } = server;
    const watch = { port: Number(readFileSync(portFile, 'utf8')) };
    await ask({ port, method: 'PATCH', path: '/api/v1/realm' }, AUDITORS);
    others = await Others.open(port, PARTNER, OBSERVED_CHANNEL);
    const longestWaits = async () => {
      const { body } = await ask(watch);
      return { ...JSON.parse(body), ...(await others.longest()) };
    };
    await ask({ port, path: auditPath('messages/1', {}) });
    const quiet = await longestWaits();
    const rows = [];
    for (const question of questions()) {
      const answers = [];
      for (let round = 0; round < ROUNDS; round++) answers.push(await ask({ port, path: question.path }));
      rows.push(...rowsOf(question, answers, await longestWaits(), quiet));
    }
    return rows;
  } finally {
    await others?.close();
    await server?.stop();
    data.remove();
  }
}

const AUDITORS = new URLSearchParams({
  can_audit_group: JSON.stringify({ new: { direct_members: [OWNER_ID], direct_subgroups: [] } }),
}).toString();

const auditPath = (path, params) => `/api/v1/audit/${path}?${new URLSearchParams({ ...params, reason: 'bench' })}`;

const questions = () => {
  const half = Math.floor(MESSAGES / 2);
  const topic = (channel, name) =>
    auditPath('topic', { channel: `channel ${channel}`, topic: name, as_of: `@${half}` });
  return [
    { what: 'one message', path: auditPath(`messages/${half}`, {}), limitMs: 50 },
    { what: 'a topic as it read half way', path: topic(2, 'topic 3'), limitMs: 500 },
    { what: `one of ${movedIn(MESSAGES).toLocaleString('en')}`, path: topic(MOVING_CHANNEL, MOVING_TOPIC) },
    { what: 'everything by a person', path: auditPath('acts', { who: String(OFTEN) }), firstLimitMs: 200 },
    { what: 'wordings with a rare word', path: auditPath('search', { words: 'quokka' }) },
    { what: 'wordings with a frequent word', path: auditPath('search', { words: 'budget' }) },
  ];
};

function rowsOf({ what, limitMs, firstLimitMs }, answers, waits, quiet) {
  const of = (field) => {
    const sorted = answers.map((answer) => answer[field]).sort((a, b) => a - b);
    return { value: percentile(sorted, 0.5), p99: percentile(sorted, 0.99), unit: 'ms' };
  };
  const within = (value, limit) => (limit === undefined ? {} : { bar: `≤ ${limit}`, met: value <= limit });
  const [first, whole] = [of('firstMs'), of('wholeMs')];
  const { lines } = answers[0];
  const { othersMs, wallMs, cpuMs: loopMs } = waits;
  const named = `audit: ${what}`;
  return [
    { what: `${named}, first line`, ...first, ...within(first.value, firstLimitMs) },
    { what: `${named}, all of ${lines} lines`, ...whole, ...within(whole.value, limitMs) },
    {
      what: `${named}, others wait (loop held ${Math.round(wallMs)} ms, CPU ${Math.round(loopMs)} ms)`,
      value: othersMs,
      floor: quiet.othersMs,
      unit: 'ms',
      ...within(othersMs, OTHERS_BAR_MS),
    },
  ];
}

/** @returns times in ms until the first bytes of the answer, and until all of it */
function ask({ port, method = 'GET', path = '/' }, form) {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: authorizationOf(OWNER_ID),
      ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
    };
    const sentAt = performance.now();
    let firstMs;
    const asked = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      const chunks = [];
      answer.on('error', reject);
      answer.on('data', (chunk) => {
        firstMs ??= performance.now() - sentAt;
        chunks.push(chunk);
      });
      answer.on('end', () => {
        const wholeMs = performance.now() - sentAt;
        const body = Buffer.concat(chunks).toString();
        if (answer.statusCode !== 200) return reject(new Error(`${path}: ${answer.statusCode} ${body}`));
        resolve({ firstMs, wholeMs, body, lines: body.split('\n').length - 1 });
      });
    });
    asked.on('error', reject);
    asked.end(form);
  });
}
