import { type Clock, NO_SPANS, type Origin, type Spans, SystemClock } from '#kernel';
import type { DynamicModule, INestApplicationContext, Provider, Type } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyServerOptions } from 'fastify';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Authenticator, type Caller } from './authentication.js';
import { failureBody } from './answers/failure.js';
import { FailureFilter } from './answers/failure.filter.js';
import { answerWithoutBody } from './answers/refused-body.js';
import type { FrontPage } from './front-page.js';
import type { DirectLane } from './direct/direct-lane.js';
import { directRoutes } from './direct/direct-routes.js';
import { Proxies } from './direct/proxies.js';
import { readQuery } from './params/raw-params.js';
import { type AnsweredRequest, fail, installRequestContext } from './hooks.js';
import * as limits from './limits/limits.js';
import type { LogAddresses } from './logging/logged-address.js';
import type { Logger } from './logging/logging.js';
import { createLogger, NestLog } from './logging/logging.js';
import { type OpenApiSettings, serveOpenApi } from './openapi/openapi.js';
import { CallLimits, LoginAttempts, PollLimits, VisitorMails } from './limits/rate-limits.js';
import { PolicyReports } from './pages/policy-reports.js';
import { WebPage } from './pages/web-page.js';
import { Shutdown } from './shutdown.js';
import { EnvelopingAdapter, JSON_TYPE } from './answers/success.js';

export interface HttpOptions {
  /** Rate limiting (setting `RATE_LIMITS`). On by default. */
  readonly rateLimits?: boolean;
  /** Trust `X-Forwarded-For` of a proxy. Off by default. */
  readonly trustProxy?: boolean;
  /** Logger. Silent by default; see `createLogger`. */
  readonly logger?: Logger;
  /** How much of callers' addresses the log has (setting `LOG_ADDRESSES`): `short` by default. */
  readonly logAddresses?: LogAddresses;
  /** How precisely events say from which address a request came (setting `EVENT_ADDRESSES`). `short` by default. */
  readonly addresses?: LogAddresses;
  readonly clock?: Clock;
  /**
   * Called before each client request: resolves when this process has caught up with every answer of any process;
   * undefined when it always has.
   */
  readonly current?: (app: INestApplicationContext) => Promise<void> | undefined;
  /** The operator of the server as a caller, if the token is theirs. Asked for on routes below `@TakesOperator`. */
  readonly operator?: (app: INestApplicationContext, token: string) => Promise<Caller | undefined>;
  /** Requests that may record something are refused (setting `READ_ONLY`). Off by default. */
  readonly readOnly?: boolean;
  /** Where clients reach the server; without it, cookies are not `Secure`. */
  readonly siteUrl?: () => string;
  /** Content of the page at `/`, asked for at each visit. */
  readonly frontPage?: (app: INestApplicationContext) => FrontPage;
  /** Called when a request has ended, answered or not. */
  readonly onAnswered?: (answered: AnsweredRequest) => void;
  /** Folder of the built chat page (tools/build-web.mjs). Without it, `/` is a page of links. */
  readonly webFolder?: string;
  /** Requests as spans of traces. The trace of a caller is continued behind a trusted proxy alone. */
  readonly spans?: Spans;
  /** What the OpenAPI document says of the server; its title is `Scrollback` by default. */
  readonly openApi?: Partial<OpenApiSettings>;
  /** Called after each call of the operator, with its verb and route. */
  readonly onOperator?: (app: INestApplicationContext | undefined, call: string, origin: Origin) => void;
}

/** Combines the application's module with this library's providers. */
@Module({})
class HttpModule {}

/**
 * Builds the Nest application on Fastify with the shared HTTP layer: parameters, envelope, errors, credentials, limits,
 * logs, and the OpenAPI document. It is ready to `listen`. The module must provide an `Authenticator` (token
 * `Authenticator`); it may inject `LoginAttempts`, `PollLimits` and `Shutdown`.
 */
