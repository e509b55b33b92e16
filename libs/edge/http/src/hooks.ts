import { badRequest, type OpenSpan, type Origin, Refusal, type Spans } from '#kernel';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { policyOf } from './access.js';
import { admission, type AdmissionParts, asError, type Done, notThere, protection } from './admission.js';
import { clientNameOf } from './client-name.js';
import { DirectLane } from './direct/direct-lane.js';
import type { Proxies } from './direct/proxies.js';
import type { EdgeReply, EdgeRequest } from './exchange.js';
import { EDGE, contextOf } from './request-context.js';
import { type Failure, failureBody, failureOf, STATUS } from './answers/failure.js';
import { answerWithoutBody, awaitsBody } from './answers/refused-body.js';
import type { RawParams } from './params/raw-params.js';
import { EXCESSIVE, readJsonBody, readUrlEncoded, tooMany, UNREADABLE, unreadable } from './params/raw-params.js';
import { BODY_LIMIT_BYTES } from './limits/limits.js';
import { network } from './limits/rate-limits.js';
import { operatorOrigin } from './http-origin.js';
import { acceptsHtml, type FrontPage, renderFrontPage } from './front-page.js';
import type { Logger } from './logging/logging.js';
import { loggedAddress, type LogAddresses } from './logging/logged-address.js';
import { RequestLog } from './logging/request-log.js';
import { failurePage, PAGE_HEADERS } from './pages/page.js';
import { readMultipart } from './params/multipart.js';
import { SmallFileMemory, SmallFiles } from './params/small-files.js';
import { echo } from './params/wire-types.js';
import { RouteTable } from './route-table.js';
import type { Shutdown } from './shutdown.js';
import type { WebPage } from './pages/web-page.js';
import { JSON_TYPE } from './answers/success.js';

export interface RequestContextParts extends AdmissionParts {
  readonly logger: Logger;
  readonly shutdown: Shutdown;
  /** How precisely events say from which address a request came. */
  readonly addresses: LogAddresses;
  /** Content of the page at `/`; undefined until the application is built. */
  readonly frontPage: () => FrontPage | undefined;
  /** Called when a request has ended, answered or not. */
  readonly onAnswered: ((answered: AnsweredRequest) => void) | undefined;
  /** Called after each call of the operator. */
  readonly onOperator: ((call: string, origin: Origin) => void) | undefined;
  readonly logAddresses: LogAddresses;
  /** The chat page; undefined when this server has none. */
  readonly webPage: WebPage | undefined;
  readonly spans: Spans;
  readonly proxies: Proxies;
  /** Next ID of a request. */
  readonly nextId: () => string;
  /** Whether the trace that a request names is continued. */
  readonly continuesTraces: boolean;
}

/** A request that has ended, for metrics. */
export interface AnsweredRequest {
  readonly method: string;
  /** The route's pattern; null for an address that no route has. */
  readonly route: string | null;
  /** null when the client disconnected before the whole answer was sent. */
  readonly status: number | null;
  readonly ms: number;
}

/** Documentation page for developers. */
export const DOCS_PATH = '/api/docs';

/** Of the framework and of this server. */
const UNSUPPORTED_FORMS: ReadonlySet<string> = new Set(['FST_ERR_CTP_INVALID_MEDIA_TYPE', 'UNSUPPORTED_MEDIA_TYPE']);

const NEVER_CACHE = 'no-cache, no-store, must-revalidate, private, max-age=0';

/** Holds a form while its request is routed again under another verb. */
const FORM = Symbol('form of an overridden verb');
type Overridden = IncomingMessage & { [FORM]?: RawParams };

/**
 * Processing of a request before and after its handler, as Fastify hooks: they run before the body is read, so an
 * anonymous caller's body is never buffered, and cost less than Nest's guards and interceptors.
 */
