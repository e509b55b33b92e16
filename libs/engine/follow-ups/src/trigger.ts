/** A recorded event that has a follow-up. */
export interface Trigger<Data extends object = object> {
  readonly type: string;
  /** See `triggerKey`. */
  readonly key: string;
  readonly stream: string;
  readonly revision: number;
  readonly data: Data;
}

/** Permanent identity of an event: copies of the log keep streams and revisions, but not positions. */
export function triggerKey(stream: string, revision: number): string {
  return `${stream}@${revision}`;
}
