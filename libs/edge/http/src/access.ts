import { RouteConfig } from '@nestjs/platform-fastify';
import type { TSchema } from 'typebox';
import type { Caller } from './authentication.js';
import { ApiLateExtension } from './openapi/swagger-decorators.js';

/**
 * Policy of a route. By default, credentials are required, calls are rate limited, the reply has the success envelope,
 * and multipart fields are parameters. Credentials are an API key or, without one, the session of a browser; a request with a
 * session that changes something needs the token of `CsrfToken`.
 */
export interface RoutePolicy {
  readonly access: 'required' | 'optional' | 'public';
  readonly limited: boolean;
  /** The handler counts those calls of known callers that are not free, through `PollLimits`. */
  readonly countsCalls: boolean;
  readonly enveloped: boolean;
  /** The handler reads the multipart body itself, because it carries a file. */
  readonly takesFile: boolean;
  /** Files of a multipart body up to this size are read into memory before the handler runs. */
  readonly smallFileLimitBytes: number | undefined;
  /** Also for callers who may do nothing but send (`Authenticator.isWriteOnly`). */
  readonly takesWriteOnly: boolean;
  /** A page for people: errors are pages as well, and forms need the token of `CsrfToken`. */
  readonly isPage: boolean;
  /** Requests that change something need the token of `CsrfToken` without a session as well, and beside other credentials. */
  readonly forOwnPages: boolean;
  /** Records nothing, whatever its method: a server that only answers questions takes it as well (`HttpOptions.readOnly`). */
  readonly recordsNothing: boolean;
  /** The operator's token counts as credentials (`HttpOptions.operator`). */
  readonly takesOperator: boolean;
  /** Answers with files, which a browser loads: they are not rate limited, and the parameter `api_key` counts as credentials. */
  readonly servesFiles: boolean;
  /** Those whom it does not admit are answered as on an unknown path. */
  readonly hiddenBy: DoorClass | undefined;
  /** The method writes its answer itself, and returns nothing (`@WritesAnswer`). */
  readonly writesAnswer: boolean;
  /** Called beside Fastify's and Nest's life cycles (`DirectLane`). */
  readonly isDirect: boolean;
  /** What the answers of the route look like (`@Answers`). */
  readonly answer: AnswerShape | undefined;
}

/** Who may know that a route exists. An injectable class. */
export abstract class Door {
  abstract admits(caller: Caller): boolean;
}

export type DoorClass = new (...args: never[]) => Door;

/** What the content of a success looks like; the envelope goes without saying. */
export type AnswerShape =
  | { readonly kind: 'json'; readonly schema: TSchema }
  /** Content that is not JSON, by its media types, or the redirect that leads to it. */
  | { readonly kind: 'file'; readonly mediaTypes: readonly string[] };

export const DEFAULT_POLICY: RoutePolicy = Object.freeze({
  access: 'required',
  limited: true,
  countsCalls: false,
  enveloped: true,
  takesFile: false,
  smallFileLimitBytes: undefined,
  takesWriteOnly: false,
  isPage: false,
  forOwnPages: false,
  recordsNothing: false,
  takesOperator: false,
  servesFiles: false,
  hiddenBy: undefined,
  writesAnswer: false,
  isDirect: false,
  answer: undefined,
});

/** Key of the policy in Fastify's route configuration. */
const POLICY = 'policy';

/** Marks an operation of the OpenAPI document with what its policy says. */
export const POLICY_EXTENSION = 'x-policy';

/** Declarations per controller method: a second decorator adds to the first. */
const declaredPolicies = new WeakMap<object, Partial<RoutePolicy>>();

type Declaration = MethodDecorator & ClassDecorator;

export function declare(part: Partial<RoutePolicy>): Declaration {
  return (target: object, key?: string | symbol, descriptor?: PropertyDescriptor): void => {
    if (key !== undefined && descriptor !== undefined) {
      configure(target, key, descriptor, (before) => ({ ...before, ...part }));
      return;
    }
    // On a class it applies to each method that does not override it: methods are decorated first.
    const { prototype } = target as { prototype: object };
    for (const name of Object.getOwnPropertyNames(prototype)) {
      const method = Object.getOwnPropertyDescriptor(prototype, name);
      if (name === 'constructor' || typeof method?.value !== 'function') continue;
      configure(prototype, name, method, (before) => ({ ...part, ...before }));
    }
  };
}

