import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';
import type { Duplex } from 'node:stream';

/** The listener and its connections, which can be cut as a network or a dying process would cut them. */
export class Connections {
  readonly #server = createServer((socket) => this.#accept(socket));
  readonly #sockets = new Set<Socket>();
  #port: number;

  /** Serves at a port of 127.0.0.1; 0 is any that is free. */
  constructor(
    port: number,
    readonly serve: (socket: Duplex) => void,
  ) {
    this.#port = port;
  }

  get port(): number {
    return this.#port;
  }

  /** Listens, on the port of the last time if there was one. */
  async open(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(this.#port, '127.0.0.1', () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Stops listening and cuts all connections. */
  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.cutAll();
    await closed;
    // Clients of the same process see it in the next turns; a call before that would still use the dead connection.
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  }

  cutAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Cuts the connection of a peer, `address:port`. */
  cut(peer: string): void {
    for (const socket of this.#sockets) {
      if (`${socket.remoteAddress}:${socket.remotePort}` === peer) socket.destroy();
    }
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => undefined); // A connection that is cut may say so; nothing follows from it.
    socket.setNoDelay(true);
    this.serve(socket);
  }
}
