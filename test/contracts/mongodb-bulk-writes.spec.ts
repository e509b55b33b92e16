import { describeOnMongo, type MongoForTests } from '#testing';
import { describeDecidedCommits } from '../../libs/engine/read-store/src/mongodb/decided-commits.contract.js';
import { MongoHarness } from '../../libs/engine/read-store/src/mongodb/mongo.fixture.js';
import { databaseOf } from '../../libs/engine/read-store/src/mongodb/server/mongo-client.js';
import { describeInterruptions } from '../../libs/engine/read-store/src/mongodb/server/mongo-faults.contract.js';
import { readStoreContract } from '../../libs/engine/read-store/src/read-store.contract.js';
import { MongoProxy, type ObservedCommand } from '../mongodb/index.js';
import { commitAt, contentAt, contentOf, ProxiedStores } from './mongodb.fixture.js';

const WRITES = ['insert', 'update', 'delete', 'bulkWrite'];

describeOnMongo('a read store on a server that writes to several collections by one command', (server) => {
  let proxy: MongoProxy;

  beforeAll(async () => (proxy = await MongoProxy.start(server.freshUrl(), { bulkWrites: true })));
  afterAll(() => proxy.stop());

  const behind: MongoForTests = { freshUrl: () => proxy.urlOf(databaseOf(server.freshUrl())) };

  readStoreContract('MongoDB 8.0', async () => {
    const harness = await MongoHarness.on(behind.freshUrl());
    return {
      open: () => harness.write(),
      openSide: async () => {
        const { side } = await harness.open();
        return { side, close: () => side.close() };
      },
      destroy: () => harness.destroy(),
      isSlow: true,
    };
  });
  describeDecidedCommits(behind);
  describeInterruptions(behind, 5);

  describe('whose commands are counted', () => {
    let observed: ObservedCommand[];
    let stores: ProxiedStores;

    const start = async (bulkWrites: boolean): Promise<void> => {
      observed = [];
      stores = await ProxiedStores.start(server.freshUrl(), {
        bulkWrites,
        observe: (command) => observed.push(command),
      });
    };
    afterEach(() => stores.stop());

    /** Those of a commit with every kind of write that write documents; it removes a range, too. */
    const ofCommit = async (): Promise<string[]> => {
      const store = await stores.write();
      await store.commit(commitAt(1));
      await store.settled();
      observed.length = 0;
      await store.commit(commitAt(2));
      await store.settled();
      expect(await contentOf(store)).toEqual(contentAt(2));
      return observed
        .filter(({ command, collection }) => WRITES.includes(command) && (collection ?? '@').includes('@'))
        .map(({ command }) => command);
    };

    test('finds it out by itself, and writes the documents of a commit by one', async () => {
      await start(true);
      expect(await ofCommit()).toEqual(['bulkWrite', 'delete']);
    });

    test('writes to each collection apart where the server is an earlier one', async () => {
      await start(false);
      expect(await ofCommit()).not.toContain('bulkWrite');
    });

    test.each([
      ['does not support', 'CommandNotSupported'],
      ['denies the user', 'Unauthorized'],
    ] as const)('does so, too, while the server %s the command, and asks once', async (_, error) => {
      await start(true);
      const refused = stores.proxy.faults.refuse({ command: 'bulkWrite', times: Infinity }, error);
      expect(await ofCommit()).toContain('insert');
      expect(refused.struck).toBe(1);
    });

    test('tells the server its limit and the majority', async () => {
      await start(true);
      const asked = jest.spyOn(stores.proxy.faults, 'of');
      await ofCommit();
      const bodies = asked.mock.calls.flatMap(([{ command, body }]) => (command === 'bulkWrite' ? [body] : []));
      expect(bodies.length).toBeGreaterThan(0);
      for (const { maxTimeMS, writeConcern, ordered } of bodies) {
        expect(Number(maxTimeMS)).toBe(7_000);
        expect(writeConcern).toMatchObject({ w: 'majority' });
        expect(ordered).toBe(false);
      }
    });
  });
});
