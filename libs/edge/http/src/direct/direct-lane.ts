import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AdmissionParts, asError, type Done, admission, protection } from '../admission.js';
import { envelope, JSON_TYPE } from '../answers/success.js';
import type { EdgeReply, EdgeRequest } from '../exchange.js';
import { BODY_LIMIT_BYTES } from '../limits/limits.js';
import { NOTHING_GIVEN, readQuery, readUrlEncoded } from '../params/raw-params.js';
import { contextOf } from '../request-context.js';
import { DirectReply, DirectRequest } from './direct-exchange.js';
import type { DirectRoute } from './direct-routes.js';
import type { Proxies } from './proxies.js';

/** What the lane shares with the hooks of Fastify, so that both do the same with a request. */
export interface DirectLaneParts extends AdmissionParts {
  readonly proxies: Proxies;
  readonly nextId: () => string;
  /** Before anything else. @returns why the request is refused at once */
  readonly begin: (request: EdgeRequest, reply: EdgeReply) => Error | undefined;
  readonly fail: (request: EdgeRequest, reply: EdgeReply, thrown: unknown) => void;
  /** Routes a form again that names another verb. @returns whether it does */
  readonly overrideVerb: (request: EdgeRequest, reply: EdgeReply) => boolean;
}

type Route = DirectRoute & {
  readonly options: { readonly url: string };
  readonly admit: (request: EdgeRequest, reply: EdgeReply, done: Done) => void;
};

/**
 * The short way of the most frequent requests, sends and polls: between node:http and the method of a controller there are neither Fastify's
 * router and life cycle nor Nest's. It takes what these would do the same with, and leaves them the rest: other forms of
 * bodies and addresses.
 */
export class DirectLane {
  readonly #routes = new Map<string, Route>();
  readonly #protect: (request: EdgeRequest, reply: EdgeReply, done: Done) => void;

  constructor(private readonly parts: DirectLaneParts) {
    this.#protect = protection(parts);
  }

  open(routes: readonly DirectRoute[]): void {
    for (const route of routes)
      this.#routes.set(`${route.method} ${route.path}`, {
        ...route,
        options: { url: route.path },
        admit: admission(this.parts, route.policy),
      });
  }

  /** @returns false for a request that it leaves to Fastify, untouched */
  take(raw: IncomingMessage, response: ServerResponse): boolean {
    const { method = '', url = '' } = raw;
    const end = url.indexOf('?');
    const route = this.#routes.get(`${method} ${end === -1 ? url : url.slice(0, end)}`);
    if (route === undefined) return false;
    if (method === 'POST' && !hasPlainForm(raw)) return false;
    const query = end === -1 ? NOTHING_GIVEN : readQuery(url.slice(end + 1));
    const request = new DirectRequest(this.parts.nextId(), raw, query, route.options, this.parts.proxies);
    const reply = new DirectReply(request, response);
    const refused = this.parts.begin(request, reply);
    if (refused !== undefined) {
      this.parts.fail(request, reply, refused);
      return true;
    }
    route.admit(request, reply, (error) => {
      if (error !== undefined) this.parts.fail(request, reply, error);
      else if (method === 'GET') this.#handle(route, request, reply);
      else this.#readForm(route, request, reply);
    });
    return true;
  }

  #readForm(route: Route, request: DirectRequest, reply: DirectReply): void {
    const chunks: Buffer[] = [];
    request.raw
      .on('data', (chunk: Buffer) => {
        chunks.push(chunk);
      })
      .once('end', () => {
        try {
          request.body = readUrlEncoded(
            chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks),
          );
          if (this.parts.overrideVerb(request, reply)) return;
        } catch (error) {
          this.parts.fail(request, reply, asError(error));
          return;
        }
        this.#protect(request, reply, (error) => {
          if (error === undefined) this.#handle(route, request, reply);
          else this.parts.fail(request, reply, error);
        });
      });
  }

  #handle(route: Route, request: DirectRequest, reply: DirectReply): void {
    try {
      const result = route.handle(request, reply);
      if (result instanceof Promise)
        result.then(
          (payload: unknown) => {
            this.#answer(route, request, reply, payload);
          },
          (error: unknown) => {
            this.parts.fail(request, reply, error);
          },
        );
      else this.#answer(route, request, reply, result);
    } catch (error) {
      this.parts.fail(request, reply, error);
    }
  }

  #answer({ policy }: Route, request: DirectRequest, reply: DirectReply, payload: unknown): void {
    if (policy.writesAnswer) return;
    try {
      const text = envelope(payload as object | undefined, contextOf(request).ignored());
      reply.header('content-type', JSON_TYPE).send(text);
    } catch (error) {
      this.parts.fail(request, reply, error);
    }
  }
}

const FORM_TYPE = /^application\/x-www-form-urlencoded(?:; ?charset=utf-8)?$/i;

/** Whether the body is an urlencoded form of known and allowed length; others are Fastify's to read or to refuse. */
function hasPlainForm({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined || headers['content-encoding'] !== undefined) return false;
  if (headers.expect !== undefined) return false;
  const length = Number(headers['content-length']);
  return length > 0 && length <= BODY_LIMIT_BYTES && FORM_TYPE.test(headers['content-type'] ?? '');
}
