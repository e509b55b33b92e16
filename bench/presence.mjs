// Presence of 10,000 users, each of whom reports once a minute, as clients do: CPU of the server beside that of the same number of
// requests that answer with next to nothing, what it writes, its memory, and what presence adds to POST /register.
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { openLoop } from './support/load.mjs';
import { cpuMs, residentBytes, startServer, temporaryFolder } from './support/processes.mjs';
import { formRequest, getRequest, RawClient } from './support/raw-client.mjs';
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
const CPU_BAR = 5;

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

async function measure({ port, pid }) {
  const registered = async () => {
    // The server closes connections that were idle for the length of a measurement.
    const client = await RawClient.open(port);
    const request = formRequest('POST', '/api/v1/register', authorizationOf(FIRST), {
      fetch_event_types: JSON.stringify(['presence']),
      slim_presence: 'true',
    });
    const { body } = await client.request(request);
    client.close();
    return { bytes: body.length, ...JSON.parse(body) };
  };
  const load = async (seconds, makeRequest, perSecond = PER_SECOND) => {
    await pause(2_000);
    const [before, written] = [cpuMs(pid), writtenBytes(pid)];
    await openLoop({ port, clients: 8, perSecond, seconds, makeRequest });
    return {
      share: ((cpuMs(pid) - before) / (seconds * 1000)) * 100,
      bytesAMinute: ((writtenBytes(pid) - written) / seconds) * 60,
    };
  };
  const empty = await registered();
  const memoryBefore = residentBytes(pid);
  await load(FIRST_S, (index) => report(userOf(index), -1), USERS / FIRST_S);
  const floor = await load(FLOOR_S, (index) =>
    getRequest(`/api/v1/users/${FIRST}/status`, authorizationOf(userOf(index))),
  );
  const whole = await registered();
  const pinged = await load(HALF_S, (index) => report(userOf(index), -1));
  // By now a client has all of it, and asks for what changed: three quarters of the users, on average.
  const since = whole.presence_last_update_id;
  const asked = await load(HALF_S, (index) => report(userOf(index + USERS / 2), since));
  const memory = residentBytes(pid) - memoryBefore;
  if (Object.keys(whole.presences).length < USERS) throw new Error('Somebody is missing.');
  const above = ({ share }) => share - floor.share;
  return [
    shareOf('reports', above(pinged), floor.share),
    shareOf('reports that ask for what changed in the last minute', above(asked), floor.share),
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
      value: positionOf(whole) - positionOf(empty),
      unit: '',
      bar: '= 0',
    },
  ].map((figure) => ('bar' in figure && !('met' in figure) ? { ...figure, met: figure.value === 0 } : figure));
}

function shareOf(what, value, floor) {
  const name = `presence of 10,000 users: ${what}, share of a core above that of requests alone`;
  return { what: name, value, floor, unit: '%', bar: `≤ ${CPU_BAR}`, met: value <= CPU_BAR };
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

/** IDs of client events are positions of the log times 1024, and an index. */
const positionOf = ({ last_event_id: lastEventId }) => Math.floor(lastEventId / 1024);

/** Bytes that a process has written to files so far. */
function writtenBytes(pid) {
  return Number(/^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))[1]);
}
