import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http';

/** What the edge reads of a request: of Fastify's, or of one on the direct lane. */
export interface EdgeRequest {
  readonly id: string;
  readonly method: string;
  readonly url: string;
  readonly protocol: string;
  /** Address of the caller; undefined when the connection has ended, also where Fastify's type does not say so. */
  readonly ip: string | undefined;
  readonly raw: IncomingMessage;
  readonly headers: IncomingHttpHeaders;
  /** As the reader of queries left it. */
  readonly query: unknown;
  /** As the reader of bodies left it; undefined without one. */
  readonly body: unknown;
  /** No route has this address and method. */
  readonly is404: boolean;
  readonly routeOptions: { readonly url?: string | undefined };
}

/** How the edge answers a request: Fastify's reply, or one on the direct lane. */
export interface EdgeReply {
  readonly raw: ServerResponse;
  readonly request: EdgeRequest;
  /** Whether it is sent, or written by someone else (`hijack`). */
  readonly sent: boolean;
  readonly statusCode: number;
  code(status: number): EdgeReply;
  header(name: string, value: OutgoingHttpHeader): EdgeReply;
  headers(values: Readonly<Record<string, string>>): EdgeReply;
  getHeader(name: string): OutgoingHttpHeader | undefined;
  getHeaders(): Record<string, OutgoingHttpHeader | undefined>;
  hasHeader(name: string): boolean;
  removeHeader(name: string): void;
  /** From now on, the response is written without the reply. */
  hijack(): EdgeReply;
  send(content: string | Uint8Array): unknown;
}
