import type { ServerWritableStream } from '@grpc/grpc-js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { CallFailure } from './errors.js';

/** The call of a read or a subscription. Its messages are pre-encoded. */
export type ReadCall = ServerWritableStream<ReadReq, Buffer>;

/** Source of messages. `none` is the end of a read, and the current end of a subscription. */
export interface Source {
  /** The next message; `busy` yields to others. Throws `CallFailure` to end the call with it. */
  next(): Buffer | 'busy' | 'none';
}

/** Sends the messages of a source at the reader's pace: the rest stays in the log. */
export class Pump {
  #full = false;
  #resting = false;
  #ended = false;

  constructor(
    readonly call: ReadCall,
    readonly source: Source,
    readonly options: { live: boolean; pauseMs: () => number; sent: () => void },
  ) {
    call.on('drain', () => {
      this.#full = false;
      this.run();
    });
    call.once('cancelled', () => (this.#ended = true));
    call.once('close', () => (this.#ended = true));
  }

  end(failure?: CallFailure): void {
    if (this.#ended) return;
    this.#ended = true;
    if (failure) this.call.emit('error', failure);
    else this.call.end();
  }

  /** Continues the source, unless the reader is behind. */
  run(): void {
    try {
      while (!this.#full && !this.#resting && !this.#ended) {
        const message = this.source.next();
        if (message === 'none') {
          if (!this.options.live) this.end();
          return;
        }
        if (message === 'busy') this.#rest(setImmediate);
        else this.#send(message);
      }
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      this.end(error);
    }
  }

  #send(message: Buffer): void {
    this.#full = !this.call.write(message);
    this.options.sent();
    const pauseMs = this.options.live ? this.options.pauseMs() : 0;
    if (pauseMs > 0) this.#rest((action) => setTimeout(action, pauseMs).unref());
  }

  #rest(until: (action: () => void) => unknown): void {
    this.#resting = true;
    until(() => {
      this.#resting = false;
      this.run();
    });
  }
}
