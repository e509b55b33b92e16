import { describeOnMongo } from '#testing';
import { broadcastContract, leasesContract, progressContract } from '../../sharing.contract.js';
import { MongoHarness } from '../mongo.fixture.js';
import type { MongoReadStores } from '../mongo-read-stores.js';

describeOnMongo('what processes share on MongoDB', (server) => {
  const pairOf = async <Port>(
    portOf: (stores: MongoReadStores) => Port,
  ): Promise<{ harness: MongoHarness; here: Port; there: Port; destroy: () => Promise<void> }> => {
    const harness = await MongoHarness.on(server.freshUrl());
    const [here, there] = [portOf(await harness.open()), portOf(await harness.open())];
    return { harness, here, there, destroy: () => harness.destroy() };
  };

  leasesContract('MongoDB', () => pairOf(({ leases }) => leases));

  broadcastContract('MongoDB', () => pairOf(({ broadcast }) => broadcast));

  progressContract('MongoDB', async () => {
    const pair = await pairOf(({ progress }) => progress);
    return { ...pair, writer: await pair.harness.write() };
  });
});
