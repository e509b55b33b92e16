import type { FastifyRequest } from 'fastify';
import type { RoutePolicy } from './access.js';
import { DEFAULT_POLICY } from './access.js';
import type { Caller } from './authentication.js';
import { clientNameOf } from './client-name.js';
import type { Given } from './given.js';
import { merge, NOTHING_GIVEN } from './given.js';
import { IGNORED_NAME_LENGTH_MAX, IGNORED_NAMES_MAX } from './limits.js';

/** What this library knows about a request in progress. */
export class Edge {
  caller: Caller | undefined = undefined;
  /** What the route declared; of an unknown path, the default. */
  policy: RoutePolicy = DEFAULT_POLICY;
  /** The request was handed over under another verb: somebody else answers and logs it. */
  superseded = false;
  /** Parameters that came from the form under the first verb, when the verb was overridden. */
  overriddenForm: Given | undefined = undefined;
  readonly startedMs = performance.now();
  #given: Given | undefined = undefined;
  #ignored: readonly string[] | undefined = undefined;

  constructor(private readonly request: FastifyRequest) {}

  /** All parameters, body over query. */
  given(): Given {
    if (this.#given !== undefined) return this.#given;
    const { query, body } = this.request as { query: Given | null | undefined; body: Given | null | undefined };
    const form = this.overriddenForm ?? body ?? NOTHING_GIVEN;
    return (this.#given = merge(query ?? NOTHING_GIVEN, form));
  }

  /** The client's name: the parameter `client`, else the User-Agent (supplement, rules §1). */
  clientName(): string {
    return clientNameOf(this.given().client, this.request.headers['user-agent']);
  }

  /** Records which names nobody asked for. With several parameter classes, only what all of them ignore is ignored. */
  ignore(names: readonly string[]): void {
    const before = this.#ignored;
    this.#ignored = before === undefined ? names : names.filter((name) => before.includes(name));
  }

  /** The names that the endpoint does not support: sorted, and no more of them than fit a reply. */
  ignored(): readonly string[] {
    const names = this.#ignored ?? Object.keys(this.given()).filter((name) => name !== 'client');
    if (names.length === 0) return names;
    return names
      .map((name) => name.slice(0, IGNORED_NAME_LENGTH_MAX))
      .sort()
      .slice(0, IGNORED_NAMES_MAX);
  }
}

/** Carries the `Edge` on Fastify's request. */
export const EDGE = 'edge';

export function edgeOf(request: FastifyRequest): Edge {
  const carrier = request as unknown as { [EDGE]: Edge | null };
  return (carrier[EDGE] ??= new Edge(request));
}
