import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/**
 * A node that can be frozen like a process by SIGSTOP: its connections stay open, and nothing is read from them or
 * written to them.
 */
export class Freezer {
  #isFrozen = false;
  readonly #waiting: (() => void)[] = [];

  get isFrozen(): boolean {
    return this.#isFrozen;
  }

  freeze(): void {
    this.#isFrozen = true;
  }

  thaw(): void {
    this.#isFrozen = false;
    for (const action of this.#waiting.splice(0)) action();
  }

  /** Runs an action now, or as soon as the node is thawed. */
  whenAwake(action: () => void): void {
    if (this.#isFrozen) this.#waiting.push(action);
    else action();
  }
}

/** A socket of a node that can be frozen. */
export class FreezableSocket extends Duplex {
  constructor(
    private readonly socket: Socket,
    private readonly freezer: Freezer,
  ) {
    super();
    socket.pause();
    socket.on('data', (chunk: Buffer) => {
      socket.pause();
      freezer.whenAwake(() => this.push(chunk));
    });
    socket.on('end', () => freezer.whenAwake(() => this.push(null)));
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
  }

  override _read(): void {
    this.freezer.whenAwake(() => this.socket.resume());
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.freezer.whenAwake(() => this.socket.write(chunk, done));
  }

  override _final(done: (error?: Error | null) => void): void {
    this.freezer.whenAwake(() => this.socket.end(() => done()));
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.socket.destroy();
    done(error);
  }
}
