// Every figure beside the floor that it is a share of, as a table and as JSON (bench/results/latest.json).
//   npm run bench                    all of it, some ten minutes
//   npm run bench -- sends delivery  parts of it
//   BENCH_EVENTS=100000              a shorter log
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { measureDelivery } from './delivery.mjs';
import { measureIdleQueues } from './idle-queues.mjs';
import { measureIdleServer, measureRebuild, measureRegister } from './read-side.mjs';
import { measureSends } from './sends.mjs';

const parts = {
  sends: measureSends,
  delivery: measureDelivery,
  rebuild: measureRebuild,
  register: measureRegister,
  'idle-server': measureIdleServer,
  'idle-queues': measureIdleQueues,
};
const wanted = process.argv.slice(2);
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

console.log('| What | Value | Floor | Share | Bar | Met |\n|---|---|---|---|---|---|');
for (const { what, value, floor, unit, share, bar, met } of results) {
  const beside = floor === undefined ? '' : `${show(floor)} ${unit}`;
  console.log(`| ${what} | ${show(value)} ${unit} | ${beside} | ${show(share)} | ${bar} | ${met ? 'yes' : 'NO'} |`);
}

mkdirSync(new URL('results', import.meta.url), { recursive: true });
const report = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length, results };
writeFileSync(new URL('results/latest.json', import.meta.url), JSON.stringify(report, null, 2));

function show(value) {
  if (value === undefined) return '';
  return value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));
}