export function installRequestContext(fastify: FastifyInstance, parts: RequestContextParts): DirectLane {
  const routes = new RouteTable();
  fastify.decorateRequest(EDGE, null);
  installBodyReaders(fastify);
  const log = new RequestLog(parts.logger);
  fastify.addHook('onClose', (_, done) => {
    log.close();
    done();
  });
  if (parts.spans.areOn) traceRequests(fastify, parts);
  const start = (request: EdgeRequest, reply: EdgeReply): Error | undefined => {
    // Also fires when the client disconnects before the answer, unlike `onResponse`.
    reply.raw.once('close', () => {
      finish(log, parts, request, reply);
    });
    if (log.isEnabled) contextOf(request).writtenBefore = request.raw.socket.bytesWritten;
    return begin(parts, request, reply);
  };
  fastify.addHook('onRequest', (request, reply, done) => {
    done(start(request, reply));
  });
  fastify.addHook('onRoute', (route) => {
    prepareRoute(fastify, parts, routes, route);
    // Node leaves out the body of an answer to HEAD.
    if (route.method === 'GET') route.method = ['GET', 'HEAD'];
    if (policyOf(route.config).hiddenBy === undefined) routes.add(route.url, route.method);
  });
  const answerUnrouted = (request: FastifyRequest, reply: FastifyReply): void => {
    answerUnknown(parts, routes, request, reply).catch((error: unknown) => {
      fail(parts.logger, request, reply, error);
    });
  };
  fastify.setErrorHandler((error: FastifyError, request, reply) => {
    // Of what is sent to an unknown path, or with a wrong verb, no form is unsupported.
    const isForm = UNSUPPORTED_FORMS.has(error.code);
    if (isForm && request.is404) answerUnrouted(request, reply);
    else fail(parts.logger, request, reply, isForm && contextOf(request).isHidden ? notThere() : error);
  });
  fastify.setNotFoundHandler((request, reply) => {
    if (!overrideVerb(fastify, request, reply)) answerUnrouted(request, reply);
  });
  return new DirectLane({
    ...parts,
    begin: start,
    fail: (request, reply, thrown) => {
      fail(parts.logger, request, reply, thrown);
    },
    overrideVerb: (request, reply) => overrideVerb(fastify, request, reply),
  });
}

/** Each request is a span, in which its hooks and its handler run. */
function traceRequests(fastify: FastifyInstance, { spans, continuesTraces }: RequestContextParts): void {
  fastify.addHook('onRequest', (request, _, done) => {
    const { method, routeOptions, headers } = request;
    contextOf(request).span = spans.begin(
      routeOptions.url === undefined ? method : `${method} ${routeOptions.url}`,
      continuesTraces ? headers : undefined,
    );
    within(request, done);
  });
  // What arrives after the headers is read elsewhere.
  fastify.addHook('preValidation', (request, _, done) => {
    within(request, done);
  });
}

function within(request: FastifyRequest, work: () => void): void {
  const { span } = contextOf(request);
  if (span === undefined) work();
  else span.within(work);
}

function begin(parts: RequestContextParts, request: EdgeRequest, reply: EdgeReply): Error | undefined {
  const { shutdown, callLimits } = parts;
  shutdown.enter();
  forgetTypeOfNothing(request.raw);
  const edge = contextOf(request);
  edge.address = request.ip ?? '';
  edge.addresses = parts.addresses;
  edge.overriddenForm = (request.raw as Overridden)[FORM];
  reply.header('x-request-id', request.id);
  reply.header('cache-control', NEVER_CACHE);
  reply.header('x-content-type-options', 'nosniff');
  if (shutdown.begun) {
    reply.raw.shouldKeepAlive = false;
    return new Refusal('SERVER_NOT_READY', 'The server is shutting down. Please try again in a moment.');
  }
  if (request.query === EXCESSIVE) return tooMany();
  if (request.query === UNREADABLE) return unreadable();
  // Checked here and not by Node, whose answer would not be JSON.
  if (request.raw.headers.host === undefined && request.raw.httpVersion === '1.1')
    return badRequest('Missing Host header');
  if (!request.is404 || edge.overriddenForm !== undefined) return undefined;
  return callLimits.spend(reply, callLimits.takeForAddress(edge.address));
}

/** A type is of no content where there is none: programs name one nevertheless, text/plain for an empty string. */
function forgetTypeOfNothing({ headers }: IncomingMessage): void {
  if (headers['content-type'] === undefined || headers['transfer-encoding'] !== undefined) return;
  if (Number(headers['content-length'] ?? 0) === 0) delete headers['content-type'];
}

function prepareRoute(
  fastify: FastifyInstance,
  parts: RequestContextParts,
  routes: RouteTable,
  route: RouteOptions,
): void {
  const policy = policyOf(route.config);
  const onRequest = [admission(parts, policy), ...listOf(route.onRequest)];
  if (route.url.includes('/:')) onRequest.push(refuseLiteral(routes));
  route.onRequest = onRequest;
  if (policy.access !== 'public' && route.method !== 'GET')
    route.preHandler = [protection(parts), ...listOf(route.preHandler)] as NonNullable<RouteOptions['preHandler']>;
  if (policy.hiddenBy !== undefined)
    route.preValidation = [refuseHidden, ...listOf(route.preValidation)] as NonNullable<RouteOptions['preValidation']>;
  if (route.method !== 'POST') return;
  const override = (request: FastifyRequest, reply: FastifyReply, done: Done): void => {
    if (!overrideVerb(fastify, request, reply)) done();
  };
  route.preValidation = [override, ...listOf(route.preValidation)] as NonNullable<RouteOptions['preValidation']>;
}

