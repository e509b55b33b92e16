// Cases of the walk: what is sent, and what is expected.
export const json = JSON.stringify;

/** By default the numbers from 1 to `count`. */
export const numbers = (count, of = (index) => index + 1) => Array.from({ length: count }, (_, index) => of(index));

/** One case with any answer below 500. */
export const any = (what, fields = {}, path) => [
  { what, fields, ...(path === undefined ? {} : { path: () => path }), any: true },
];

/** What only an administrator, or the owner of the object, may do. */
export const refused = (fields, path) => any('not theirs', fields, path);
