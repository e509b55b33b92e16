/** A fact that entails something elsewhere, as it stands in the log. */
export interface Cause<Data extends object = object> {
  /** See `causeKey`. */
  readonly key: string;
  readonly stream: string;
  readonly revision: number;
  readonly data: Data;
}

/** What names a fact for good: copies of the log keep streams and revisions, and not positions. */
export function causeKey(stream: string, revision: number): string {
  return `${stream}@${revision}`;
}