function refuseHidden(request: FastifyRequest, _reply: FastifyReply, done: Done): void {
  done(contextOf(request).isHidden ? notThere() : undefined);
}

/** The router matches the name of one route as a parameter of another when only the other has the verb. */
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

function installBodyReaders(fastify: FastifyInstance): void {
  const whole = { parseAs: 'buffer', bodyLimit: BODY_LIMIT_BYTES } as const;
  const memory = new SmallFileMemory();
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/x-www-form-urlencoded', whole, ({ headers }, body, done) => {
    if (!refuseEncoded(headers, done)) readInto(done, () => readUrlEncoded(body as unknown as Buffer));
  });
  fastify.addContentTypeParser('application/json', whole, ({ headers }, body, done) => {
    if (!refuseEncoded(headers, done)) readInto(done, () => readJsonBody(body as unknown as Buffer));
  });
  fastify.addContentTypeParser('multipart/form-data', (request, _payload, done) => {
    if (refuseEncoded(request.headers, done)) return;
    const edge = contextOf(request);
    const { takesFile, smallFileLimitBytes: limit } = edge.policy;
    if (limit !== undefined) edge.files = new SmallFiles(limit, memory);
    if (takesFile) done(null);
    else
      readMultipart(request.raw, edge.files).then(
        (given) => {
          done(null, given);
        },
        (error: unknown) => {
          done(asError(error));
        },
      );
  });
}

type Read = (error: Error | null, body?: unknown) => void;

/**
 * Refuses a body that is not as it was written: a compressed one may be any number of times as large as what limits count.
 * @returns whether it is refused
 */
function refuseEncoded({ 'content-encoding': coding = 'identity' }: IncomingHttpHeaders, done: Read): boolean {
  // A list, which may have empty elements. Some clients name the character set here: it is the one that is expected.
  if (coding.split(',').every((one) => /^\s*(?:identity|utf-?8)?\s*$/i.test(one))) return false;
  const told = `Content-Encoding '${echo(coding)}' is not supported. Send the body as it is.`;
  done(new Refusal('UNSUPPORTED_MEDIA_TYPE', told));
  return true;
}

