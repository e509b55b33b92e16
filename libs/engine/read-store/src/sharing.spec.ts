import { broadcastContract } from './sharing.contract.js';
import { LocalBroadcast } from './sharing.js';

broadcastContract('one process', async () => {
  const broadcast = new LocalBroadcast();
  return { here: broadcast, there: broadcast, destroy: () => Promise.resolve() };
});
