import type { Metadata } from '@grpc/grpc-js';
import { callerOf } from './access.js';
import type { CallFailure } from './errors.js';
import { accessDenied, unauthenticated } from './errors.js';
import type { Faults } from './faults.js';
import type { Pump } from './pump.js';
import type { Outcome } from './store.js';
import { Store } from './store.js';
import type { ProposedEvent } from './wire.js';

/** What every kind of call has. */
interface AnyCall {
  readonly metadata: Metadata;
  getPeer(): string;
}

/** What the calls of a node share: its store, its live subscriptions, its faults. */
export class Node {
  readonly store = new Store();
  readonly #live = new Set<Pump>();
  #wakes = false;
  #messagesSent = 0;

  constructor(
    readonly faults: Faults,
    readonly users: Readonly<Record<string, string>> | undefined,
    readonly cutPeer: (peer: string) => void,
  ) {
    faults.onDropSubscriptions((failure) => {
      for (const pump of this.#live) pump.end(failure);
      this.#live.clear();
    });
  }

  /** How many messages reads and subscriptions were given. */
  get messagesSent(): number {
    return this.#messagesSent;
  }

  /** How a pump of this node works. */
  pumping(live: boolean): Pump['options'] {
    return {
      live,
      pauseMs: () => this.faults.pauseMs,
      sent: () => {
        this.#messagesSent++;
      },
    };
  }

  /** Why a call is refused at its start, if it is. */
  refusal(call: AnyCall, { anonymous = false } = {}): CallFailure | undefined {
    const fault = this.faults.ofCall();
    if (fault) return fault;
    const caller = callerOf(this.users, call.metadata);
    if (caller === 'wrong' || this.faults.passwordsAreWrong) return unauthenticated();
    return caller === 'anonymous' && !anonymous ? accessDenied() : undefined;
  }

  mayWrite(call: AnyCall): boolean {
    return callerOf(this.users, call.metadata) === 'known';
  }

  append(stream: string, events: readonly ProposedEvent[], expected: number): Outcome {
    return this.#told(this.store.append(stream, events, expected));
  }

  delete(stream: string, expected: number): Outcome {
    return this.#told(this.store.delete(stream, expected));
  }

  tombstone(stream: string, expected: number): Outcome {
    return this.#told(this.store.tombstone(stream, expected));
  }

  /** Keeps a subscription going as events are appended. */
  follow(pump: Pump): void {
    this.#live.add(pump);
    const forget = (): void => void this.#live.delete(pump);
    pump.call.once('cancelled', forget);
    pump.call.once('close', forget);
  }

  cut(call: AnyCall): void {
    this.cutPeer(call.getPeer());
  }

  /** Wakes the subscriptions once for all that is appended in one turn. */
  #told(outcome: Outcome): Outcome {
    if (!this.#wakes && this.#live.size > 0) {
      this.#wakes = true;
      setImmediate(() => {
        this.#wakes = false;
        for (const pump of this.#live) pump.run();
      });
    }
    return outcome;
  }
}