function configure(
  prototype: object,
  key: string | symbol,
  descriptor: PropertyDescriptor,
  change: (before: Partial<RoutePolicy>) => Partial<RoutePolicy>,
): void {
  const method = descriptor.value as object;
  const policy = change(declaredPolicies.get(method) ?? {});
  declaredPolicies.set(method, policy);
  // Nest's Fastify adapter passes this to Fastify as the route's configuration.
  RouteConfig(policyConfig(policy))(prototype, key, descriptor);
  ApiLateExtension(POLICY_EXTENSION, () => declaredPolicy(method))(prototype, key, descriptor);
}

/** The policy of a controller's method. */
export function declaredPolicy(method: object): RoutePolicy {
  return { ...DEFAULT_POLICY, ...declaredPolicies.get(method) };
}

/** No credentials needed; credentials in the request are ignored. */
export const Public = (): Declaration => declare({ access: 'public' });

/**
 * Anonymous without credentials; credentials in the request must be valid. `@Caller()` is then `undefined` or the
 * caller.
 */
export const OptionalAuth = (): Declaration => declare({ access: 'optional' });

/** Calls do not count against the rate limits (files, health). */
export const NotRateLimited = (): Declaration => declare({ limited: false });

/** The handler counts calls of known callers itself, through `PollLimits`; others, and wrong parameters, are counted as usual. */
export const CountsCalls = (): Declaration => declare({ countsCalls: true });

/** Sends the returned value without the success envelope. */
export const Raw = (): Declaration => declare({ enveloped: false });

/**
 * Nobody else can tell that the route exists: wrong credentials, wrong verbs and bodies are answered as on an unknown path, and
 * such calls are counted by address as there.
 */
export const HiddenBy = (door: DoorClass): Declaration => declare({ hiddenBy: door });

/** The handler reads the file of a multipart body through `incomingFile`. */
export const TakesFile = (): Declaration => declare({ takesFile: true });

/** Multipart fields are parameters, and the handler gets the files by `@Files`. For pictures and the like. */
export const TakesSmallFiles = (smallFileLimitBytes: number): Declaration => declare({ smallFileLimitBytes });

/** Callers who may do nothing but send are accepted. */
export const TakesWriteOnly = (): Declaration => declare({ takesWriteOnly: true });

/**
 * A page for people, who need not be signed in: the method returns a `PageReply` or a `RedirectReply`. What a form sends is refused
 * without the token of `CsrfToken`.
 */
export const Page = (): Declaration => declare({ access: 'optional', enveloped: false, isPage: true });

/** For scripts of this server's pages alone: changes need the token of `CsrfToken`, whoever calls. */
export const ForOwnPages = (): Declaration => declare({ forOwnPages: true });

/** Records nothing, although its method is not GET: for a server that only answers questions. */
export const RecordsNothing = (): Declaration => declare({ recordsNothing: true });

/**
 * For the most frequent requests: they go past the router and the life cycles of Fastify and Nest (`DirectLane`). The method has no
 * guards, interceptors or pipes.
 */
export const Direct = (): Declaration => declare({ isDirect: true });

/** For the operator of the server: the token of `HttpOptions.operator` counts as credentials, besides the keys of accounts. */
export const TakesOperator = (): Declaration => declare({ takesOperator: true });

/**
 * Answers with files (endpoints.md §2): credentials are optional and may be a key in the query or a session, calls are not
 * rate limited, and the answer has no envelope.
 */
export const ServesFiles = (): Declaration =>
  declare({ access: 'optional', limited: false, enveloped: false, servesFiles: true });

/** Route configuration for routes without a controller. */
export function policyConfig(policy: Partial<RoutePolicy>): { [POLICY]: Partial<RoutePolicy> } {
  return { [POLICY]: policy };
}

/** The policy in a route's configuration. */
export function policyOf(config: object | undefined): RoutePolicy {
  const part = (config as { [POLICY]?: Partial<RoutePolicy> } | undefined)?.[POLICY];
  return part === undefined ? DEFAULT_POLICY : { ...DEFAULT_POLICY, ...part };
}