export async function createHttpApp(
  module: Type | DynamicModule,
  options: HttpOptions = {},
): Promise<NestFastifyApplication> {
  const { rateLimits = true, clock = new SystemClock(), logger = createLogger('silent') } = options;
  const shutdown = new Shutdown();
  const settings = { rateLimits, clock };
  const nextId = requestIds();
  const adapter = new EnvelopingAdapter(serverOptions(options, logger, nextId) as FastifyServerOptions);
  const callLimits = new CallLimits(settings);
  const built: { authenticator?: Authenticator; app?: INestApplicationContext } = {};
  const webPage = options.webFolder === undefined ? undefined : new WebPage(options.webFolder);
  const fastify = adapter.getInstance();
  const lane = installRequestContext(fastify, {
    nextId,
    proxies: new Proxies(options.trustProxy === true),
    logger,
    webPage,
    shutdown,
    addresses: options.addresses ?? 'short',
    callLimits,
    authenticator: () => {
      if (built.authenticator === undefined) throw new Error('No Authenticator yet.');
      return built.authenticator;
    },
    door: (door) => {
      if (built.app === undefined) throw new Error('No application yet.');
      return built.app.get(door, { strict: false });
    },
    isReadOnly: options.readOnly === true,
    operator: async (token) => (built.app === undefined ? undefined : options.operator?.(built.app, token)),
    siteUrl: () => options.siteUrl?.() ?? '',
    current: () => (built.app === undefined ? undefined : options.current?.(built.app)),
    frontPage: () => (built.app === undefined ? undefined : options.frontPage?.(built.app)),
    onAnswered: options.onAnswered,
    spans: options.spans ?? NO_SPANS,
    continuesTraces: options.trustProxy === true,
    onOperator: (call, origin) => options.onOperator?.(built.app, call, origin),
    logAddresses: options.logAddresses ?? 'short',
  });
  webPage?.install(fastify);
  if (webPage !== undefined) new PolicyReports(logger).install(fastify);
  const providers: Provider[] = [
    { provide: Shutdown, useValue: shutdown },
    { provide: LoginAttempts, useValue: new LoginAttempts(settings) },
    { provide: PollLimits, useValue: new PollLimits(settings, callLimits) },
    { provide: VisitorMails, useValue: new VisitorMails(settings) },
  ];
  const root: DynamicModule = { module: HttpModule, global: true, imports: [module], providers, exports: providers };
  // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment -- Nest declares its options as a class and reads them as a plain object.
  const app = await NestFactory.create<NestFastifyApplication>(root, adapter, {
    logger: new NestLog(logger),
    bodyParser: false,
    abortOnError: false,
  });
  built.app = app;
  built.authenticator = app.get(Authenticator, { strict: false });
  app.useGlobalFilters(new FailureFilter(logger));
  serveOpenApi(app, { title: 'Scrollback', version: '0', ...options.openApi });
  const server = app.getHttpServer();
  server.maxConnections = limits.CONNECTIONS_MAX;
  server.on('checkExpectation', refuseExpectation);
  await app.init();
  // A trace shows the steps of Fastify's life cycle.
  if (options.spans?.areOn !== true) {
    lane.open(directRoutes(app));
    takeBefore(server, lane);
  }
  return app;
}

/** Offers requests to the lane first. */
function takeBefore(server: Server, lane: DirectLane): void {
  const others = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request').on('request', (request, response) => {
    if (!lane.take(request, response)) for (const listener of others) listener(request, response);
  });
}

