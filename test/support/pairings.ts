import { FerretDb } from '#testing';

/** TEST_STORES=shared runs the HTTP suites on stores that several processes can share, instead of the embedded ones. */
export const isShared = process.env['TEST_STORES'] === 'shared';

/** Suites that need such stores in any case. */
export function describeShared(name: string, suite: () => void): void {
  if (FerretDb.isBuilt) describe(name, suite);
  else describe.skip(`${name} (needs FERRETDB_BIN)`, suite);
}
