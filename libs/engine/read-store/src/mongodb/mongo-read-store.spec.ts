import { describeOnMongo } from '#testing';
import { readStoreContract } from '../read-store.contract.js';
import { MongoHarness } from './mongo.fixture.js';

describeOnMongo('MongoDB', (server) => {
  readStoreContract('MongoDB', async () => {
    const harness = await MongoHarness.on(server.freshUrl());
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
});
