/**
 * Prefix of the stream names of an installation on a shared server (STREAM_PREFIX): empty, or a letter followed by
 * letters, digits and dashes. Since it has no dot, no prefix plus its dot is the beginning of another one, nor of the
 * names of an installation without a prefix, which begin with a digit.
 */
const STREAM_PREFIX = /^[A-Za-z][A-Za-z0-9-]*$/;
const STREAM_PREFIX_LENGTH_MAX = 40;

/** @throws TypeError for an invalid prefix */
export function assertStreamPrefix(prefix: string): void {
  if (prefix === '' || (STREAM_PREFIX.test(prefix) && prefix.length <= STREAM_PREFIX_LENGTH_MAX)) return;
  throw new TypeError(
    `It has at most ${STREAM_PREFIX_LENGTH_MAX} letters, digits and dashes, and begins with a letter.`,
  );
}

/** Text before each stream name. */
export function namespaceOf(prefix: string): string {
  return prefix === '' ? '' : `${prefix}.`;
}

/** The prefix is not the organization's: with it, an empty organization would be created beside the right one. */
export class WrongStreamPrefix extends Error {
  constructor(
    readonly prefix: string,
    /** The right prefix; '' for none. */
    readonly expected: string,
    /** Where the right prefix is recorded. */
    readonly source: string,
  ) {
    const given = prefix === '' ? 'is not set' : `is ${prefix}`;
    const right = expected === '' ? 'without STREAM_PREFIX' : `with STREAM_PREFIX=${expected}`;
    super(`STREAM_PREFIX ${given}, but ${source} ${right}.`);
    this.name = 'WrongStreamPrefix';
  }
}
