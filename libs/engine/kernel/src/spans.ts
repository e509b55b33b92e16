/** What a trace shows of a span beside its name: no names of people, addresses or contents. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A span that has begun. */
export interface OpenSpan {
  /** Runs the work as a part of the span, with all that it begins and waits for. */
  within<Result>(work: () => Result): Result;
  /** @param isFailure whether the span shows a failure */
  end(attributes: SpanAttributes, isFailure: boolean): void;
}

/** The parts of the work that a trace shows. This class shows none: it is what there is when nobody traces. */
export class Spans {
  /** Whether anybody traces. */
  readonly areOn: boolean = false;

  /** Runs the work as a span, a part of the one in which it is called. */
  run<Result>(_name: string, work: () => Result, _attributes?: SpanAttributes): Result {
    return work();
  }

  /** Runs the work as a part of the span in which it is called, and without a span elsewhere. */
  runWithin<Result>(_name: string, work: () => Result): Result {
    return work();
  }

  /**
   * Begins a span for a request from outside.
   * @param headers may name the trace of the caller; absent where the caller is not trusted
   */
  begin(_name: string, _headers?: object): OpenSpan {
    return NO_SPAN;
  }
}

const NO_SPAN: OpenSpan = { within: (work) => work(), end: () => undefined };

/** For those whom nobody gave spans. */
export const NO_SPANS = new Spans();
