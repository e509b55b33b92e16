/** How a request to the push service failed. */
export type PushFailureKind =
  /** It could not be reached, or did not answer in time or in an understandable way. */
  | 'unreachable'
  /** It has a fault, or too much to do. */
  | 'fault'
  /** It refuses the request: another attempt would be refused as well. */
  | 'refused';

/** A request to the push service failed. Neither message nor cause contains tokens. */
export class PushFailure extends Error {
  constructor(
    readonly kind: PushFailureKind,
    message: string,
    /** Error code of a refusal. */
    readonly code?: string,
  ) {
    super(message);
    this.name = 'PushFailure';
  }

  /** Whether a later attempt may succeed. */
  get isPassing(): boolean {
    return this.kind !== 'refused';
  }
}
