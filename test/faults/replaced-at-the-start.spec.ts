import { until } from '#testing';
import { MongoProxy } from '../mongodb/index.js';
import { describeShared } from '../support/pairings.js';
import { build, ServerProcess } from '../support/process.js';
import { openSharedStores, type SharedStores } from '../support/shared-stores.js';

/** Guards against hanging only. */
const WITHIN_MS = 120_000;

describeShared('a projector that is replaced before it has caught up', () => {
  let stores: SharedStores;
  let proxy: MongoProxy;
  let hindered: ServerProcess;
  let other: ServerProcess;

  beforeAll(async () => {
    build();
    stores = await openSharedStores();
    proxy = await MongoProxy.start(stores.environment['READ_STORE_URL'] ?? '');
    const talkative = { ...stores.environment, LOG_LEVEL: 'info' };
    hindered = new ServerProcess('projector', { ...talkative, READ_STORE_URL: proxy.url });
    other = new ServerProcess('projector', talkative);
    const api = new ServerProcess('api', { ...stores.environment, PROJECTOR: 'off' });
    await Promise.all([api.start(), other.start()]);
    await api.owner().send('general', 'a topic', 'what is to be built again');
    await api.discard();
    await other.end('SIGKILL');
    await stores.forgetReadModels();
  });

  afterAll(async () => {
    for (const process of [hindered, other]) await process.discard();
    await proxy.stop();
    await stores.stop();
  });

  test('stands by, although the store still refuses what it reads', async () => {
    const hinder = (): { readonly struck: number } =>
      proxy.faults.refuse({ command: 'find', collection: /@/, times: Infinity }, 'WriteConflict');
    const begun = hinder();
    await hindered.launch();
    await until(() => begun.struck > 0, WITHIN_MS);
    proxy.faults.refuse({ command: 'update', collection: 'leases', times: Infinity }, 'WriteConflict');
    const takings = (): number => other.output.split('This process is the projector now.').length;
    const before = takings();
    await other.launch();
    await until(() => takings() > before, WITHIN_MS);
    proxy.faults.heal();
    hinder();
    await hindered.turns(200, WITHIN_MS);
    expect(hindered.output).toContain('Another process is the projector now.');
  });
});
