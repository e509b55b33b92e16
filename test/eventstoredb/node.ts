import type { Metadata } from '@grpc/grpc-js';
import { callerOf } from './access.js';
import type { Connections } from './connections.js';
import type { CallFailure } from './errors.js';
import { accessDenied, unauthenticated } from './errors.js';
import type { Faults } from './faults.js';
import { Freezer } from './frozen.js';
import type { Membership } from './gossip.js';
import type { Pump } from './pump.js';
import { Store } from './store.js';

/** The common parts of all kinds of calls. */
interface AnyCall {
  readonly metadata: Metadata;
  getPeer(): string;
}

/** Shared state of a node's calls: its store, its live subscriptions, its faults. */
export class Node {
  readonly #live = new Set<Pump>();
  #wakes = false;
  #messagesSent = 0;

  constructor(
    readonly faults: Faults,
    readonly users: Readonly<Record<string, string>> | undefined,
    readonly connections: Pick<Connections, 'cut' | 'isOpen'>,
    /** All nodes of a cluster have the same. */
    readonly store = new Store(),
    readonly membership?: Membership,
    readonly freezer = new Freezer(),
  ) {
    store.onWritten(() => this.#wake());
    faults.onDropSubscriptions((failure) => {
      for (const pump of this.#live) pump.end(failure);
      this.#live.clear();
    });
  }

  /** Number of messages sent to reads and subscriptions. */
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
    const fault = this.faults.ofCall() ?? this.membership?.refusal(requiresLeader(call));
    if (fault) return fault;
    const caller = callerOf(this.users, call.metadata);
    if (caller === 'wrong' || this.faults.passwordsAreWrong) return unauthenticated();
    return caller === 'anonymous' && !anonymous ? accessDenied() : undefined;
  }

  mayWrite(call: AnyCall): boolean {
    return callerOf(this.users, call.metadata) === 'known';
  }

  /** Why a write of an accepted call is refused, if it is. */
  writeRefusal(call: AnyCall): CallFailure | undefined {
    return this.faults.ofCall() ?? this.faults.ofWrite() ?? this.membership?.refusal(requiresLeader(call));
  }

  /** Continues a subscription as events are appended. */
  follow(pump: Pump): void {
    this.#live.add(pump);
    const forget = (): void => void this.#live.delete(pump);
    pump.call.once('cancelled', forget);
    pump.call.once('close', forget);
  }

  /** The connection of a call, asked for while it is open. */
  connectionOf(call: AnyCall): { readonly isOpen: boolean; cut(): void } {
    const peer = call.getPeer();
    const { connections } = this;
    return {
      get isOpen() {
        return connections.isOpen(peer);
      },
      cut: () => connections.cut(peer),
    };
  }

  /** Wakes the subscriptions once for all appends of one turn. */
  #wake(): void {
    if (this.#wakes || this.#live.size === 0) return;
    this.#wakes = true;
    setImmediate(() => {
      this.#wakes = false;
      for (const pump of this.#live) pump.run();
    });
  }
}

/** Whether the caller prefers a refusal to an answer by a follower. */
function requiresLeader({ metadata }: AnyCall): boolean {
  return metadata.get('requires-leader').includes('true');
}
