// From people to what each part of a deployment has to do, and where it ends, by a simulation of queues (docs/capacity.md). It takes no
// load and no servers. The figures that it returns are simulated, beside what was measured once.
//   CAPACITY_PEOPLE=5000             another number of people as well
//   CAPACITY_A_PERSON='{"messages":80,"receivers":100}'    other habits, of those in PERSON
//   CAPACITY_NETWORK_MS=0.5          on the way to the stores and back
import { embedded, EMBEDDED, former, FORMER, shared, SHARED, STORES } from './support/capacity-paths.mjs';
import { simulate } from './support/queueing.mjs';

/** Assumed, not measured. */
const PERSON = {
  /** A day of so many hours, and how many times its mean the busiest minutes have. */
  messages: 40,
  marks: 80,
  reads: 80,
  hours: 8,
  peak: 3,
  /** Who get a message at once, and the share of people whose clients are connected. */
  receivers: 30,
  online: 0.6,
  /** Between the requests of a connected client that change nothing: an empty poll and its presence. */
  quietSeconds: 27,
  ...JSON.parse(process.env.CAPACITY_A_PERSON ?? '{}'),
};
const PEOPLE = [100, 1_000, 3_000, 10_000, 15_000, 20_000, 30_000, 40_000, 50_000];
const APIS_MAX = 12;
/** It ends where a process is busier than this, or sends take longer. */
const BUSY_MAX = 0.8;
const P99_MAX_MS = 200;
/** As far as figures of the same server lie apart from turn to turn on one busy machine: so many times as much, or as little. */
const TOLERANCE = 1.4;
const NETWORK_MS = Number(process.env.CAPACITY_NETWORK_MS ?? 0.3);

const ONE_PROCESS = [{ cores: 2, threads: { server: 1 } }];
/** Both processes and both stores. */
const TWO_CORES = [{ cores: 2, threads: { api: 1, projector: 1, log: 4, mongo: 4 } }];
/** Each process with a core, each store with four. */
const apart = (apis) => [
  ...[...apis, 'projector'].map((name) => ({ cores: 1, threads: { [name]: 1 } })),
  ...['log', 'mongo'].map((name) => ({ cores: 4, threads: { [name]: 4 } })),
];

export function measureCapacity() {
  const more = (process.env.CAPACITY_PEOPLE ?? '').split(',').filter(Boolean).map(Number);
  console.log(tableOf([...PEOPLE, ...more].sort((a, b) => a - b)));
  return [...checks(), ...predictions()];
}

/** Beside what was measured: docs/capacity.md says where. */
export function checks() {
  const files = { machines: ONE_PROCESS, stages: embedded(EMBEDDED)[0].send };
  const servers = { machines: TWO_CORES, stages: former(STORES, FORMER)[0].send };
  return [
    compared('on files: sends, 64 clients', '1/s', 4_631, of({ ...files, clients: 64 }).perSecond),
    compared('on files: a send at 500/s, p50', 'ms', 2.53, of({ ...files, perSecond: 500 }).p50),
    compared('real servers, former path: one send at a time, p50', 'ms', 22, of({ ...servers, clients: 1 }).p50),
    compared('real servers, former path: a send at 200/s, p50', 'ms', 46, of({ ...servers, perSecond: 200 }).p50),
    compared('real servers, former path: a send at 500/s, p50', 'ms', 64, of({ ...servers, perSecond: 500 }).p50),
    compared('real servers, former path: sends, 64 clients', '1/s', 944, of({ ...servers, clients: 64 }).perSecond),
  ];
}

function compared(what, unit, measured, simulated) {
  const share = simulated / measured;
  const met = Math.max(share, 1 / share) <= TOLERANCE;
  return {
    what: `simulated ${what}; measured as the floor`,
    value: simulated,
    floor: measured,
    unit,
    share,
    bar: `within ${TOLERANCE} ×`,
    met,
  };
}

/** The path of today on the machine of those servers. No bar: it has not been measured there. */
function predictions() {
  const servers = { machines: TWO_CORES, stages: shared(STORES, SHARED)[0].send };
  const named = (what) => `simulated real servers on two cores: ${what}`;
  return [
    { what: named('one send at a time, p50'), value: of({ ...servers, clients: 1 }).p50, unit: 'ms' },
    ...[200, 500].map((perSecond) => {
      const { p50, p99 } = of({ ...servers, perSecond });
      return { what: named(`a send at ${perSecond}/s, p50`), value: p50, p99, unit: 'ms' };
    }),
    { what: named('sends, 64 clients'), value: of({ ...servers, clients: 64 }).perSecond, unit: '1/s' },
  ];
}

