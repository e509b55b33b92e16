import type { AnsweredRequest } from '#http';
import { Durations } from './durations.js';

/** Few, since there are so many for each route and class. */
const BOUNDS_SECONDS = [0.005, 0.025, 0.1, 0.5, 2.5];
/**
 * Pairs of a route and a class of status with series of their own, eight each: more than a server with all its clients uses, and so
 * few that all series together stay below 3,000.
 */
const PAIRS_MAX = 250;
/** Route of what comes when there are as many. */
const OTHER = 'other';
/** Route of addresses that no route has. */
const NONE = 'none';
const SEND = { method: 'POST', route: '/api/v1/messages' };
const RATE_LIMITED = 429;

/** The requests of one route that ended alike. */
export interface MeteredRoute {
  readonly method: string;
  readonly route: string;
  /** `2xx` … `5xx`, or `aborted`: the client left before the answer. */
  readonly status: string;
  readonly durations: Durations;
}

/** Counts requests by route and class of status, with their time. */
export class RequestMeter {
  /** Sends that were answered with success. */
  sends = 0;
  /** Requests that were refused by a limit of calls. */
  rateLimited = 0;
  readonly #routes = new Map<string, MeteredRoute>();

  routes(): Iterable<MeteredRoute> {
    return this.#routes.values();
  }

  add({ method, route, status, ms }: AnsweredRequest): void {
    const ended = classOf(status);
    if (method === SEND.method && route === SEND.route && ended === '2xx') this.sends++;
    if (status === RATE_LIMITED) this.rateLimited++;
    this.#of(route === null ? '' : method, route ?? NONE, ended).durations.add(ms);
  }

  #of(method: string, route: string, status: string): MeteredRoute {
    const key = `${status}${method} ${route}`;
    const known = this.#routes.get(key);
    if (known !== undefined) return known;
    if (this.#routes.size >= PAIRS_MAX && route !== OTHER) return this.#of('', OTHER, status);
    const metered = { method, route, status, durations: new Durations(BOUNDS_SECONDS) };
    this.#routes.set(key, metered);
    return metered;
  }
}

const CLASSES = ['', '1xx', '2xx', '3xx', '4xx', '5xx'];

function classOf(status: number | null): string {
  return status === null ? 'aborted' : (CLASSES[Math.floor(status / 100)] ?? OTHER);
}