function serverOptions({ trustProxy = false }: HttpOptions, logger: Logger, nextId: () => string) {
  return {
    logger: false,
    trustProxy,
    genReqId: nextId,
    bodyLimit: limits.BODY_LIMIT_BYTES,
    requestTimeout: limits.REQUEST_TIMEOUT_MS,
    rewriteUrl: ({ url = '/' }: { readonly url?: string }) => withoutEndSlash(withSingleSlashes(pathOf(url))),
    // Plugins wait for nothing. With a limit, Fastify sets a timer for each route.
    pluginTimeout: 0,
    // GET routes take HEAD themselves (`installRequestContext`). Otherwise Fastify adds a second route for each.
    exposeHeadRoutes: false,
    keepAliveTimeout: limits.KEEP_ALIVE_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // Nest middleware is not used, and its engine would run for every request.
    skipMiddie: true,
    // Parameters are checked by `#http`. Otherwise Fastify loads its compilers at each start.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    routerOptions: { maxParamLength: limits.PATH_SEGMENT_LENGTH_MAX, querystringParser: readQuery },
    http: {
      maxHeaderSize: limits.HEADERS_LIMIT_BYTES,
      headersTimeout: limits.HEADERS_TIMEOUT_MS,
      requireHostHeader: false,
    },
    frameworkErrors: ((error, request, reply) => {
      fail(logger, request, reply, error);
    }) as FrameworkErrors,
    clientErrorHandler: answerUnreadable,
  };
}

/**
 * A request target in absolute form, with which clients of a proxy name the server again, is the path in it
 * (RFC 9112, 3.2.2). Whose host it names decides nothing, as with the header `Host`.
 */
function pathOf(target: string): string {
  const [origin] = /^https?:\/\/[^/?#]+/i.exec(target) ?? [];
  if (origin === undefined) return target;
  const path = target.slice(origin.length);
  return path.startsWith('/') ? path : `/${path}`;
}

/** Repeated slashes in a path are one (rules.md §14): clients join an address that ends in one and a path that begins with one. */
function withSingleSlashes(url: string): string {
  if (!url.includes('//')) return url;
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  return path.replaceAll(/\/{2,}/g, '/') + url.slice(path.length);
}

/** Addresses of pages, which people type and mail programs shorten, are the same with and without a slash at the end. */
function withoutEndSlash(url: string): string {
  return url.startsWith('/api/') ? url : url.replace(/^(\/[^?]+)\/(?=\?|$)/, '$1');
}

function noSchemas(): never {
  throw new Error('A route has a schema of Fastify; parameters are classes.');
}

type FrameworkErrors = (error: Error, request: Parameters<typeof fail>[1], reply: Parameters<typeof fail>[2]) => void;

/** Unique across processes and restarts, and cheap: a random prefix and a counter. */
function requestIds(): () => string {
  const prefix = randomBytes(6).toString('hex');
  let count = 0;
  return () => `${prefix}-${(++count).toString(36)}`;
}

const UNREADABLE: Readonly<Record<string, readonly [status: string, text: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The request headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive'],
};

/** Malformed HTTP never reaches Fastify; it is answered in JSON when a reply is possible. */
function answerUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, message] = UNREADABLE[error.code ?? ''] ?? ['400 Bad Request', 'Malformed HTTP request'];
  const body = failureBody({ data: {}, message, code: 'BAD_REQUEST' });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nCache-Control: no-store\r\n` +
      `Connection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/** Only `100-continue` is supported, which Node answers itself. */
function refuseExpectation(request: IncomingMessage, response: ServerResponse): void {
  const body = failureBody({ data: {}, message: 'Unknown expectation', code: 'BAD_REQUEST' });
  answerWithoutBody(request, response, 417, { 'content-type': JSON_TYPE }, body);
}

/**
 * Ends the application gracefully: refuses new connections, tells long polls to answer, waits for requests in flight up
 * to `graceMs`, and only then closes the modules, so that stores are closed last.
 */
export async function closeGracefully(app: NestFastifyApplication, graceMs = 20_000): Promise<void> {
  const shutdown = app.get(Shutdown);
  const server = app.getHttpServer();
  shutdown.begin();
  server.close();
  server.closeIdleConnections();
  await shutdown.whenIdle(graceMs);
  server.closeAllConnections();
  await app.close();
}
