// How long one request of an ordinary member makes others wait: every route with its worst inputs, on a history of
// BENCH_MESSAGES, and what depends on groups in an organization with as many of them as there may be, while another member
// sends messages and asks for little things. Beside it, how long the server's event loop was held: by the clock, and in CPU
// time of its thread, which other work of the machine does not add to.
//   BENCH_ROUTES='PATCH|register'   only the cases whose route or name matches, without looking for routes that have none
//   BENCH_ROUTES='groups:'          only the cases of groups
//   BENCH_DATA_DIR=…                organizations to be kept: written when there are none
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startServer, temporaryFolder } from './support/processes.mjs';
import { formRequest, getRequest, RawClient, uploadRequest } from './support/raw-client.mjs';
import { Others } from './support/others.mjs';
import { authorizationOf } from './support/seed.mjs';
import { GROUP_REQUESTS } from './support/group-requests.mjs';
import { writeWorstGroups } from './support/worst-groups.mjs';
import { CHANNEL, OBSERVER, WORST, writeWorstHistory } from './support/worst-history.mjs';
import { NOT_WALKED, WORST_REQUESTS } from './support/worst-requests.mjs';

const MESSAGES = Number(process.env.BENCH_MESSAGES ?? 1_000_000);
const OTHERS_BAR_MS = 100;
const LOOP_BAR_MS = 50;
/** By then, follow-up work of a request has begun. */
const AFTERMATH_MS = 300;
const QUIET_MS = 3_000;
/** IDs of the first messages of topics (`messageAt` of the history). */
const IDS = { huge: 1, moving: 2, protected: 3, crowded: 6, large: 8 };

const ORGANIZATIONS = [
  { name: '.', write: (folder) => writeWorstHistory(folder, MESSAGES), requests: WORST_REQUESTS, hasAllRoutes: true },
  { name: 'groups', write: writeWorstGroups, requests: GROUP_REQUESTS },
];

export async function measureStalls() {
  const walks = [];
  for (const organization of ORGANIZATIONS)
    if (casesOf(organization).length > 0) walks.push(await walkIn(organization));
  const floorOf = (figure) => Math.max(...walks.map(({ floor }) => floor[figure]));
  return report({
    floor: Object.fromEntries(Object.keys(walks[0].floor).map((figure) => [figure, floorOf(figure)])),
    requests: walks.flatMap(({ requests }) => requests),
  });
}

async function walkIn(organization) {
  const kept = process.env.BENCH_DATA_DIR;
  const data = kept === undefined ? temporaryFolder() : { folder: kept, remove: () => undefined };
  const folder = join(data.folder, organization.name);
  const scratch = temporaryFolder();
  const portFile = join(scratch.folder, 'port');
  let server;
  try {
    if (!existsSync(join(folder, 'events.db'))) await organization.write(folder);
    server = await startServer(folder, { LOOP_WATCH_FILE: portFile }, ['--import', './bench/support/loop-watch.mjs']);
    return await walk(server.port, Number(readFileSync(portFile, 'utf8')), organization);
  } finally {
    await server?.stop();
    data.remove();
    scratch.remove();
  }
}

async function walk(port, watchPort, organization) {
  const client = await RawClient.open(port);
  const watch = async () =>
    JSON.parse((await fetch(`http://127.0.0.1:${watchPort}`).then((reply) => reply.text())) || '{}');
  if (process.env.BENCH_ROUTES === undefined && organization.hasAllRoutes) await assertWalked(client);
  const site = { size: MESSAGES, ids: IDS, queue: await register(client) };
  const others = await Others.open(port, OBSERVER, CHANNEL.observed);
  try {
    await pause(QUIET_MS);
    await watch();
    await others.longest();
    await pause(QUIET_MS);
    const floor = { ...(await others.longest()), ...(await watch()) };
    console.error(`  nothing else: others ${ms(floor.othersMs)}, loop ${ms(floor.wallMs)} (CPU ${ms(floor.cpuMs)})`);
    const requests = [];
    for (const one of casesOf(organization)) requests.push(await measure(one, { client, site, others, watch }));
    return { floor, requests };
  } finally {
    await others.close();
    client.close();
  }
}

