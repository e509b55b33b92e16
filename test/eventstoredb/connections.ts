import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Freezer } from './frozen.js';
import { FreezableSocket } from './frozen.js';

/** The listener and its connections, which can be cut as by a network failure or a dying process. */
export class Connections {
  readonly #server = createServer((socket) => this.#accept(socket));
  /** By the peer, `address:port`. */
  readonly #sockets = new Map<string, Socket>();
  #port: number;

  /**
   * Listens on a port of 127.0.0.1; 0 for any free one. With a freezer the connections can be frozen, and are slower.
   */
  constructor(
    port: number,
    readonly serve: (socket: Duplex) => void,
    readonly freezer?: Freezer,
  ) {
    this.#port = port;
  }

  get port(): number {
    return this.#port;
  }

  /** Number of open connections. */
  get count(): number {
    return this.#sockets.size;
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
    // Clients in the same process notice in the next turns; an earlier call would still use the dead connection.
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  }

  cutAll(): void {
    for (const socket of this.#sockets.values()) socket.destroy();
  }

  /**
   * Cuts the connection of a peer, `address:port`. When connections can be frozen, calls do not know their peer: all
   * are cut.
   */
  cut(peer: string): void {
    if (this.freezer) this.cutAll();
    else this.#sockets.get(peer)?.destroy();
  }

  /** Whether the connection of a peer is open: false at once when it is cut, before its calls are notified. */
  isOpen(peer: string): boolean {
    if (this.freezer) return this.#server.listening;
    return this.#sockets.get(peer)?.destroyed === false;
  }

  #accept(socket: Socket): void {
    const peer = `${socket.remoteAddress}:${socket.remotePort}`;
    this.#sockets.set(peer, socket);
    socket.on('close', () => {
      if (this.#sockets.get(peer) === socket) this.#sockets.delete(peer);
    });
    socket.on('error', () => undefined); // A cut connection may emit an error, which is ignored.
    socket.setNoDelay(true);
    this.serve(this.freezer ? new FreezableSocket(socket, this.freezer) : socket);
  }
}
