// Presence of 10,000 users, each of whom reports once a minute, as clients do: CPU of the server beside that of the same number of
// requests that answer with next to nothing, and of a bare node:http server that answers with as many bytes; what it writes, its
// memory, and what presence adds to POST /register.
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { openLoop } from './support/load.mjs';
import { cpuMs, residentBytes, start, startServer, temporaryFolder } from './support/processes.mjs';
import { formRequest, getRequest, postRequest, RawClient } from './support/raw-client.mjs';
import { authorizationOf, openLog, seedOrganization } from './support/seed.mjs';

const FIRST = 4;
const USERS = 10_000;
const PER_SECOND = Math.ceil(USERS / 60);
/** All users report for the first time, which is not measured: the server is warm after it. */
const FIRST_S = 10;
/** After it every further report counts: one within 55 s of the last is not recorded. */
const FLOOR_S = 50;
/** Half of the users report, at the pace of all in a minute. */
const HALF_S = 30;
/** For each of two measurements of the bare server. */
const BARE_S = 10;
const CPU_BAR = 5;
/** Answers that tell of everybody cost what their bytes cost, on a busy machine too, where that alone is above the bar. */
const BYTES_BAR = 2;

export async function measurePresence() {
  const data = temporaryFolder();
  let server;
  try {
    const store = openLog(data.folder);
    await seedOrganization(store, { users: USERS + FIRST - 1, channels: [{ name: 'general', subscribers: [FIRST] }] });
    await store.close();
    server = await startServer(data.folder);
    return await measure(server);
  } finally {
    await server?.stop();
    data.remove();
  }
}

async function measure(server) {
  const { pid } = server;
  const answer = async (request) => {
    // The server closes connections that were idle for the length of a measurement.
    const client = await RawClient.open(server.port);
    const { body } = await client.request(request);
    client.close();
    return { bytes: body.length, ...JSON.parse(body) };
  };
  const registered = () =>
    answer(
      formRequest('POST', '/api/v1/register', authorizationOf(FIRST), {
        fetch_event_types: JSON.stringify(['presence']),
        slim_presence: 'true',
      }),
    );
  const load = (seconds, makeRequest, perSecond) => loadOf(server, seconds, makeRequest, perSecond);
  const head = async () => (await answer(getRequest('/api/v1/operator/projections', authorizationOf(FIRST)))).head;
  await answer(report(FIRST, -1));
  const firstHead = await head();
  const empty = await registered();
  const memoryBefore = residentBytes(pid);
  await load(FIRST_S, (index) => report(userOf(index), -1), USERS / FIRST_S);
  const floor = await load(FLOOR_S, (index) =>
    getRequest(`/api/v1/users/${FIRST}/status`, authorizationOf(userOf(index))),
  );
  const whole = await registered();
  const pinged = await load(HALF_S, (index) => report(userOf(index), -1));
  // All others have reported since: a client that asks each minute is told of everybody.
  const since = empty.presence_last_update_id;
  const asked = await load(HALF_S, (index) => report(userOf(index + USERS / 2), since));
  const memory = residentBytes(pid) - memoryBefore;
  const positions = (await head()) - firstHead;
  const told = await answer(report(FIRST, since));
  for (const { presences } of [whole, told])
    if (Object.keys(presences).length < USERS - 1) throw new Error('Somebody is missing.');
  return [
    ...sharesOf({ floor, pinged, asked, bytes: told.bytes, bare: await bareShare(told.bytes) }),
    {
      what: 'presence of 10,000 users: written in a minute',
      value: pinged.bytesAMinute,
      floor: floor.bytesAMinute,
      unit: 'B',
    },
    { what: 'presence of 10,000 users: memory after two reports of each', value: memory / 1024 / 1024, unit: 'MB' },
    { what: 'presence of 10,000 users: in POST /register', value: whole.bytes - empty.bytes, unit: 'B' },
    {
      what: 'presence of 10,000 users: positions of the log',
      value: positions,
      unit: '',
      bar: '= 0',
      met: positions === 0,
    },
  ];
}

/** What reports cost, without and with answers that tell of everybody. */
function sharesOf({ floor, pinged, asked, bytes, bare }) {
  const above = ({ share }) => share - floor.share;
  const answers = asked.share - pinged.share;
  return [
    {
      what: 'presence of 10,000 users: reports, share of a core above that of requests alone',
      value: above(pinged),
      floor: floor.share,
      unit: '%',
      bar: `≤ ${CPU_BAR}`,
      met: above(pinged) <= CPU_BAR,
    },
    {
      what: 'presence of 10,000 users: reports that ask for what changed in the last minute, above that of requests alone',
      value: above(asked),
      floor: floor.share,
      unit: '%',
      bar: `≤ ${CPU_BAR}`,
      met: above(asked) <= CPU_BAR,
    },
    {
      what: `presence of 10,000 users: answers of ${Math.round(bytes / 1000)} kB to these, beside as many bytes by node:http`,
      value: answers,
      floor: bare,
      share: answers / bare,
      unit: '%',
      bar: `≤ ${BYTES_BAR} × floor`,
      met: answers <= BYTES_BAR * bare,
    },
  ];
}

/** Share of a core that requests cost, and the bytes that the server writes to files meanwhile. */
async function loadOf({ port, pid }, seconds, makeRequest, perSecond = PER_SECOND) {
  await pause(2_000);
  const [before, written] = [cpuMs(pid), writtenBytes(pid)];
  await openLoop({ port, clients: 8, perSecond, seconds, makeRequest });
  return {
    share: ((cpuMs(pid) - before) / (seconds * 1000)) * 100,
    bytesAMinute: ((writtenBytes(pid) - written) / seconds) * 60,
  };
}

/** Share of a core that a bare server takes to answer with so many bytes, above answers with next to nothing. */
async function bareShare(bytes) {
  const bare = await start('bench/floors/shared-bytes.mjs', [String(bytes)]);
  try {
    const all = () => postRequest('/all', '');
    await loadOf(bare, 2, all);
    const { share } = await loadOf(bare, BARE_S, all);
    return share - (await loadOf(bare, BARE_S, () => postRequest('/none', ''))).share;
  } finally {
    await bare.stop();
  }
}

const userOf = (index) => FIRST + (index % USERS);

/** A report of a client that keeps what it was told before. */
function report(userId, lastUpdateId) {
  return formRequest('POST', '/api/v1/users/me/presence', authorizationOf(userId), {
    status: 'active',
    new_user_input: 'true',
    slim_presence: 'true',
    ...(lastUpdateId < 0 ? { ping_only: 'true' } : { last_update_id: String(lastUpdateId) }),
  });
}

/** Bytes that a process has written to files so far. */
function writtenBytes(pid) {
  return Number(/^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))[1]);
}
