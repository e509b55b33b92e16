import type { CallFailure } from './errors.js';
import { consumerTooSlow, notLeader, unavailable } from './errors.js';

/** Fault of one append. */
export interface AppendFault {
  /** Delay before the append is handled. */
  delayMs: number;
  /** Also awaited before the append is handled. */
  released: Promise<void> | undefined;
  /** Cuts the connection: with `before`, nothing is stored; with `after`, it is stored, but not answered. */
  cut: 'before' | 'after' | undefined;
  /** Freezes the node after the append is stored and before it is answered. */
  freeze?: (() => void) | undefined;
  /** Neither stores nor answers it. */
  isIgnored: boolean;
}

/** Faults on demand. They stay until `heal`, except those with a count. */
export class Faults {
  #cutBefore = 0;
  #cutAfter = 0;
  #delayMs = 0;
  #held: { readonly released: Promise<void>; readonly release: () => void } | undefined;
  #ignoresAppends = false;
  #answersTwice = false;
  #appendsReceived = 0;
  #freeze: { after: number; now: () => void } | undefined;
  #leader: { host: string; port: number } | undefined;
  #unavailable = false;
  #passwordsAreWrong = false;
  #pauseMs = 0;
  #endSubscriptions: (failure: CallFailure) => void = () => undefined;

  /** The next appends lose their connection before they are stored. */
  cutBeforeAppend(times = 1): void {
    this.#cutBefore = times;
  }

  /** The next appends are stored, and lose their connection instead of being answered. */
  cutAfterAppend(times = 1): void {
    this.#cutAfter = times;
  }

  /** After this many appends the node is frozen instead of answering the last of them. */
  freezeAfterAppends(times: number, freeze: () => void): void {
    this.#freeze = { after: times, now: freeze };
  }

  /** Delays appends, keeping their order. */
  delayAppends(delayMs: number): void {
    this.#delayMs = delayMs;
  }

  /** Holds appends that arrive from now on, in order, until `heal`. */
  holdAppends(): void {
    if (this.#held) return;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    this.#held = { released, release };
  }

  /** Neither stores nor answers appends that arrive from now on, until `heal`. */
  ignoreAppends(): void {
    this.#ignoresAppends = true;
  }

  /** Answers each append of a batch twice, as a node does one whose event id is malformed. */
  answerTwice(): void {
    this.#answersTwice = true;
  }

  /** Number of appends that have arrived, including waiting ones. */
  get appendsReceived(): number {
    return this.#appendsReceived;
  }

  /** Refuses every call with UNAVAILABLE, like a starting node. */
  refuseCalls(): void {
    this.#unavailable = true;
  }

  /** Refuses writes like a follower that knows its leader at this address. */
  followLeader(host: string, port: number): void {
    this.#leader = { host, port };
  }

  /** Refuses calls as those of a user with a wrong password. */
  refusePasswords(): void {
    this.#passwordsAreWrong = true;
  }

  /** Pause of subscriptions before each message. */
  slowSubscriptions(pauseMs: number): void {
    this.#pauseMs = pauseMs;
  }

  /**
   * Ends the live subscriptions with an error; new ones are served. A node does so to a reader that is too slow, and
   * the client continues; for `unavailable` the client abandons its connection and fails its other calls.
   */
  dropSubscriptions(reason: 'too slow' | 'unavailable' = 'too slow'): void {
    this.#endSubscriptions(reason === 'too slow' ? consumerTooSlow() : unavailable());
  }

  /** Removes all faults. */
  heal(): void {
    this.#cutBefore = 0;
    this.#cutAfter = 0;
    this.#delayMs = 0;
    this.#held?.release();
    this.#held = undefined;
    this.#ignoresAppends = this.#answersTwice = false;
    this.#freeze = undefined;
    this.#leader = undefined;
    this.#unavailable = false;
    this.#passwordsAreWrong = false;
    this.#pauseMs = 0;
  }

  /** For the server: ends the live subscriptions. */
  onDropSubscriptions(end: (failure: CallFailure) => void): void {
    this.#endSubscriptions = end;
  }

  /** For the server: failure of any call. */
  ofCall(): CallFailure | undefined {
    return this.#unavailable ? unavailable() : undefined;
  }

  /** For the server: failure of a write. */
  ofWrite(): CallFailure | undefined {
    return this.#leader && notLeader(this.#leader.host, this.#leader.port);
  }

  /** For the server: fault of the next append. */
  nextAppend(): AppendFault {
    const cut = this.#cutBefore > 0 ? 'before' : this.#cutAfter > 0 ? 'after' : undefined;
    if (cut === 'before') this.#cutBefore--;
    if (cut === 'after') this.#cutAfter--;
    this.#appendsReceived++;
    const isLast = this.#freeze !== undefined && --this.#freeze.after === 0;
    const freeze = isLast ? this.#freeze?.now : undefined;
    if (isLast) this.#freeze = undefined;
    return { delayMs: this.#delayMs, released: this.#held?.released, cut, freeze, isIgnored: this.#ignoresAppends };
  }

  /** For the server: whether an append is answered twice. */
  get answersTwice(): boolean {
    return this.#answersTwice;
  }

  /** For the server: whether all passwords are refused. */
  get passwordsAreWrong(): boolean {
    return this.#passwordsAreWrong;
  }

  /** For the server: the pause of subscriptions before each message. */
  get pauseMs(): number {
    return this.#pauseMs;
  }
}
