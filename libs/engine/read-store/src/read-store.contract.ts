import { describeCommits } from './contract/commits.contract.js';
import { describeDocuments } from './contract/documents.contract.js';
import { describeLeftOvers } from './contract/left-overs.contract.js';
import { describeRebuilds } from './contract/rebuilds.contract.js';
import { describeSearches } from './contract/searches.contract.js';
import { ContractStore, type ReadStoreHarness } from './contract/store.contract.js';
import { describeWords } from './contract/words.contract.js';

/** Contract of every read store (`ReadStore`). */
export function readStoreContract(name: string, harnessOf: () => Promise<ReadStoreHarness>): void {
  describe(`the read store on ${name}`, () => {
    const home = new ContractStore(harnessOf);
    beforeEach(() => home.open());
    afterEach(() => home.destroy());
    describeDocuments(home);
    describeCommits(home);
    describeSearches(home);
    describeWords(home);
    describeRebuilds(home);
    describeLeftOvers(home);
  });
}
