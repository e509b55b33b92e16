import { RouteConfig } from '@nestjs/platform-fastify';

/**
 * What a route declares about itself. Nothing declared means: credentials are required, calls are counted, the reply
 * is enveloped and multipart fields are parameters.
 */
export interface RoutePolicy {
  readonly access: 'required' | 'optional' | 'public';
  readonly limited: boolean;
  readonly enveloped: boolean;
  /** The handler reads the multipart body itself: it carries a file. */
  readonly takesFile: boolean;
}

export const DEFAULT_POLICY: RoutePolicy = Object.freeze({
  access: 'required',
  limited: true,
  enveloped: true,
  takesFile: false,
});

/** Key under which a policy lies in Fastify's route configuration. */
const POLICY = 'policy';

/** What each controller method declared so far: a second decorator adds to the first. */
const declaredPolicies = new WeakMap<object, Partial<RoutePolicy>>();

type Declaration = MethodDecorator & ClassDecorator;

function declare(part: Partial<RoutePolicy>): Declaration {
  return (target: object, key?: string | symbol, descriptor?: PropertyDescriptor): void => {
    if (key !== undefined && descriptor !== undefined) {
      configure(target, key, descriptor, (before) => ({ ...before, ...part }));
      return;
    }
    // On a class it holds for each method that does not say otherwise: methods are decorated first.
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
  // Nest's Fastify adapter hands this to Fastify as the route's configuration.
  RouteConfig(policyConfig(policy))(prototype, key, descriptor);
}

/** No credentials needed; those that are sent are ignored. */
export const Public = (): Declaration => declare({ access: 'public' });

/** Anonymous without credentials; with them they must be right. `@Caller()` is then `undefined` or the caller. */
export const OptionalAuth = (): Declaration => declare({ access: 'optional' });

/** Calls do not count against the rate limits (files, health). */
export const NotRateLimited = (): Declaration => declare({ limited: false });

/** The returned value is sent as it is, without the success envelope. */
export const Raw = (): Declaration => declare({ enveloped: false });

/** The handler reads the file of a multipart body through `incomingFile`. */
export const TakesFile = (): Declaration => declare({ takesFile: true });

/** A route configuration for routes that no controller declares. */
export function policyConfig(policy: Partial<RoutePolicy>): { [POLICY]: Partial<RoutePolicy> } {
  return { [POLICY]: policy };
}

/** The policy in a route's configuration. */
export function policyOf(config: object | undefined): RoutePolicy {
  const part = (config as { [POLICY]?: Partial<RoutePolicy> } | undefined)?.[POLICY];
  return part === undefined ? DEFAULT_POLICY : { ...DEFAULT_POLICY, ...part };
}
