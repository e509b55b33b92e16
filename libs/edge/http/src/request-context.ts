import type { OpenSpan } from '#kernel';
import type { EdgeRequest } from './exchange.js';
import type { RoutePolicy } from './access.js';
import { DEFAULT_POLICY } from './access.js';
import type { Caller } from './authentication.js';
import { clientNameOf, WEBSITE } from './client-name.js';
import type { LogAddresses } from './logging/logged-address.js';
import type { Cookies } from './pages/cookies.js';
import { CSRF_FIELD } from './pages/csrf.js';
import type { RawParams } from './params/raw-params.js';
import { FILES, merge, NOTHING_GIVEN } from './params/raw-params.js';
import type { SmallFiles } from './params/small-files.js';
import { IGNORED_NAME_LENGTH_MAX, IGNORED_NAMES_MAX } from './limits/limits.js';

/** State of a request in progress. */
export class RequestContext {
  caller: Caller | undefined = undefined;
  /** Policy of the route; the default for an unknown path. */
  policy: RoutePolicy = DEFAULT_POLICY;
  /** The browser's cookies; undefined where they are not read. */
  cookies: Cookies | undefined = undefined;
  /** Names the session by which the caller was found, and not by credentials of the request; no secret follows from it. */
  sessionId: string | undefined = undefined;
  /** Counts a call that its handler would count; undefined for all others. */
  count: (() => Error | undefined) | undefined = undefined;
  /** The caller is the operator of the server, by the token. */
  isOperator = false;
  /** The route is hidden from the caller: the request is refused when its body was read, as one to an unknown path is. */
  isHidden = false;
  /** How precisely events say from which address a request came. */
  addresses: LogAddresses = 'none';
  /** The request was routed again under another verb, which answers and logs it. */
  superseded = false;
  /** Parameters of the form under the first verb, when the verb was overridden. */
  overriddenForm: RawParams | undefined = undefined;
  /** Files of a multipart body; undefined for other bodies, and on routes that take none. */
  files: SmallFiles | undefined = undefined;
  readonly startedMs = performance.now();
  /** Address of the caller; empty when the connection had ended before. */
  address = '';
  /** The span of the request; undefined when nobody traces. */
  span: OpenSpan | undefined = undefined;
  /** Bytes written to the connection before the answer to this request. */
  writtenBefore = 0;
  #given: RawParams | undefined = undefined;
  #ignored: readonly string[] | undefined = undefined;

  constructor(private readonly request: EdgeRequest) {}

  /** All parameters; the body takes precedence. */
  given(): RawParams {
    if (this.#given !== undefined) return this.#given;
    const { query, body } = this.request as { query: RawParams | null | undefined; body: RawParams | null | undefined };
    const form = this.overriddenForm ?? body ?? NOTHING_GIVEN;
    return (this.#given = merge(query ?? NOTHING_GIVEN, form));
  }

  /** The client's name: `website` for a session, else the parameter `client` or the User-Agent (rules.md §1). */
  clientName(): string {
    if (this.sessionId !== undefined) return WEBSITE;
    return clientNameOf(this.given().client, this.request.headers['user-agent']);
  }

  /** Records names that no parameter has. With several parameter classes, only names that all of them ignore count. */
  ignore(names: readonly string[]): void {
    const before = this.#ignored;
    this.#ignored = before === undefined ? names : names.filter((name) => before.includes(name));
  }

  /** Records a parameter that was read, and that nothing acts on; after the parameters are read. */
  alsoIgnore(name: string): void {
    this.#ignored = [...(this.#ignored ?? []), name];
  }

  /** The unsupported names, sorted and limited to what fits a reply. */
  ignored(): readonly string[] {
    const given = this.given();
    const unread = this.#ignored ?? Object.keys(given).filter((name) => name !== 'client');
    const files = [...(given[FILES] ?? [])].filter((name) => !(name in given));
    if (unread.length === 0 && files.length === 0) return unread;
    // The token of a form is checked before the handler reads its parameters.
    return [...unread, ...files]
      .filter((name) => this.sessionId === undefined || name !== CSRF_FIELD)
      .map((name) => name.slice(0, IGNORED_NAME_LENGTH_MAX))
      .sort()
      .slice(0, IGNORED_NAMES_MAX);
  }
}

/** Carries the `RequestContext` on Fastify's request. */
export const EDGE = 'edge';

export function contextOf(request: EdgeRequest): RequestContext {
  const carrier = request as unknown as { [EDGE]: RequestContext | null };
  return (carrier[EDGE] ??= new RequestContext(request));
}
