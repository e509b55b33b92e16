// Every figure beside the floor that it is a share of, as a table and as JSON (bench/results/latest.json).
//   npm run bench                    all of it, some twenty minutes
//   npm run bench -- sends delivery  parts of it
//   npm run bench -- capacity        no load: from people to processes, simulated (docs/capacity.md)
//   npm run bench -- --compare main sends   in turns with another revision (bench/compare.mjs)
//   npm run bench -- --trace send    the calls to the stores that one request takes (bench/trace.mjs)
//   BENCH_EVENTS=100000              a shorter log to rebuild and start from
//   BENCH_POLLS=1000                smaller crowds of held polls
//   BENCH_MESSAGES=100000            a shorter history to fetch from
//   BENCH_UNREAD=10000               less that is unread
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { measureAudit } from './audit.mjs';
import { measureCapacity } from './capacity.mjs';
import { measureCrowds } from './crowds.mjs';
import { measureDelivery } from './delivery.mjs';
import { measureHistory } from './history.mjs';
import { measureIdleProcesses } from './idle-processes.mjs';
import { measureIdleQueues } from './idle-queues.mjs';
import { measureNestedGroups } from './nested-groups.mjs';
import { measureOpening } from './opening.mjs';
import { measurePresence } from './presence.mjs';
import { measureIdleServer, measureRebuild, measureRegister } from './read-side.mjs';
import { measureLatency, measureSends } from './sends.mjs';
import { measureReceivers } from './receivers.mjs';
import { measureSharedStores } from './shared-stores.mjs';
import { measureStalls } from './stalls.mjs';
import { measureStarts } from './starts.mjs';
import { measureUploads } from './uploads.mjs';
import { compare } from './compare.mjs';
import { trace } from './trace.mjs';

const parts = {
  sends: measureSends,
  latency: measureLatency,
  delivery: measureDelivery,
  receivers: measureReceivers,
  rebuild: measureRebuild,
  starts: measureStarts,
  register: measureRegister,
  'nested-groups': measureNestedGroups,
  crowds: measureCrowds,
  presence: measurePresence,
  history: measureHistory,
  opening: measureOpening,
  stalls: measureStalls,
  audit: measureAudit,
  'idle-server': measureIdleServer,
  'idle-queues': measureIdleQueues,
  'idle-processes': measureIdleProcesses,
  'shared-stores': measureSharedStores,
  uploads: measureUploads,
  capacity: measureCapacity,
};
const wanted = process.argv.slice(2);
if (wanted[0] === '--trace') {
  await trace(wanted[1]);
  process.exit();
}
if (wanted[0] === '--compare') {
  await compare(wanted[1], wanted.slice(2));
  process.exit();
}
const unknown = wanted.filter((name) => !(name in parts));
if (unknown.length > 0)
  throw new Error(`No such part: ${unknown.join(', ')}. There are: ${Object.keys(parts).join(', ')}.`);

const results = [];
for (const [name, measure] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.error(`measuring ${name} …`);
  const measured = await measure();
  for (const { what, value, unit } of measured) console.error(`  ${what}: ${show(value)} ${unit}`);
  results.push(...measured);
}

// Growth: the factor for ten times the history. Figures without a bar are only reported.
console.log('| What | Value | p99 | Floor | Share | Growth | Bar | Met |\n|---|---|---|---|---|---|---|---|');
for (const { what, value, p99, floor, unit, share, growth, bar, met } of results) {
  const [latest, beside] = [p99, floor].map((figure) => (figure === undefined ? '' : `${show(figure)} ${unit}`));
  const verdict = bar === undefined ? '' : met ? 'yes' : 'NO';
  const cells = [what, `${show(value)} ${unit}`, latest, beside, show(share), show(growth), bar ?? '', verdict];
  console.log(`| ${cells.join(' | ')} |`);
}

mkdirSync(new URL('results', import.meta.url), { recursive: true });
const report = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length, results };
writeFileSync(new URL('results/latest.json', import.meta.url), JSON.stringify(report, null, 2));

function show(value) {
  if (value === undefined) return '';
  return value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));
}