async function measure({ route, ...one }, { client, site, others, watch }) {
  const request = await requestOf(route, one, site);
  await others.longest();
  await watch();
  const sentAt = performance.now();
  const { status, body } = await client.request(request);
  const tookMs = performance.now() - sentAt;
  await pause(one.restMs ?? AFTERMATH_MS);
  const { wallMs, cpuMs, residentBytes } = await watch();
  const { othersMs } = await others.longest();
  const isRefusedSearch = one.isSearch === true && status === 400 && body.includes('takes too long');
  if (one.any !== true && !isRefusedSearch && status !== (one.status ?? 200))
    throw new Error(`${route}, ${one.what}: ${status} ${body.slice(0, 500)}`);
  const bytes = Buffer.byteLength(body);
  console.error(
    `  ${route}, ${one.what}: ${status} in ${ms(tookMs)}, others ${ms(othersMs)}, loop ${ms(wallMs)} (CPU ${ms(cpuMs)}), ` +
      `${(bytes / 1e6).toFixed(2)} MB, memory ${Math.round(residentBytes / 1e6)} MB`,
  );
  return { route, what: one.what, status, tookMs, othersMs, loopMs: wallMs, loopCpuMs: cpuMs, bytes, residentBytes };
}

/** Table of all requests, the worst first, and figures for those with a bar. */
function report({ floor, requests }) {
  const [byWait, byLoop, bySize] = ['othersMs', 'loopCpuMs', 'bytes'].map((figure) =>
    requests.toSorted((a, b) => b[figure] - a[figure]),
  );
  console.log(
    '\n| Request | Status | Answered after | Others wait | Loop held | of it CPU | Answer | Memory |\n|---|---|---|---|---|---|---|---|',
  );
  for (const { route, what, status, tookMs, othersMs, loopMs, loopCpuMs, bytes, residentBytes } of byWait) {
    const cells = [
      `${route.replace('/api/v1', '')}: ${what}`,
      status,
      ms(tookMs),
      ms(othersMs),
      ms(loopMs),
      ms(loopCpuMs),
    ];
    console.log(`| ${[...cells, megabytes(bytes), megabytes(residentBytes)].join(' | ')} |`);
  }
  console.log();
  const nameOf = ({ route, what }) => `${route.replace('/api/v1', '')}, ${what}`;
  const row = (what, request, figure, beside, unit, bar) => ({
    what: `${what}: ${nameOf(request)}`,
    value: request[figure],
    floor: beside,
    unit,
    ...(bar === undefined ? {} : { bar: `≤ ${bar}`, met: request[figure] <= bar }),
  });
  return [
    { ...row('the longest that others wait', byWait[0], 'othersMs', floor.othersMs, 'ms', OTHERS_BAR_MS), requests },
    row('the longest the loop is held, CPU', byLoop[0], 'loopCpuMs', floor.cpuMs, 'ms', LOOP_BAR_MS),
    row('the largest answer', bySize[0], 'bytes', undefined, 'B'),
    row('memory after it', bySize[0], 'residentBytes', floor.residentBytes, 'B'),
  ];
}

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(bytes < 1e6 ? 3 : 1)} MB`;
const ms = (value) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;

function casesOf({ requests }) {
  const wanted = new RegExp(process.env.BENCH_ROUTES ?? '');
  return Object.entries(requests).flatMap(([route, all]) =>
    all.filter(({ what }) => wanted.test(`${route}, ${what}`)).map((one) => ({ route, ...one })),
  );
}

/** Requires a case for every route. */
async function assertWalked(client) {
  const { body } = await client.request(getRequest('/api/v1/openapi.json', authorizationOf(WORST)));
  const routes = Object.entries(JSON.parse(body).paths).flatMap(([path, verbs]) =>
    Object.keys(verbs).map((verb) => `${verb.toUpperCase()} ${path}`),
  );
  const missing = routes.filter(
    (route) => !(route in WORST_REQUESTS) && !NOT_WALKED.some((pattern) => pattern.test(route)),
  );
  if (missing.length > 0) throw new Error(`The bench has no worst input for ${missing.join(', ')}.`);
  const gone = Object.keys(WORST_REQUESTS).filter((route) => !routes.includes(route));
  if (gone.length > 0) throw new Error(`There are no such routes: ${gone.join(', ')}.`);
}

async function register(client) {
  const { body } = await client.request(formRequest('POST', '/api/v1/register', authorizationOf(WORST), {}));
  const { queue_id: id, last_event_id: lastEventId } = JSON.parse(body);
  return { id, lastEventId };
}

async function requestOf(route, { as = WORST, path, fields, file }, site) {
  const [verb, pattern] = route.split(' ');
  const inPath = path?.(site) ?? {};
  const url = pattern.replaceAll(/\{(\w+)\}/g, (_, name) => String(inPath[name]));
  const given = typeof fields === 'function' ? fields(site) : fields;
  const authorization = authorizationOf(as);
  if (file !== undefined) return uploadRequest(url, authorization, file.name, await file.bytesOf());
  // Parameters that do not fit into an address go into the body.
  if (verb !== 'GET') return formRequest(verb, url, authorization, given);
  const query = new URLSearchParams(given).toString();
  return query.length < 100_000
    ? getRequest(`${url}?${query}`, authorization)
    : formRequest(verb, url, authorization, given);
}
