/** Set by `npm run test:nightly`, which has hours where `npm test` has minutes. */
export const isNightly = process.env['NIGHTLY'] === '1';

/** A size of a test: one for `npm run test:nightly`, and a smaller one for every other run, which must still be able to fail. */
export function sized<Size>(size: { readonly nightly: Size; readonly usual: Size }): Size {
  return isNightly ? size.nightly : size.usual;
}
