import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Exposed, readExposition } from './exposition.js';

const RULES = resolve(__dirname, '../../deploy/prometheus/scrollback.rules.yml');
const STEP = '15s';
const STEPS = 240;

export const PROMTOOL = [process.env['PROMTOOL_BIN'], '/usr/bin/promtool'].find(
  (path) => path !== undefined && existsSync(path),
);

/** Runs promtool on content, of which JSON is a way to write YAML. @returns what it says */
export function promtool(content: object, ...args: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'promtool-'));
  try {
    const path = join(folder, 'given.yml');
    writeFileSync(path, JSON.stringify(content));
    return execFileSync(PROMTOOL ?? '', [...args, path], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The alerts that fire after an hour in which a server goes on as between two scrapes. */
export function alertsWithin(beforeText: string, afterText: string, names: readonly string[]): string[] {
  const before = readExposition(beforeText);
  const after = readExposition(afterText);
  const input_series = [
    ...seriesOf(before, after),
    { series: 'up{job="scrollback", instance="chat:9993"}', values: `1x${STEPS}` },
  ];
  const alert_rule_test = names.map((alertname) => ({ eval_time: '1h', alertname, exp_alerts: [] }));
  try {
    promtool({ rule_files: [RULES], tests: [{ interval: STEP, input_series, alert_rule_test }] }, 'test', 'rules');
    return [];
  } catch (error) {
    // What is not expected is told.
    const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string };
    const told = Array.from(`${stdout}${stderr}`.matchAll(/alertname="(\w+)"/g), ([, name = '']) => name);
    if (told.length === 0) throw error;
    return [...new Set(told)].sort();
  }
}

/** Counters grow in each step as they have grown; other values stay. */
function seriesOf(before: Exposed, after: Exposed): { readonly series: string; readonly values: string }[] {
  const found: { series: string; values: string }[] = [];
  for (const { type, samples } of after.families.values()) {
    const isCounter = type === 'counter' || type === 'histogram';
    for (const { name: series, labels, value } of samples) {
      if (OF_THE_MACHINE.test(series) || !Number.isFinite(value)) continue;
      const grown = isCounter ? value - (before.value(series, labels) ?? 0) : 0;
      const pairs = Object.entries({ ...labels, job: 'scrollback', instance: 'chat:9993' });
      const text = pairs.map(([label, content]) => `${label}=${JSON.stringify(content)}`).join(', ');
      found.push({ series: `${series}{${text}}`, values: `${value}${grown < 0 ? '' : '+'}${grown}x${STEPS}` });
    }
  }
  return found;
}

/** How fast the machine of the tests is. */
const OF_THE_MACHINE = /^nodejs_eventloop|_lag_seconds$|_(?:duration|delay)_seconds_bucket$/;
