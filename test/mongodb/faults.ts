import type { ErrorName } from './errors.js';
import type { Request } from './wire.js';

/** How a connection ends: `reset` loses what is under way in both directions (RST), `end` is an orderly close (FIN). */
export type Cut = 'reset' | 'end';

/** Which commands meet a fault. */
export interface Chosen {
  readonly command: string;
  /** Its whole name, or a pattern; any if not given. */
  readonly collection?: string | RegExp;
  /** The next so many of them; Infinity for all until `heal`. */
  readonly times?: number;
}

/** What happens to a command. */
export type Effect =
  | { readonly kind: 'refuse'; readonly error: ErrorName }
  | { readonly kind: 'ignore' }
  | { readonly kind: 'hold' }
  | { readonly kind: 'cut before'; readonly cut: Cut }
  | { readonly kind: 'lose answer'; readonly cut: Cut }
  | { readonly kind: 'end cursor' };

/** A fault that has been ordered. */
export interface Fault {
  /** How many commands have met it so far. */
  readonly struck: number;
}

interface Ordered extends Fault {
  struck: number;
  left: number;
  readonly chosen: Chosen;
  readonly effect: Effect;
}

/** What can go wrong with chosen commands, on demand. */
export class Faults {
  #ordered: Ordered[] = [];

  /** They are refused by this error, and do not reach the server. */
  refuse(chosen: Chosen, error: ErrorName): Fault {
    return this.#order(chosen, { kind: 'refuse', error });
  }

  /** They do not reach the server and are never answered; the connection stays open. */
  ignore(chosen: Chosen): Fault {
    return this.#order(chosen, { kind: 'ignore' });
  }

  /** They, and all that follows on their connections, wait until the proxy's `release`. */
  hold(chosen: Chosen): Fault {
    return this.#order(chosen, { kind: 'hold' });
  }

  /** Their connection is cut, and they do not reach the server. */
  cutBefore(chosen: Chosen, cut: Cut = 'reset'): Fault {
    return this.#order(chosen, { kind: 'cut before', cut });
  }

  /** The server does them; instead of the answer the connection is cut. */
  loseAnswer(chosen: Chosen, cut: Cut = 'reset'): Fault {
    return this.#order(chosen, { kind: 'lose answer', cut });
  }

  /**
   * The next questions for more from a cursor are told that there is no such cursor; or, with `exhausted`, that it is at its
   * end, as a server says of a tailable cursor.
   */
  endCursors(how: 'lost' | 'exhausted' = 'lost', which: Omit<Chosen, 'command'> = {}): Fault {
    const chosen = { ...which, command: 'getMore' };
    return this.#order(chosen, how === 'lost' ? { kind: 'refuse', error: 'CursorNotFound' } : { kind: 'end cursor' });
  }

  /** No command meets a fault any more. */
  heal(): void {
    this.#ordered = [];
  }

  /** For the proxy: what happens to this command. */
  of(request: Request): Effect | undefined {
    const fault = this.#ordered.find(({ chosen, left }) => left > 0 && isChosen(request, chosen));
    if (fault === undefined) return undefined;
    fault.left--;
    fault.struck++;
    return fault.effect;
  }

  #order(chosen: Chosen, effect: Effect): Fault {
    const ordered = { chosen, effect, left: chosen.times ?? 1, struck: 0 };
    this.#ordered.push(ordered);
    return ordered;
  }
}

function isChosen(request: Request, { command, collection }: Chosen): boolean {
  if (request.command !== command) return false;
  if (collection === undefined) return true;
  if (typeof collection === 'string') return request.collection === collection;
  return request.collection !== undefined && collection.test(request.collection);
}
