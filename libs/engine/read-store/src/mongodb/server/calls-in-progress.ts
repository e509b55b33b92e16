import { ReadStoreUnavailable } from '../../read-store.js';

/** A call did not settle in time, although the driver has timeouts of its own. Its outcome is unknown. */
export class CallGivenUp extends ReadStoreUnavailable {
  constructor(server: string, reason: string) {
    super(`The read store at ${server} ${reason}.`);
    this.name = 'CallGivenUp';
  }
}

interface Call {
  /** Its beginning, by `performance.now()`. */
  readonly sinceMs: number;
  readonly fail: (error: CallGivenUp) => void;
}

/** The calls in progress on one client. Each can be given up: its caller gets an error, and its outcome is ignored. */
export class CallsInProgress {
  readonly #calls = new Set<Call>();

  /** @param server hosts, for errors */
  constructor(private readonly server: string) {}

  get count(): number {
    return this.#calls.size;
  }

  /** @throws CallGivenUp at the limit, or when it is given up before */
  async run<Result>(limitMs: number, work: () => Promise<Result>): Promise<Result> {
    let fail: Call['fail'] = () => undefined;
    const givenUp = new Promise<never>((_, reject) => (fail = reject));
    const call: Call = { sinceMs: performance.now(), fail };
    const timer = setTimeout(() => fail(notWithin(this.server, limitMs)), limitMs);
    this.#calls.add(call);
    try {
      return await Promise.race([work(), givenUp]);
    } finally {
      clearTimeout(timer);
      this.#calls.delete(call);
    }
  }

  /** Gives up the calls that began before this time, by `performance.now()`: their connections are lost. */
  giveUpBefore(beforeMs: number): void {
    for (const { sinceMs, fail } of this.#calls) {
      if (sinceMs < beforeMs) fail(new CallGivenUp(this.server, 'lost the connection of a call'));
    }
  }
}

export function notWithin(server: string, limitMs: number): CallGivenUp {
  return new CallGivenUp(server, `did not answer within ${limitMs} ms`);
}
