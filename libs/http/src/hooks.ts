import { badRequest, Refusal } from '#kernel';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { IncomingMessage } from 'node:http';
import type { RoutePolicy } from './access.js';
import { DEFAULT_POLICY, policyOf } from './access.js';
import type { Authenticator } from './authentication.js';
import { notLoggedIn, readCredentials } from './authentication.js';
import { EDGE, edgeOf } from './edge.js';
import { failureBody, failureOf } from './failure.js';
import type { Given } from './given.js';
import { EXCESSIVE, readJsonBody, readUrlEncoded, tooMany } from './given.js';
import { BODY_LIMIT_BYTES } from './limits.js';
import type { Logger } from './logging.js';
import { readMultipart } from './multipart.js';
import type { Budget } from './rate-limiter.js';
import type { CallLimits } from './rate-limits.js';
import { RouteTable } from './route-table.js';
import type { Shutdown } from './shutdown.js';
import { JSON_TYPE } from './success.js';

export interface EdgeParts {
  readonly logger: Logger;
  readonly callLimits: CallLimits;
  readonly shutdown: Shutdown;
  /** Known once the application is built. */
  readonly authenticator: () => Authenticator;
  /** See `HttpOptions.current`. */
  readonly current: () => Promise<void> | undefined;
}

/** A page for people who read up on the interface. Its routes are made by a library, which cannot say that. */
export const DOCS_PATH = '/api/docs';
const DOCS_POLICY: RoutePolicy = { ...DEFAULT_POLICY, access: 'public', enveloped: false };

type Done = (error?: Error) => void;

const NEVER_CACHE = 'no-cache, no-store, must-revalidate, private, max-age=0';

/** Where a form waits while its request is handed over to the route of another verb. */
const FORM = Symbol('form of an overridden verb');
type Overridden = IncomingMessage & { [FORM]?: Given };

/**
 * Everything that happens to a request before and after its handler, as Fastify hooks: they run before the body is
 * read, so a stranger's body is never buffered, and cost less than Nest's guards and interceptors.
 */
export function installEdge(fastify: FastifyInstance, parts: EdgeParts): void {
  const routes = new RouteTable();
  fastify.decorateRequest(EDGE, null);
  installBodyReaders(fastify);
  fastify.addHook('onRequest', (request, reply, done) => {
    done(begin(parts, request, reply));
  });
  fastify.addHook('onRoute', (route) => {
    routes.add(route.url, route.method);
    prepareRoute(fastify, parts, routes, route);
  });
  fastify.setErrorHandler((error: FastifyError, request, reply) => {
    fail(parts.logger, request, reply, error);
  });
  fastify.setNotFoundHandler((request, reply) => {
    if (!overrideVerb(fastify, request, reply)) answerUnknown(parts.logger, routes, request, reply);
  });
}

function begin(parts: EdgeParts, request: FastifyRequest, reply: FastifyReply): Error | undefined {
  const { shutdown, callLimits } = parts;
  shutdown.enter();
  // Also comes when the client goes away before the answer, which `onResponse` never hears of.
  reply.raw.once('close', () => {
    finish(parts, request, reply);
  });
  const edge = edgeOf(request);
  edge.overriddenForm = (request.raw as Overridden)[FORM];
  reply.header('x-request-id', request.id);
  reply.header('cache-control', NEVER_CACHE);
  reply.header('x-content-type-options', 'nosniff');
  if (shutdown.begun) {
    reply.header('connection', 'close');
    return new Refusal('SERVER_NOT_READY', 'The server is shutting down. Please try again in a moment.');
  }
  if (request.query === EXCESSIVE) return tooMany();
  // Asked here and not by Node, whose answer would not be JSON.
  if (request.raw.headers.host === undefined && request.raw.httpVersion === '1.1')
    return badRequest('Missing Host header');
  if (!request.is404 || edge.overriddenForm !== undefined) return undefined;
  const budget = callLimits.takeForAddress(request.ip);
  return budget === undefined ? undefined : spend(reply, budget, callLimits);
}

