import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sized } from '#testing';

type Stage =
  | { readonly on: string; readonly ms?: number; readonly eachMs?: number }
  | { readonly wait: number }
  | { readonly gate: string; readonly steps: readonly Stage[] }
  | { readonly aside: readonly Stage[] };

interface Machine {
  readonly cores: number;
  readonly threads: Readonly<Record<string, number>>;
}

interface Flow {
  readonly name: string;
  readonly stages: readonly Stage[];
  readonly perSecond?: number;
  readonly regular?: boolean;
  readonly clients?: number;
}

interface Simulated {
  readonly flows: Readonly<Record<string, { perSecond: number; mean: number; p50: number; p99: number }>>;
  readonly busy: Readonly<Record<string, number>>;
  readonly groups: Readonly<Record<string, number>>;
}

interface Queueing {
  simulate(options: {
    machines: readonly Machine[];
    flows: readonly Flow[];
    seconds?: number;
    seed?: number;
  }): Simulated;
}

interface Capacity {
  checks(): readonly { what: string; met: boolean }[];
  tableOf(people: readonly number[]): string;
}

const BENCH = join(__dirname, '../../bench');
let simulate: Queueing['simulate'];

beforeAll(async () => {
  ({ simulate } = (await import(join(BENCH, 'support/queueing.mjs'))) as Queueing);
});

const oneCore: readonly Machine[] = [{ cores: 1, threads: { a: 1, b: 1 } }];
const coresApart: readonly Machine[] = [
  { cores: 1, threads: { a: 1 } },
  { cores: 1, threads: { b: 1 } },
];

function sendOf({ machines = oneCore, ...flow }: Omit<Flow, 'name'> & { machines?: readonly Machine[] }) {
  const { flows, ...rest } = simulate({ machines, flows: [{ name: 'send', ...flow }] });
  const { send = { perSecond: NaN, mean: NaN, p50: NaN, p99: NaN } } = flows;
  return { ...send, ...rest };
}

test('requests that never meet take the sum of their stages', () => {
  const { p50, p99, busy } = sendOf({
    stages: [
      { on: 'a', ms: 3 },
      { on: 'b', ms: 2 },
    ],
    perSecond: 10,
    regular: true,
  });
  expect([p50, p99]).toEqual([expect.closeTo(5), expect.closeTo(5)]);
  expect(busy).toEqual({ a: expect.closeTo(0.03), b: expect.closeTo(0.02) });
});

test.each([0.5, 0.8])('requests at random wait as the theory of one queue says, at a load of %d', (load) => {
  const { mean } = sendOf({ stages: [{ on: 'a', ms: 1 }], perSecond: 1000 * load });
  const expected = 1 + load / (2 * (1 - load));
  expect(mean / expected).toBeGreaterThan(0.9);
  expect(mean / expected).toBeLessThan(1.1);
});

test('processes share the cores of their machine', () => {
  const stages = [
    { on: 'a', ms: 1 },
    { on: 'b', ms: 1 },
  ];
  expect(sendOf({ stages, clients: 8 }).perSecond).toBeCloseTo(500, 0);
  expect(sendOf({ machines: coresApart, stages, clients: 8 }).perSecond).toBeCloseTo(1000, 0);
});

test('those that come while a group is under way are the next one', () => {
  const stages = [{ gate: 'sync', steps: [{ on: 'a', ms: 2, eachMs: 0.5 }] }];
  const { perSecond, groups, p50 } = sendOf({ stages, clients: 8 });
  // Whoever has an answer asks again while the others are under way: two groups of four take turns, 2 ms and 0.5 for each.
  expect(groups).toEqual({ sync: expect.closeTo(4) });
  expect(p50).toBeCloseTo(8);
  expect(perSecond).toBeCloseTo(1000, 0);
});

test('nobody waits for what goes aside, which takes time of its process', () => {
  const stages = [{ on: 'a', ms: 1 }, { aside: [{ wait: 50 }, { on: 'b', ms: 5 }] }];
  const { p99, busy } = sendOf({ machines: coresApart, stages, perSecond: 10, regular: true });
  expect(p99).toBeCloseTo(1);
  expect(busy).toEqual({ a: expect.closeTo(0.01), b: expect.closeTo(0.05) });
});

test('a seed says what comes', () => {
  const run = (seed: number) =>
    simulate({
      machines: oneCore,
      flows: [{ name: 'send', stages: [{ on: 'a', ms: 1 }, { wait: 3 }], perSecond: 500 }],
      seconds: 2,
      seed,
    });
  expect(run(1)).toEqual(run(1));
  expect(run(1)).not.toEqual(run(2));
});

test('what is simulated of a deployment lies near to what was measured', async () => {
  const { checks } = (await import(join(BENCH, 'capacity.mjs'))) as Capacity;
  const all = checks();
  expect(all.length).toBeGreaterThanOrEqual(3);
  expect(all.filter(({ met }) => !met)).toEqual([]);
});

/** Rows of tables of Markdown that begin with a number of people. */
function rowsOf(text: string): readonly (readonly [people: string, ...cells: string[]])[] {
  return Array.from(text.matchAll(/^\| ([\d,]+) +\|(.*)\|$/gm), ([, people = '', rest = '']) => [
    people,
    ...rest.split('|').map((cell) => cell.trim()),
  ]);
}

test('the page of the capacity has the figures that are simulated', async () => {
  const { tableOf } = (await import(join(BENCH, 'capacity.mjs'))) as Capacity;
  const page = new Map(
    rowsOf(readFileSync(join(BENCH, '../docs/capacity.md'), 'utf8')).map(([people, ...cells]) => [
      people,
      cells.join(' | '),
    ]),
  );
  // With more people, each row takes seconds.
  const people = sized({ nightly: [...page.keys()], usual: ['100', '3,000', '10,000'] });
  const simulated = rowsOf(tableOf(people.map((count) => Number(count.replace(',', '')))));
  expect(simulated.length).toBeGreaterThan(people.length);
  for (const [people, perSecond = '', deployment = '', busy = '', , send = '', endsAt = ''] of simulated) {
    const shares = Array.from(busy.matchAll(/\d+ %/g), ([share]) => share);
    const [, apis] = /(\d+) apis?$/.exec(deployment) ?? [];
    const isEnd = endsAt !== '';
    const row =
      apis === undefined
        ? `${isEnd ? 'ends: ' : ''}${shares.join()}; ${send} |`
        : [apis, ...shares, `${isEnd ? 'ends: ' : ''}${send}`].join(' | ');
    expect(page.get(people)).toContain(row);
    expect(page.get(people)).toMatch(new RegExp(`^${perSecond} \\|`));
  }
});
