/** Result of an import. */
export interface Imported {
  readonly events: number;
  readonly messages: number;
  /** What could not be carried over, in sentences. */
  readonly notes: readonly string[];
}
