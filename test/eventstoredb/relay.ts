import type { AddressInfo } from 'node:net';
import {
  connect,
  constants,
  createServer,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { CallObserver, type ObservedLogCall } from './observed-calls.js';

export interface RelayOptions {
  /** How long each message takes from one side to the other, each way. */
  readonly delayMs?: number;
  readonly observe?: (call: ObservedLogCall) => void;
}

/**
 * Stands on 127.0.0.1 before one EventStoreDB node without TLS, delays what passes and tells of each call. It relays
 * HTTP/2 stream by stream, since the calls of a client share one connection. Only its making is not delayed.
 */
export class EventStoreDbRelay {
  /** May be changed while nothing is under way. */
  delayMs: number;
  readonly #server = createServer();
  readonly #sessions = new Map<ServerHttp2Session, ClientHttp2Session>();
  readonly #observe: (call: ObservedLogCall) => void;

  private constructor(
    private readonly node: string,
    { delayMs = 0, observe = () => undefined }: RelayOptions,
  ) {
    this.delayMs = delayMs;
    this.#observe = observe;
    this.#server.on('session', (session) => this.#open(session));
    this.#server.on('stream', (stream, headers) => this.#relay(stream, headers));
  }

  /** @param url a connection string with one node and `tls=false` */
  static async start(url: string, options: RelayOptions = {}): Promise<EventStoreDbRelay> {
    const { host } = /^esdb:\/\/(?:[^@/?]*@)?(?<host>[^/?,]+)\/?\?tls=false$/.exec(url)?.groups ?? {};
    if (host === undefined) throw new Error('The relay takes esdb://HOST:PORT?tls=false.');
    const relay = new EventStoreDbRelay(`http://${host}`, options);
    await new Promise<void>((resolve, reject) => {
      relay.#server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    return relay;
  }

  get url(): string {
    return `esdb://127.0.0.1:${(this.#server.address() as AddressInfo).port}?tls=false`;
  }

  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const [client, node] of this.#sessions) {
      client.destroy();
      node.destroy();
    }
    await closed;
  }

  #open(client: ServerHttp2Session): void {
    const node = connect(this.node);
    this.#sessions.set(client, node);
    client.on('error', () => node.destroy());
    node.on('error', () => client.destroy());
    client.on('close', () => {
      this.#sessions.delete(client);
      node.close();
    });
    node.on('close', () => client.destroy());
  }

  /** Timers of the same length keep their order. */
  #later(act: () => void): void {
    if (this.delayMs > 0) setTimeout(act, this.delayMs).unref();
    else act();
  }

  #relay(client: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    const session = client.session && this.#sessions.get(client.session as ServerHttp2Session);
    if (session === undefined) {
      client.close(constants.NGHTTP2_REFUSED_STREAM);
      return;
    }
    const observer = new CallObserver(String(headers[':path']), this.#observe);
    let node: ClientHttp2Stream | undefined;
    client.on('error', () => undefined);
    client.on('aborted', () => this.#later(() => node?.close(constants.NGHTTP2_CANCEL)));
    this.#later(() => {
      if (session.closed || session.destroyed) {
        client.close(constants.NGHTTP2_CANCEL);
        return;
      }
      node = session.request(headers, { endStream: false });
      this.#answer(client, node, observer);
    });
    client.on('data', (bytes: Buffer) => {
      observer.asked(bytes);
      this.#later(() => node?.write(bytes));
    });
    client.on('end', () => this.#later(() => node?.end()));
  }

  #answer(client: ServerHttp2Stream, node: ClientHttp2Stream, observer: CallObserver): void {
    let trailers: IncomingHttpHeaders = {};
    const whenOpen = (act: () => void): void => this.#later(() => client.closed || client.destroyed || act());
    node.on('error', () => undefined);
    node.on('response', (headers, flags) => {
      const isWhole = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
      whenOpen(() => client.respond(headers, isWhole ? { endStream: true } : { waitForTrailers: true }));
    });
    node.on('trailers', (received) => (trailers = received));
    client.on('wantTrailers', () => client.sendTrailers(trailers));
    node.on('data', (bytes: Buffer) =>
      whenOpen(() => {
        client.write(bytes);
        observer.answered(bytes);
      }),
    );
    node.on('end', () =>
      whenOpen(() => {
        client.end();
        observer.ended();
      }),
    );
    node.on('close', () => whenOpen(() => client.writableEnded || client.close(node.rstCode)));
  }
}
