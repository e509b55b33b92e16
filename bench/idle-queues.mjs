// Memory of an idle queue: the growth of the server's heap over ten thousand registrations, collected before and after.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export function measureIdleQueues() {
  const child = spawnSync(process.execPath, ['--expose-gc', fileURLToPath(import.meta.url), 'inside'], {
    encoding: 'utf8',
  });
  if (child.status !== 0) throw new Error(child.stderr);
  const bytes = Number(child.stdout.trim().split('\n').at(-1));
  return [{ what: 'heap of an idle queue', value: bytes, unit: 'bytes', bar: '≤ 2048', met: bytes <= 2048 }];
}

if (process.argv[2] === 'inside') {
  const QUEUES = 10_000;
  const { startServer } = await import('../dist/apps/api/src/running-server.js');
  const { readSettings } = await import('#runtime');
  const { temporaryFolder } = await import('./support/processes.mjs');
  const { formRequest, RawClient } = await import('./support/raw-client.mjs');
  const { authorizationOf, openLog, seedOrganization } = await import('./support/seed.mjs');
  const data = temporaryFolder();
  const store = openLog(data.folder);
  await seedOrganization(store, { users: 103, channels: [] });
  await store.close();
  const server = await startServer(
    readSettings({ DATA_DIR: data.folder, PORT: '0', RATE_LIMITS: 'off', LOG_LEVEL: 'silent' }),
  );
  const client = await RawClient.open(server.port);
  const register = async (index) => {
    const capabilities = JSON.stringify({
      bulk_message_deletion: true,
      empty_topic_name: true,
      user_settings_object: true,
    });
    const fields = {
      event_types: '["message","update_message"]',
      fetch_event_types: '[]',
      client_capabilities: capabilities,
    };
    const { status, body } = await client.request(
      formRequest('POST', '/api/v1/register', authorizationOf(4 + (index % 100)), fields),
    );
    if (status !== 200) throw new Error(body);
  };
  for (let index = 0; index < 500; index++) await register(index);
  const heap = () => {
    globalThis.gc();
    globalThis.gc();
    return process.memoryUsage().heapUsed;
  };
  const before = heap();
  for (let index = 0; index < QUEUES; index++) await register(index);
  const perQueue = (heap() - before) / QUEUES;
  client.close();
  await server.stop();
  data.remove();
  console.log(Math.max(0, Math.round(perQueue)));
  process.exit(0);
}
