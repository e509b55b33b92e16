import { FerretDb, GivenMongo } from '#testing';

/** TEST_STORES=shared runs the HTTP suites on stores that several processes can share, instead of the embedded ones. */
export const isShared = process.env['TEST_STORES'] === 'shared';

/** Suites that need such stores in any case. */
export function describeShared(name: string, suite: () => void): void {
  if (FerretDb.isBuilt || GivenMongo.url !== undefined) describe(name, suite);
  else describe.skip(`${name} (needs FERRETDB_BIN, or READ_STORE_URL=mongodb://…)`, suite);
}

/** Suites that stop and freeze the read store's server, which must therefore be their own. */
export function describeStoppable(name: string, suite: () => void): void {
  if (FerretDb.isBuilt) describe(name, suite);
  else describe.skip(`${name} (needs FERRETDB_BIN)`, suite);
}
