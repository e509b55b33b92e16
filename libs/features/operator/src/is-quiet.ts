import { described, truth } from '#wire';

/** Told with what is done later by the server itself. */
export const IS_QUIET = described(truth, 'Whether that waits until the server starts without `QUIET`.');
