import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http';
import type { EdgeReply, EdgeRequest } from '../exchange.js';
import type { RawParams } from '../params/raw-params.js';
import type { RequestContext } from '../request-context.js';
import type { Proxies } from './proxies.js';

/** A request on the direct lane. */
export class DirectRequest implements EdgeRequest {
  readonly is404 = false;
  body: RawParams | undefined = undefined;
  /** See `contextOf`. */
  edge: RequestContext | null = null;

  constructor(
    readonly id: string,
    readonly raw: IncomingMessage,
    readonly query: RawParams,
    readonly routeOptions: { readonly url: string },
    private readonly proxies: Proxies,
  ) {}

  get method(): string {
    return this.raw.method ?? '';
  }

  get url(): string {
    return this.raw.url ?? '';
  }

  get headers(): IncomingHttpHeaders {
    return this.raw.headers;
  }

  get ip(): string | undefined {
    return this.proxies.addressOf(this.raw);
  }

  get protocol(): string {
    return this.proxies.protocolOf(this.raw);
  }
}

/** The answer to a request on the direct lane: its head and content are written together. */
export class DirectReply implements EdgeReply {
  statusCode = 200;
  #headers: Record<string, OutgoingHttpHeader> = {};
  #isHijacked = false;

  constructor(
    readonly request: DirectRequest,
    readonly raw: ServerResponse,
  ) {}

  get sent(): boolean {
    return this.#isHijacked || this.raw.writableEnded;
  }

  code(status: number): this {
    this.statusCode = status;
    return this;
  }

  header(name: string, value: OutgoingHttpHeader): this {
    this.#headers[name] = value;
    return this;
  }

  headers(values: Readonly<Record<string, string>>): this {
    for (const name in values) this.#headers[name] = values[name] ?? '';
    return this;
  }

  getHeader(name: string): OutgoingHttpHeader | undefined {
    return this.#headers[name];
  }

  getHeaders(): Record<string, OutgoingHttpHeader> {
    return this.#headers;
  }

  hasHeader(name: string): boolean {
    return name in this.#headers;
  }

  removeHeader(name: string): void {
    const { [name]: _, ...others } = this.#headers;
    this.#headers = others;
  }

  hijack(): this {
    this.#isHijacked = true;
    return this;
  }

  send(content: string | Uint8Array): void {
    const { raw } = this;
    if (raw.destroyed) return;
    this.#headers['content-length'] = typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength;
    raw.writeHead(this.statusCode, this.#headers).end(content);
  }
}