/** Shows the caller the budget. Returns the refusal when it is used up. */
function spend(reply: FastifyReply, budget: Budget, limits: CallLimits): Error | undefined {
  reply.header('x-ratelimit-limit', budget.limit);
  reply.header('x-ratelimit-remaining', budget.remaining);
  reply.header('x-ratelimit-reset', Math.ceil(budget.resetAtMs / 1000));
  return budget.exceeded ? limits.refusal(budget) : undefined;
}

function prepareRoute(fastify: FastifyInstance, parts: EdgeParts, routes: RouteTable, route: RouteOptions): void {
  const policy = route.url.startsWith(DOCS_PATH) ? DOCS_POLICY : policyOf(route.config);
  const onRequest = [admission(parts, policy), ...listOf(route.onRequest)];
  if (route.url.includes('/:')) onRequest.push(refuseLiteral(routes));
  route.onRequest = onRequest;
  if (route.method !== 'POST') return;
  const override = (request: FastifyRequest, reply: FastifyReply, done: Done): void => {
    if (!overrideVerb(fastify, request, reply)) done();
  };
  route.preValidation = [override, ...listOf(route.preValidation)] as NonNullable<RouteOptions['preValidation']>;
}

/** The router takes the name of one route for a parameter of another where only the other knows the verb. */
function refuseLiteral(routes: RouteTable) {
  return (request: FastifyRequest, _reply: FastifyReply, done: Done): void => {
    const path = pathOf(request);
    done(routes.isLiteral(path) ? wrongVerb(routes.verbsOf(path)) : undefined);
  };
}

function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? '/';
}

function wrongVerb(verbs: readonly string[]): Refusal {
  return new Refusal('METHOD_NOT_ALLOWED', 'Method Not Allowed', { allowed_methods: verbs });
}

function listOf<T>(value: T | readonly T[] | undefined): readonly T[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly T[]) : [value as T];
}

/** Deny by default: who calls, may they call at all, and have they calls left? */
function admission({ authenticator, callLimits, current }: EdgeParts, policy: RoutePolicy) {
  const charge = (request: FastifyRequest, reply: FastifyReply, userId: number | undefined): Error | undefined => {
    if (!policy.limited || edgeOf(request).overriddenForm !== undefined) return undefined;
    const budget = userId === undefined ? callLimits.takeForAddress(request.ip) : callLimits.takeForUser(userId);
    return budget === undefined ? undefined : spend(reply, budget, callLimits);
  };
  /** A wrong key is a call without credentials, so guessing is limited by address. */
  const refuse = (request: FastifyRequest, reply: FastifyReply, error: Error): Error =>
    charge(request, reply, undefined) ?? error;

  const admit = (request: FastifyRequest, reply: FastifyReply, done: Done): void => {
    const edge = edgeOf(request);
    const { authorization } = request.headers;
    if (policy.access === 'public' || (policy.access === 'optional' && authorization === undefined)) {
      done(charge(request, reply, undefined));
      return;
    }
    const accept = (caller: { readonly userId: number }): Error | undefined => {
      edge.caller = caller;
      return charge(request, reply, caller.userId);
    };
    let refused: Error | undefined;
    try {
      const { loginName, apiKey } = readCredentials(authorization);
      const caller = authenticator().authenticate(loginName, apiKey);
      if (caller instanceof Promise) {
        caller.then(accept, (error: unknown) => refuse(request, reply, asError(error))).then(done, done);
        return;
      }
      refused = accept(caller);
    } catch (error) {
      refused = refuse(request, reply, asError(error));
    }
    done(refused);
  };

  return (request: FastifyRequest, reply: FastifyReply, done: Done): void => {
    edgeOf(request).policy = policy;
    // What is not limited is for machines that ask whether this process works, not what it knows.
    const pending = policy.limited ? current() : undefined;
    if (pending === undefined) {
      admit(request, reply, done);
      return;
    }
    pending.then(() => {
      admit(request, reply, done);
    }, done);
  };
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : notLoggedIn();
}

