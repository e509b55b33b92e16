import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { failureSchema, policyOf } from '#http';
import type { Composition } from '#runtime';
import { complaintsOf } from './check.js';
import { type WireSchemas, wireSchemasOf } from './schemas.js';

/** An answer of a server in this process. */
interface Answered {
  readonly route: string;
  readonly status: number;
  readonly config: object;
  readonly isJson: boolean;
  readonly chunks: Buffer[];
}

const answered: Answered[] = [];
const failures = failureSchema();
let schemas: WireSchemas = { components: {}, events: new Map() };

/** Answers from now on come from servers of these features. */
export function checkAnswersOf(composition: Composition): void {
  schemas = wireSchemasOf(composition);
}

/** Fastify announces each server that it makes; in production nobody listens to that. */
function watch(message: unknown): void {
  const { fastify } = message as { fastify: FastifyInstance };
  servers.add(fastify.server);
  fastify.addHook('onRoute', ({ method, url, config = {} }) => {
    if (!policyOf(config).isDirect) return;
    for (const verb of Array.isArray(method) ? method : [method]) direct.set(`${verb} ${url}`, config);
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    collect(request, reply);
    done();
  });
}

/** Configurations of the routes that a request may take past Fastify (`@Direct`). */
const direct = new Map<string, object>();
/** A test may have servers of its own beside. */
const servers = new WeakSet<Server>();

/** Node announces each request, before anybody answers it. */
function watchDirect(message: unknown): void {
  const { request, response, server } = message as {
    request: IncomingMessage;
    response: ServerResponse;
    server: Server;
  };
  if (!servers.has(server)) return;
  const route = `${request.method} ${request.url?.split('?', 1)[0]}`;
  const config = direct.get(route);
  if (config !== undefined)
    collectText(response, { route, config, reply: { getHeader: (name) => response.getHeader(name) } });
}

type Routed = Pick<Answered, 'route' | 'config'> & { readonly reply: Pick<FastifyReply, 'getHeader'> };

/** The last route that a response came to: a form may name another method. */
const routes = new WeakMap<ServerResponse, Routed>();

/** The text of an answer, however it is written. It is checked later: a test may measure how long the server takes. */
function collect({ method, routeOptions }: FastifyRequest, reply: FastifyReply): void {
  collectText(reply.raw, { route: `${method} ${routeOptions.url ?? ''}`, config: routeOptions.config, reply });
}

function collectText(raw: ServerResponse, routed: Routed): void {
  const isCollected = routes.has(raw);
  routes.set(raw, routed);
  if (isCollected) return;
  const { write, end } = raw;
  const chunks: Buffer[] = [];
  const take = (chunk: unknown, encoding: unknown): void => {
    if (typeof chunk === 'string')
      chunks.push(Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8'));
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  raw.write = ((...given: unknown[]) => {
    take(given[0], given[1]);
    return Reflect.apply(write, raw, given) as boolean;
  }) as typeof write;
  raw.end = ((...given: unknown[]) => {
    take(given[0], given[1]);
    const { route, config, reply: last } = routes.get(raw) ?? routed;
    const type = last.getHeader('content-type');
    const isJson = type === undefined || /^application\/json(?:;|$)/.test(String(type));
    answered.push({ route, config, status: raw.statusCode, isJson, chunks });
    return Reflect.apply(end, raw, given) as typeof raw;
  }) as typeof end;
}

function complaintsAbout({ route, status, config, isJson, chunks }: Answered): string[] {
  if (!isJson || route.startsWith('HEAD ') || route.startsWith('OPTIONS ')) return [];
  const { answer, enveloped } = policyOf(config);
  const text = Buffer.concat(chunks).toString();
  const path = `${route} ${status}`;
  if (status >= 400) return text === '' ? [] : complaints(failures, parsed(text), path);
  if (answer?.kind !== 'json' || text === '') return [];
  const body = parsed(text);
  if (!enveloped) return complaints(answer.schema, body, path);
  const { result, msg, ignored_parameters_unsupported: ignored = [], ...own } = body;
  const envelope = { result, msg, ignored };
  return [
    ...complaints(ENVELOPE, envelope, path),
    ...complaints(answer.schema, route === EVENTS ? { ...own, events: [] } : own, path),
    ...(route === EVENTS ? (own['events'] as Event[]).flatMap(aboutEvent) : []),
  ];
}

const EVENTS = 'GET /api/v1/events';

const ENVELOPE = {
  type: 'object',
  properties: {
    result: { const: 'success' },
    msg: { const: '' },
    ignored: { type: 'array', items: { type: 'string' } },
  },
};

interface Event {
  readonly type: string;
  readonly op?: string;
}

function aboutEvent(event: Event): string[] {
  const kind = event.op === undefined ? event.type : `${event.type}/${event.op}`;
  const schema = schemas.events.get(kind);
  return schema === undefined ? [`${kind}: an event without a schema`] : complaints(schema, event, `event ${kind}`);
}

function complaints(schema: TSchema, value: unknown, path: string): string[] {
  return complaintsOf(schema, value, path, schemas.components as Parameters<typeof complaintsOf>[3]);
}

function parsed(text: string): Record<string, any> {
  try {
    return JSON.parse(text) as Record<string, any>;
  } catch {
    return { unreadable: text.slice(0, 80) };
  }
}

const CREATED = 'fastify.initialization';
const BEGUN = 'http.server.request.start';
subscribe(CREATED, watch);
subscribe(BEGUN, watchDirect);
afterAll(() => {
  unsubscribe(BEGUN, watchDirect);
  unsubscribe(CREATED, watch);
});

// Every answer of every test: what the schemas do not describe, clients cannot know.
afterEach(() => {
  const wrong = new Set(answered.splice(0).flatMap(complaintsAbout));
  if (wrong.size > 0) throw new Error(`Answers that are not as their schemas say:\n${[...wrong].join('\n')}`);
});
