import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that the push service has had whole, whatever it answered. */
export interface PushRequest {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly key: string | undefined;
  readonly body: any;
}

type Answer = (request: PushRequest, response: ServerResponse) => void;

/** A push service on a socket. */
export class PushBouncer {
  readonly requests: PushRequest[] = [];
  /** Devices that registered, by their ID here. */
  readonly devices: any[] = [];
  /** Requests by key that were answered with success. */
  readonly taken = new Map<string, PushRequest>();
  /** Replaces the usual answers. */
  answering: Answer | undefined;

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  get url(): string {
    return `http://org:key@127.0.0.1:${this.port}`;
  }

  static async start(port = 0): Promise<PushBouncer> {
    const started: { self?: PushBouncer } = {};
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => started.self?.answer(request, Buffer.concat(chunks).toString(), response));
    });
    await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
    started.self = new PushBouncer(server, (server.address() as AddressInfo).port);
    return started.self;
  }

  private answer({ url = '', headers }: IncomingMessage, text: string, response: ServerResponse): void {
    const key = headers['idempotency-key'];
    const request: PushRequest = {
      path: url,
      authorization: headers.authorization,
      key: Array.isArray(key) ? key[0] : key,
      body: JSON.parse(text),
    };
    this.requests.push(request);
    (this.answering ?? this.usual)(request, response);
  }

  readonly usual: Answer = (request, response) => {
    const { path, key, body } = request;
    if (key !== undefined && !this.taken.has(key)) this.taken.set(key, request);
    if (path.endsWith('/e2ee/register')) json(response, { device_id: this.devices.push(body) });
    else json(response, {});
  };

  stop(): Promise<void> {
    return new Promise((closed) => {
      this.server.close(() => {
        closed();
      });
      this.server.closeAllConnections();
    });
  }
}

/** Answers with success. */
export function json(response: ServerResponse, body: object): void {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ result: 'success', msg: '', ...body }));
}

/** Answers with an error. */
export function jsonError(response: ServerResponse, status: number, code: string): void {
  response.statusCode = status;
  response.end(JSON.stringify({ result: 'error', msg: 'no', code }));
}
