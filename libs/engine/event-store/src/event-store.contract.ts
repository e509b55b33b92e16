import { describeAppending } from './contract/appending.contract.js';
import { describeContent } from './contract/content.contract.js';
import { type ContractHome, ContractLog } from './contract/log.contract.js';
import { describeReading } from './contract/reading.contract.js';
import { describeRestarting } from './contract/restarting.contract.js';
import { describeSubscribing } from './contract/subscribing.contract.js';
import { describeVolume } from './contract/volume.contract.js';

/** Contract of `EventStore`, run against each adapter. */
export function describeEventStore(name: string, makeHome: () => Promise<ContractHome>): void {
  describe(`the event store contract: ${name}`, () => {
    const log = new ContractLog(makeHome);
    beforeEach(() => log.open());
    afterEach(() => log.dispose());
    describeAppending(log);
    describeReading(log);
    describeContent(log);
    describeSubscribing(log);
    describeRestarting(log);
    describeVolume(log);
  });
}
