/** `deploy/prometheus` and `deploy/grafana`: what they name exists, each alert has a paragraph for a bad night, and promtool agrees. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { alertsWithin, PROMTOOL, promtool } from '../support/alerts.js';
import { readExposition } from '../support/exposition.js';
import { startTestServer } from '../support/server.js';

const ROOT = resolve(__dirname, '../..');
const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const RULES = textOf('deploy/prometheus/scrollback.rules.yml');
const TESTS = textOf('deploy/prometheus/scrollback.rules.test.yml');
const PAGE = textOf('docs/operations.md');
const DASHBOARD = JSON.parse(textOf('deploy/grafana/scrollback.json')) as {
  panels: { type: string; title: string; targets?: { expr: string }[] }[];
};

const alerts = Array.from(RULES.matchAll(/- alert: (\w+)/g), ([, name = '']) => name);
const queries = DASHBOARD.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

/** Metrics and the labels of each, as a server shows them; `job` and `instance` are Prometheus's own, and so is `up`. */
let shown: Map<string, Set<string>>;
/** Metrics of a server that has just started. */
let scraped: string;

beforeAll(async () => {
  const server = await startTestServer({ METRICS_ADDRESS: '0' });
  await server.owner.ok('GET', '/users/me');
  scraped = await server.metrics();
  const { families, samples } = readExposition(scraped);
  shown = new Map([['up', new Set()]]);
  for (const [name, { type }] of families)
    for (const suffix of type === 'histogram' || type === 'summary' ? ['_bucket', '_sum', '_count'] : [''])
      shown.set(`${name}${suffix}`, new Set());
  for (const { name, labels } of samples) for (const label of Object.keys(labels)) shown.get(name)?.add(label);
  await server.stop();
});

/** Metrics without a series at the moment of the scrape, with the labels that they have. */
const LABELS: Readonly<Record<string, readonly string[]>> = {
  scrollback_rebuild_done_ratio: ['projection'],
  scrollback_rebuild_elapsed_seconds: ['projection'],
  nodejs_gc_duration_seconds_sum: ['kind'],
};

const METRIC = /\b(?:up|(?:scrollback|nodejs|process)_\w+)\b(?:\{([^}]*)\})?/g;

/** What the query names and no server shows. */
function unknownIn(query: string): string[] {
  const found: string[] = [];
  const known = new Set(['job', 'instance']);
  for (const [text, matchers = ''] of query.matchAll(METRIC)) {
    const name = text.replace(/\{.*/s, '');
    const labels = new Set([...(shown.get(name) ?? []), ...(LABELS[name] ?? [])]);
    for (const label of labels) known.add(label);
    if (!shown.has(name)) found.push(name);
    for (const [, label = ''] of matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g))
      if (!labels.has(label) && !['job', 'instance'].includes(label)) found.push(`${name}{${label}}`);
  }
  for (const [, list = ''] of query.matchAll(/\bby \(([^)]*)\)/g))
    found.push(
      ...list
        .split(',')
        .map((label) => label.trim())
        .filter((label) => !known.has(label)),
    );
  return found;
}

test('every metric and label of the alerts exists', () => {
  const expressions = RULES.split('- alert: ')
    .slice(1)
    .map((rule) => /expr:(.*?)\n {8}\w/s.exec(rule)?.[1] ?? '');
  expect(expressions.length).toBe(alerts.length);
  expect(expressions.filter((expression) => expression.matchAll(METRIC).next().done === true)).toEqual([]);
  expect(expressions.flatMap(unknownIn)).toEqual([]);
});

test('every metric and label of the dashboard exists, and each of ours is on it', () => {
  expect(queries.length).toBeGreaterThan(40);
  expect(queries.flatMap(unknownIn)).toEqual([]);
  const all = queries.join('\n');
  const ours = [...shown.keys()].filter((name) => name.startsWith('scrollback_') && !/_(?:sum|bucket)$/.test(name));
  expect(ours.filter((name) => !new RegExp(`\\b${name.replace(/_count$/, '_(?:count|bucket)')}\\b`).test(all))).toEqual(
    [],
  );
});

test('a name that does not exist would be found', () => {
  expect(unknownIn('sum by (color) (rate(scrollback_sends_total{job="$job"}[5m]))')).toEqual([
    'scrollback_sends_total',
    'color',
  ]);
  expect(unknownIn('scrollback_ready{kind="api"}')).toEqual(['scrollback_ready{kind}']);
});

test('each alert has a paragraph on the page of operations, in the same order, and a test', () => {
  const chapter = /^### Alerts\n(.*?)(?=^### |^## )/ms.exec(PAGE)?.[1] ?? '';
  const parts = chapter.split(/^#### /m).slice(1);
  expect(parts.map((part) => part.split('\n', 1)[0])).toEqual(alerts);
  expect(parts.filter((part) => part.split('\n').slice(1).join(' ').trim().length < 150)).toEqual([]);
  const tried = (name: string): boolean =>
    new RegExp(`alertname: ${name}\\n\\s+exp_alerts:\\n\\s+- exp_labels`).test(TESTS) &&
    TESTS.includes(`alertname: ${name}, exp_alerts: []`);
  expect(alerts.filter((name) => !tried(name))).toEqual([]);
});

const wherePromtoolIs = PROMTOOL === undefined ? test.skip : test;

wherePromtoolIs('promtool reads the configuration and the rules, and their tests pass (needs promtool)', () => {
  const folder = join(ROOT, 'deploy/prometheus');
  expect(readdirSync(folder).sort()).toEqual(['prometheus.yml', 'scrollback.rules.test.yml', 'scrollback.rules.yml']);
  const run = (...args: string[]): string => execFileSync(PROMTOOL ?? '', args, { cwd: folder, encoding: 'utf8' });
  expect(run('check', 'config', 'prometheus.yml')).toContain('SUCCESS');
  expect(run('check', 'rules', 'scrollback.rules.yml')).toContain(`SUCCESS: ${alerts.length} rules found`);
  expect(run('test', 'rules', 'scrollback.rules.test.yml')).toContain('SUCCESS');
});

wherePromtoolIs('promtool understands each query of the dashboard (needs promtool)', () => {
  const rules = queries.map((query, index) => {
    const expr = query.replaceAll('$__rate_interval', '5m').replaceAll('$job', 'scrollback');
    return { record: `query:${index}`, expr };
  });
  expect(promtool({ groups: [{ name: 'dashboard', rules }] }, 'check', 'rules')).toContain(
    `SUCCESS: ${queries.length} rules found`,
  );
});

wherePromtoolIs('nothing fires while a server stays as it is when it has started (needs promtool)', () => {
  // The machine of the tests may have little room.
  expect(alertsWithin(scraped, scraped, alerts).filter((name) => name !== 'ScrollbackDiskFills')).toEqual([]);
});
