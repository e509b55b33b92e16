import type { CallFailure } from './errors.js';
import { consumerTooSlow, notLeader, unavailable } from './errors.js';

/** What is to happen to one append. */
export interface AppendFault {
  /** Wait this long before the append is looked at. */
  delayMs: number;
  /** Cut the connection: with `before`, nothing is stored; with `after`, it is stored, and nobody is told. */
  cut: 'before' | 'after' | undefined;
}

/** What can go wrong, on demand. Everything stays as it is set until `heal`, except what is counted. */
export class Faults {
  #cutBefore = 0;
  #cutAfter = 0;
  #delayMs = 0;
  #leader: { host: string; port: number } | undefined;
  #unavailable = false;
  #passwordsAreWrong = false;
  #pauseMs = 0;
  #endSubscriptions: (failure: CallFailure) => void = () => undefined;

  /** The next appends lose their connection, and nothing of them is stored. */
  cutBeforeAppend(times = 1): void {
    this.#cutBefore = times;
  }

  /** The next appends are stored, and then lose their connection instead of being answered. */
  cutAfterAppend(times = 1): void {
    this.#cutAfter = times;
  }

  /** Appends wait before they are looked at, in their order. */
  delayAppends(delayMs: number): void {
    this.#delayMs = delayMs;
  }

  /** Every call is refused with UNAVAILABLE, as by a node that is starting. */
  refuseCalls(): void {
    this.#unavailable = true;
  }

  /** Writes are refused by a node that knows its leader at this address. */
  followLeader(host: string, port: number): void {
    this.#leader = { host, port };
  }

  /** Calls are refused as those of a user with a wrong password. */
  refusePasswords(): void {
    this.#passwordsAreWrong = true;
  }

  /** Subscriptions wait this long before each message. */
  slowSubscriptions(pauseMs: number): void {
    this.#pauseMs = pauseMs;
  }

  /**
   * Ends the live subscriptions with an error; new ones are served. A node does so to a reader that is too slow, and the
   * client goes on; for `unavailable` the client leaves its connection and fails what else it was doing.
   */
  dropSubscriptions(reason: 'too slow' | 'unavailable' = 'too slow'): void {
    this.#endSubscriptions(reason === 'too slow' ? consumerTooSlow() : unavailable());
  }

  /** Nothing is wrong any more. */
  heal(): void {
    this.#cutBefore = 0;
    this.#cutAfter = 0;
    this.#delayMs = 0;
    this.#leader = undefined;
    this.#unavailable = false;
    this.#passwordsAreWrong = false;
    this.#pauseMs = 0;
  }

  /** For the server: how to end the live subscriptions. */
  onDropSubscriptions(end: (failure: CallFailure) => void): void {
    this.#endSubscriptions = end;
  }

  /** For the server: what is wrong with any call. */
  ofCall(): CallFailure | undefined {
    return this.#unavailable ? unavailable() : undefined;
  }

  /** For the server: what is wrong with a write. */
  ofWrite(): CallFailure | undefined {
    return this.#leader && notLeader(this.#leader.host, this.#leader.port);
  }

  /** For the server: what happens to the next append. */
  nextAppend(): AppendFault {
    const cut = this.#cutBefore > 0 ? 'before' : this.#cutAfter > 0 ? 'after' : undefined;
    if (cut === 'before') this.#cutBefore--;
    if (cut === 'after') this.#cutAfter--;
    return { delayMs: this.#delayMs, cut };
  }

  /** For the server: whether nobody's password is right. */
  get passwordsAreWrong(): boolean {
    return this.#passwordsAreWrong;
  }

  /** For the server: the pause of subscriptions before each message. */
  get pauseMs(): number {
    return this.#pauseMs;
  }
}