/** As the bench measures: regular times, or clients that wait for their answers. */
function of({ machines, stages, ...load }) {
  return simulate({ machines, flows: [{ name: 'send', stages, regular: true, ...load }] }).flows.send;
}

/** Requests a second in the busiest minutes. */
function ratesOf(people) {
  const busiest = (people * PERSON.peak) / (PERSON.hours * 3600);
  const { messages, marks, reads } = PERSON;
  return {
    messages: messages * busiest,
    marks: marks * busiest,
    reads: reads * busiest,
    small: (people * PERSON.online) / PERSON.quietSeconds,
  };
}

/** What each deployment has to do for so many people, in Markdown. */
export function tableOf(people = PEOPLE) {
  const rows = [];
  let apis = 1;
  let isFileEnough = true;
  for (const count of people) {
    const receivers = Math.min(PERSON.receivers, Math.ceil(count * PERSON.online));
    if (isFileEnough) {
      const paths = [{ receivers }, {}].map((options) => embedded(EMBEDDED, options));
      const result = simulateDay(count, ONE_PROCESS, ...paths);
      rows.push(rowOf(count, 'files', result));
      isFileEnough = !isOver(result);
    }
    for (; ; apis++) {
      const result = onServers(count, apis, receivers);
      if (apis < APIS_MAX && result.busiest[0] === 'api' && isOver(result)) continue;
      rows.push(rowOf(count, `servers, ${apis} ${apis === 1 ? 'api' : 'apis'}`, result));
      break;
    }
  }
  const head = '| People | Messages/s | Deployment | Busy | Events a batch | A send, p50 / p99 | Ends at |';
  return [head, '|---|---|---|---|---|---|---|', ...rows, ''].join('\n');
}

function onServers(people, count, receivers) {
  const stores = { ...STORES, networkMs: NETWORK_MS };
  const apis = Array.from({ length: count }, (_, index) => `api ${index + 1}`);
  const paths = [{ apis, receivers }, { apis }].map((options) => shared(stores, SHARED, options));
  return simulateDay(people, apart(apis), ...paths);
}

/** @param quiet the paths of what nobody else receives, such as marks */
function simulateDay(people, machines, paths, quiet) {
  const rates = ratesOf(people);
  const flows = paths.flatMap((path, index) => [
    { name: `send ${index}`, stages: path.send, perSecond: rates.messages / paths.length },
    { name: `mark ${index}`, stages: quiet[index].send, perSecond: rates.marks / paths.length },
    { name: `read ${index}`, stages: path.read, perSecond: rates.reads / paths.length },
    { name: `small ${index}`, stages: path.small, perSecond: rates.small / paths.length },
  ]);
  const { flows: took, busy, groups } = simulate({ machines, flows, seconds: 15 });
  const parts = new Map();
  for (const [name, threads] of machines.flatMap((machine) => Object.entries(machine.threads))) {
    // Of all apis the busiest.
    const part = name.split(' ')[0];
    parts.set(part, Math.max(busy[name] / threads, parts.get(part) ?? 0));
  }
  const [busiest] = [...parts].sort(([, a], [, b]) => b - a);
  return { parts, busiest, send: took['send 0'], batch: groups.journal ?? groups.project };
}

const isOver = ({ busiest, send }) => busiest[1] > BUSY_MAX || send.p99 > P99_MAX_MS;

function rowOf(people, deployment, result) {
  const { parts, busiest, send, batch } = result;
  const shares = Array.from(parts, ([name, share]) => `${name} ${Math.round(100 * share)} %`).join(', ');
  const [p50, p99] = [send.p50, send.p99].map((ms) => ms?.toFixed(ms < 10 ? 1 : 0) ?? '');
  const { messages } = ratesOf(people);
  const rate = messages.toFixed(messages < 10 ? 1 : 0);
  const cells = [people.toLocaleString('en'), rate, deployment, shares, batch.toFixed(1), `${p50} / ${p99} ms`];
  return `| ${[...cells, isOver(result) ? busiest[0] : ''].join(' | ')} |`;
}
