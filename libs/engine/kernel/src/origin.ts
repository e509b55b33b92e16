/** Who acts. */
export type Actor =
  /** An account; bots are users as well. */
  | { readonly kind: 'user' | 'bot'; readonly userId: number }
  /** Somebody who is not signed in: who joins, or proves by a password or a link who they are. */
  | { readonly kind: 'visitor' }
  /** The server by itself, or because of an event (`Origin.cause`). */
  | { readonly kind: 'server' }
  /** Who runs the server: by its settings, its first start, or the command line. */
  | { readonly kind: 'operator' };

/** From where requests come: the same for all requests of one client, which is recorded once. */
export interface Visit {
  /** Name of the client, as messages have it. */
  readonly client: string;
  readonly version?: string;
  /** `k3` for the third API key of the account, `s` and an ID for a browser's session. No secret follows from it. */
  readonly session?: string;
  /** As precise as the operator wants it. */
  readonly address?: string;
  /** Begin of the IDs of the requests, the same for all of one process. */
  readonly requests: string;
}

/** A request in which somebody acts. */
export interface RequestOrigin {
  /** End of the request's ID: letters and digits. */
  readonly number: string;
  /** Asked for when an event is recorded. */
  visit(): Visit;
}

/** Who acts, in which request or because of which event. Every event is recorded with one. */
export interface Origin {
  readonly by: Actor;
  readonly request?: RequestOrigin;
  /** The event because of which the server acts: its stream and revision (`triggerKey`). */
  readonly cause?: string;
}

/** The server acts by itself. */
export const BY_SERVER: Origin = { by: { kind: 'server' } };

export const BY_OPERATOR: Origin = { by: { kind: 'operator' } };

/** The server acts because of an event: one that has a follow-up, by its key, or one of the log. */
export function causedBy(
  event: { readonly key: string } | { readonly stream: string; readonly revision: number },
): Origin {
  return { by: { kind: 'server' }, cause: 'key' in event ? event.key : `${event.stream}@${event.revision}` };
}

/** An account that acts. */
interface Person {
  readonly userId: number;
  /** Null and undefined for people. */
  readonly botType?: number | null;
}

const ORIGIN = Symbol('origin');

/** The same person, as who acts by the origin. */
export function actingBy<Someone extends Person>(person: Someone, origin: Origin): Someone {
  return { ...person, [ORIGIN]: origin };
}

/** The same person, as who acts in the request. */
export function actingIn<Someone extends Person>(person: Someone, request: RequestOrigin): Someone {
  return actingBy(person, { by: actorOf(person), request });
}

/** Where what the person does comes from: the request from which the caller was taken. */
export function originFrom(person: Person): Origin {
  return (person as { readonly [ORIGIN]?: Origin })[ORIGIN] ?? { by: actorOf(person) };
}

/** The origin of a request in which it turned out who acts. */
export function knownAs(person: Person, { request }: Origin): Origin {
  return request === undefined ? { by: actorOf(person) } : { by: actorOf(person), request };
}

function actorOf({ userId, botType }: Person): Actor {
  return { kind: botType === null || botType === undefined ? 'user' : 'bot', userId };
}