function readInto(done: Read, read: () => RawParams): void {
  let given: RawParams;
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
 * The form field `method` of a POST names the intended verb (rules.md §1). The request is routed again under
 * that verb, with the parsed form; it is authenticated again, but not counted again.
 * @returns whether the request was routed again
 */
function overrideVerb(fastify: FastifyInstance, request: EdgeRequest, reply: EdgeReply): boolean {
  const raw = request.raw as Overridden;
  if (raw.method !== 'POST' || raw[FORM] !== undefined) return false;
  const form = request.body as RawParams | null | undefined;
  const verb = form?.method?.toUpperCase();
  if (form === null || form === undefined || verb === undefined || !OVERRIDING_VERBS.has(verb)) return false;
  const { method: _, ...rest } = form;
  raw[FORM] = { __proto__: null, ...rest } as unknown as RawParams;
  raw.method = verb;
  // The body has been read: no header may announce one.
  const { headers } = raw;
  delete headers['content-type'];
  delete headers['content-length'];
  delete headers['transfer-encoding'];
  contextOf(request).superseded = true;
  reply.hijack();
  fastify.routing(raw, reply.raw);
  return true;
}

async function answerUnknown(
  parts: RequestContextParts,
  routes: RouteTable,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { logger } = parts;
  if (pathOf(request) === '/' && (request.method === 'GET' || request.method === 'HEAD')) {
    reply.header('vary', 'accept');
    if (await answerRoot(parts, request, reply)) return;
  }
  const verbs = routes.verbsOf(pathOf(request));
  // A 404 from an existing route comes from its handler.
  const isQuestion = request.method === 'OPTIONS';
  if (verbs.length === 0 || (!isQuestion && verbs.includes(request.method))) {
    fail(logger, request, reply, notThere());
  } else if (isQuestion) {
    reply.code(204).header('allow', verbs.join(', ')).send();
  } else {
    fail(logger, request, reply, wrongVerb(verbs));
  }
}

/**
 * Answers browsers with the chat page or, where it was not built, with a page of links; others with an empty success.
 * @returns false while the application is being built
 */
async function answerRoot(
  { frontPage, webPage }: RequestContextParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const isForPeople = acceptsHtml(request.headers.accept);
  if (isForPeople && webPage !== undefined && (await webPage.sendShell(request, reply))) return true;
  const page = frontPage();
  if (page === undefined) return false;
  if (isForPeople) reply.code(200).headers(PAGE_HEADERS).send(renderFrontPage(page, DOCS_PATH));
  // Monitors ask for the address of the server, and take a 404 for a server that is broken.
  else
    reply
      .code(200)
      .type(JSON_TYPE)
      .send(JSON.stringify({ result: 'success', msg: '' }));
  return true;
}

/** Answers a thrown error. */
export function fail(logger: Logger, request: EdgeRequest, reply: EdgeReply, thrown: unknown): void {
  const failure = failureOf(thrown);
  if (failure.isFault) logger.error({ err: thrown, requestId: request.id, status: failure.status }, 'request failed');
  if (reply.sent) return;
  if (reply.raw.headersSent) {
    // Part of the answer is sent: the client must see that it is cut off.
    reply.raw.destroy();
    return;
  }
  // What was to be sent may be kept for long; that it failed is not.
  reply.header('cache-control', NEVER_CACHE).code(failure.status).headers(failure.headers);
  reply.removeHeader('content-length');
  // Fastify closes the connection after each body that it could not read, even when it has arrived.
  const connection = reply.raw.shouldKeepAlive ? 'keep-alive' : 'close';
  if (reply.hasHeader('connection')) reply.header('connection', connection);
  const content = contentOf(failure, request, reply);
  if (awaitsBody(request.raw)) {
    reply.hijack();
    const headers = reply.getHeaders() as OutgoingHttpHeaders;
    answerWithoutBody(request.raw, reply.raw, failure.status, headers, content);
    return;
  }
  // What was received, but not read, would block the connection.
  request.raw.resume();
  reply.send(content);
}

/** Sets the headers of the content as well. */
function contentOf(failure: Failure, request: EdgeRequest, reply: EdgeReply): string {
  const { isPage, servesFiles } = contextOf(request).policy;
  // Links to files are opened by people (endpoints.md §2).
  if (isPage || (servesFiles && failure.status === STATUS.NOT_FOUND)) {
    // Browsers would ask for a name and a password of their own.
    reply.removeHeader('www-authenticate');
    reply.headers(PAGE_HEADERS);
    return failurePage(failure.message);
  }
  // Scripts of pages say that they are; for them a browser would ask for a name and a password of its own as well.
  if (request.headers['x-requested-with'] !== undefined) reply.removeHeader('www-authenticate');
  reply.header('content-type', JSON_TYPE);
  return failureBody(failure);
}

function endSpan(span: OpenSpan, request: EdgeRequest, reply: EdgeReply): void {
  const status = reply.raw.writableFinished ? reply.statusCode : undefined;
  const attributes = {
    'http.request.method': request.method,
    'scrollback.request_id': request.id,
    ...(request.routeOptions.url === undefined ? {} : { 'http.route': request.routeOptions.url }),
    ...(status === undefined ? {} : { 'http.response.status_code': status }),
  };
  span.end(attributes, reply.statusCode >= 500);
}

function finish(
  log: RequestLog,
  { shutdown, onAnswered, onOperator, logAddresses }: RequestContextParts,
  request: EdgeRequest,
  reply: EdgeReply,
): void {
  shutdown.leave();
  const edge = contextOf(request);
  edge.files?.release();
  if (edge.span !== undefined) endSpan(edge.span, request, reply);
  if (edge.isOperator && !edge.superseded)
    onOperator?.(`${request.method} ${request.routeOptions.url ?? ''}`, operatorOrigin(request));
  if (edge.superseded || (onAnswered === undefined && !log.isEnabled)) return;
  const answered = {
    method: request.method,
    route: request.routeOptions.url ?? null,
    status: reply.raw.writableFinished ? reply.statusCode : null,
    ms: performance.now() - edge.startedMs,
  };
  onAnswered?.(answered);
  if (!log.isEnabled) return;
  const line = {
    ...answered,
    ms: Math.round(answered.ms * 100) / 100,
    bytes: request.raw.socket.bytesWritten - edge.writtenBefore,
    requestId: request.id,
    userId: edge.isOperator ? ('operator' as const) : edge.caller?.userId,
    client: clientNameOf(undefined, request.headers['user-agent']),
    address: loggedAddress(edge.address, logAddresses),
  };
  log.log(line, reply.statusCode, network(edge.address));
}
