// What processes on shared stores take while nobody asks anything of them: CPU of an api and of a projector, as shares of a core.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openEventStore } from '#event-store';
import { cpuMs, run, startServer, temporaryFolder } from './support/processes.mjs';
import { registry } from './support/registry.mjs';
import { SECRET, seedOrganization } from './support/seed.mjs';
import { FERRETDB, startFerretDb, startStandIn } from './support/stores.mjs';

/** What a start leaves behind: read models, compilations, garbage, which V8 collects in full some times within the first minute of rest. */
const SETTLED_MS = 120_000;
const IDLE_MS = 60_000;
const BAR = 0.01;

export async function measureIdleProcesses() {
  if (!existsSync(FERRETDB)) return [];
  const data = temporaryFolder();
  const ends = [() => data.remove()];
  try {
    return await idle(data.folder, ends);
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

async function idle(folder, ends) {
  const own = async (starting) => {
    const started = await starting;
    ends.push(() => started.stop());
    return started;
  };
  const standIn = await own(startStandIn());
  const ferretDb = await own(startFerretDb(join(folder, 'ferretdb')));
  const store = await openEventStore(standIn.said, registry);
  await seedOrganization(store, { users: 103, channels: [{ name: 'few', subscribers: [4, 5, 6] }] });
  await store.close();
  writeFileSync(join(folder, 'secret.key'), SECRET);
  const env = { SECRET_KEY: SECRET, EVENT_STORE_URL: standIn.said, READ_STORE_URL: ferretDb.url };
  const projector = await own(
    run(['dist/bin/projector.js'], /health checks on \S+:(\d+)/, process.execPath, {
      ...env,
      DATA_DIR: folder,
      LOG_LEVEL: 'warn',
      PORT: '0',
    }),
  );
  const api = await own(startServer(folder, { ...env, PROJECTOR: 'off' }));
  await pause(SETTLED_MS);
  const processes = [
    ['api', api.pid],
    ['projector', projector.pid],
  ];
  const before = processes.map(([, pid]) => cpuMs(pid));
  await pause(IDLE_MS);
  return processes.map(([name, pid], index) => {
    const share = (cpuMs(pid) - before[index]) / IDLE_MS;
    return {
      what: `CPU of an idle ${name} on shared stores`,
      value: share * 100,
      unit: '% of a core',
      bar: '≤ 1',
      met: share <= BAR,
    };
  });
}
