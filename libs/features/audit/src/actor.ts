import { type EventStore, originOf, type RecordedEvent, visitOf } from '#event-store';
import { BoundedMap, type Visit } from '#kernel';
import type { Directory } from '#people';

/** Who caused an event, and in which request or because of which event, as answers tell it. */
export interface WireActor {
  /** `unknown` in events from before it was recorded. */
  readonly kind: 'user' | 'bot' | 'visitor' | 'server' | 'operator' | 'unknown';
  readonly user_id?: number;
  /** As it is now. */
  readonly name?: string;
  /** Stream and revision of the event because of which the server acted. */
  readonly cause?: string;
  /** Number of the visit, until it is looked up. */
  readonly visit?: number;
  /** ID of the request; its end, until the visit is looked up. */
  readonly request?: string;
  readonly client?: string;
  readonly version?: string;
  readonly session?: string;
  readonly address?: string;
}

/** @param directory for kinds and names of users */
export function actorOf(
  directory: Directory,
  event: Pick<RecordedEvent<object>, 'type' | 'data' | 'metadata'>,
): WireActor {
  const { by, visit, request, cause } = originOf(event);
  const rest = { cause, visit, request };
  if (!('userId' in by)) return { kind: by.kind, ...rest };
  const user = directory.user(by.userId);
  const isBot = by.kind === 'bot' || (user !== undefined && user.botType !== null);
  return {
    kind: isBot ? 'bot' : 'user',
    user_id: by.userId,
    ...(user === undefined ? {} : { name: user.fullName }),
    ...rest,
  };
}

/** Visits remembered for one answer. */
const REMEMBERED_MAX = 1_000;

/** Looks up from where the requests of actors came. */
export class ActorRequests {
  readonly #visits = new BoundedMap<number, Visit>(REMEMBERED_MAX);

  constructor(private readonly store: Pick<EventStore, 'readStream'>) {}

  async whole(actor: WireActor): Promise<WireActor> {
    const { visit: number, request, ...rest } = actor;
    if (number === undefined) return actor;
    const visit = this.#visits.get(number) ?? (await visitOf(this.store, number));
    if (visit === undefined) return actor;
    this.#visits.set(number, visit);
    const { client, version, session, address, requests } = visit;
    return { ...rest, request: `${requests}${request ?? ''}`, client, version, session, address };
  }
}