function installBodyReaders(fastify: FastifyInstance): void {
  const asText = { parseAs: 'string', bodyLimit: BODY_LIMIT_BYTES } as const;
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/x-www-form-urlencoded', asText, (_request, body, done) => {
    readInto(done, () => readUrlEncoded(body as unknown as string));
  });
  fastify.addContentTypeParser('application/json', asText, (_request, body, done) => {
    readInto(done, () => readJsonBody(body as unknown as string));
  });
  fastify.addContentTypeParser('multipart/form-data', (request, _payload, done) => {
    if (edgeOf(request).policy.takesFile) done(null);
    else
      readMultipart(request.raw).then(
        (given) => {
          done(null, given);
        },
        (error: unknown) => {
          done(asError(error));
        },
      );
  });
}

function readInto(done: (error: Error | null, body?: unknown) => void, read: () => Given): void {
  let given: Given;
  try {
    given = read();
  } catch (error) {
    done(asError(error));
    return;
  }
  done(null, given);
}

const OVERRIDING_VERBS: ReadonlySet<string> = new Set(['GET', 'PUT', 'PATCH', 'DELETE']);

/**
 * The form field `method` of a POST names the verb that is meant (supplement, rules §1). The request is routed once
 * more under that verb, with the form that has been read; it is authenticated again, and not charged again.
 * Returns whether the request was handed over.
 */
function overrideVerb(fastify: FastifyInstance, request: FastifyRequest, reply: FastifyReply): boolean {
  const raw = request.raw as Overridden;
  if (raw.method !== 'POST' || raw[FORM] !== undefined) return false;
  const form = request.body as Given | null | undefined;
  const verb = form?.method?.toUpperCase();
  if (form === null || form === undefined || verb === undefined || !OVERRIDING_VERBS.has(verb)) return false;
  const { method: _, ...rest } = form;
  raw[FORM] = { __proto__: null, ...rest } as unknown as Given;
  raw.method = verb;
  // The body has been read: nothing that announces one may be left.
  const { headers } = raw;
  delete headers['content-type'];
  delete headers['content-length'];
  delete headers['transfer-encoding'];
  edgeOf(request).superseded = true;
  reply.hijack();
  fastify.routing(raw, reply.raw);
  return true;
}

function answerUnknown(logger: Logger, routes: RouteTable, request: FastifyRequest, reply: FastifyReply): void {
  const verbs = routes.verbsOf(pathOf(request));
  // A route that knows the verb has itself said that there is nothing here.
  const isQuestion = request.method === 'OPTIONS';
  if (verbs.length === 0 || (!isQuestion && verbs.includes(request.method))) {
    fail(logger, request, reply, new Refusal('NOT_FOUND', 'Not found'));
  } else if (isQuestion) {
    reply.code(204).header('allow', verbs.join(', ')).send();
  } else {
    fail(logger, request, reply, wrongVerb(verbs));
  }
}

/** Answers with whatever was thrown. */
export function fail(logger: Logger, request: FastifyRequest, reply: FastifyReply, thrown: unknown): void {
  const failure = failureOf(thrown);
  if (failure.isFault) logger.error({ err: thrown, requestId: request.id, status: failure.status }, 'request failed');
  if (reply.sent) return;
  if (reply.raw.headersSent) {
    // Half an answer is out: the client must see that it is cut off.
    reply.raw.destroy();
    return;
  }
  reply.code(failure.status).headers(failure.headers).removeHeader('content-length');
  reply.header('content-type', JSON_TYPE).send(failureBody(failure));
}

/** One line for each request: the route's pattern, never the address, which may hold names and search terms. */
function finish({ logger, shutdown }: EdgeParts, request: FastifyRequest, reply: FastifyReply): void {
  shutdown.leave();
  const edge = edgeOf(request);
  if (edge.superseded || !logger.isLevelEnabled('info')) return;
  logger.info(
    {
      method: request.method,
      route: request.routeOptions.url ?? null,
      // Null when the client went away before the answer was out.
      status: reply.raw.writableFinished ? reply.statusCode : null,
      ms: Math.round((performance.now() - edge.startedMs) * 100) / 100,
      requestId: request.id,
      userId: edge.caller?.userId,
    },
    'request',
  );
}
