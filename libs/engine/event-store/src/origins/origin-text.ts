import { type Actor, type Origin, unreachable } from '#kernel';
import type { NewEvent } from '../event-store.js';
import { streams } from '../streams.js';

/** Field of an event's metadata that says who acted (`originOf`). One letter, since every event has it. */
export const ORIGIN_FIELD = 'o';

const TEXT = /^(?:(b?)(\d{1,16})|([svo])|(?=\.))(?:\.([\da-z]{1,11})\.([\da-z]{1,11}))?(?:~(.+))?$/;

/** An origin in an event's metadata. */
export interface RecordedOrigin {
  readonly by: Actor;
  /** Number of the visit from which the request came (`visitOf`). */
  readonly visit?: number;
  /** End of the request's ID; its begin is with the visit. */
  readonly request?: string;
  /** Stream and revision of the event because of which the server acted. */
  readonly cause?: string;
}

/**
 * An origin as text: `7.2n.9c4` is user 7 in request 9c4 of visit 2n (base 36), `b12` a bot, `v` a visitor, `o` the operator,
 * `s~message-5@3` the server because of an event. `.2n.9c4` leaves it to the data of the event who acts (`actorIn`).
 */
export function originText({ by, request, cause }: Origin, visit: number | undefined): string {
  let text = actorText(by);
  if (request !== undefined && visit !== undefined) text += `.${visit.toString(36)}.${request.number}`;
  if (cause !== undefined) text += `~${cause.startsWith(streams.prefix) ? cause.slice(streams.prefix.length) : cause}`;
  return text;
}

/** An event of which it is known who acts. For origins without a request; those with one are recorded by the `CommandRunner`. */
export function withOrigin(event: NewEvent, origin: Omit<Origin, 'request'>): NewEvent {
  return { ...event, metadata: { ...event.metadata, [ORIGIN_FIELD]: originText(origin, undefined) } };
}

/**
 * Undefined for a text that is no origin.
 * @param named who acts where the text leaves it to the data of the event
 */
export function parseOrigin(text: unknown, named?: () => Actor | undefined): RecordedOrigin | undefined {
  const found = typeof text === 'string' ? TEXT.exec(text) : null;
  if (found === null) return undefined;
  const [, bot, userId, other, visit, request, cause] = found;
  const by = userId === undefined ? otherActor(other) : { kind: userKind(bot), userId: Number(userId) };
  const actor = by ?? named?.();
  if (actor === undefined) return undefined;
  return {
    by: actor,
    ...(visit !== undefined && { visit: parseInt(visit, 36), request }),
    ...(cause !== undefined && { cause: streams.prefix + cause }),
  };
}

function userKind(bot: string | undefined): 'user' | 'bot' {
  return bot === 'b' ? 'bot' : 'user';
}

function otherActor(letter: string | undefined): Actor | undefined {
  return letter === undefined ? undefined : { kind: KINDS[letter as keyof typeof KINDS] };
}

const KINDS = { s: 'server', o: 'operator', v: 'visitor' } as const;

function actorText(by: Actor): string {
  switch (by.kind) {
    case 'user':
      return String(by.userId);
    case 'bot':
      return `b${by.userId}`;
    case 'visitor':
      return 'v';
    case 'operator':
      return 'o';
    case 'server':
      return 's';
    default:
      return unreachable(by);
  }
}
