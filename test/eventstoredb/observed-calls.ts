import streams from '@eventstore/db-client/generated/streams_pb.js';

/** A call to EventStoreDB, and when it was on its way by the clock of `performance`. */
export interface ObservedLogCall {
  /** `append`, `read` or another method; `subscription` for events that a subscription brought, which take no time. */
  readonly name: string;
  readonly beganMs: number;
  readonly endedMs: number;
}

/** Flag and length before each message. */
const PREFIX_BYTES = 5;
const SERVICE = '/event_store.client.streams.Streams/';

/** Sees the messages of one call. A batch append is many calls, a subscription one for each event. */
export class CallObserver {
  readonly #beganMs = performance.now();
  readonly #appends = new Map<string, number>();
  readonly #asked = new Messages();
  readonly #answered = new Messages();
  #isSubscription = false;

  constructor(
    private readonly path: string,
    private readonly observe: (call: ObservedLogCall) => void,
  ) {}

  asked(bytes: Buffer): void {
    for (const message of this.#asked.push(bytes)) {
      if (this.path === `${SERVICE}BatchAppend`) {
        const id = correlation(streams.BatchAppendReq.deserializeBinary(message));
        if (!this.#appends.has(id)) this.#appends.set(id, performance.now());
      }
      if (this.path === `${SERVICE}Read`) {
        this.#isSubscription = streams.ReadReq.deserializeBinary(message).getOptions()?.hasSubscription() === true;
      }
    }
  }

  answered(bytes: Buffer): void {
    const endedMs = performance.now();
    for (const message of this.#answered.push(bytes)) {
      if (this.path === `${SERVICE}BatchAppend`) {
        const id = correlation(streams.BatchAppendResp.deserializeBinary(message));
        this.observe({ name: 'append', beganMs: this.#appends.get(id) ?? this.#beganMs, endedMs });
        this.#appends.delete(id);
      }
      if (this.#isSubscription && streams.ReadResp.deserializeBinary(message).hasEvent()) {
        this.observe({ name: 'subscription', beganMs: endedMs, endedMs });
      }
    }
  }

  ended(): void {
    if (this.path === `${SERVICE}BatchAppend` || this.#isSubscription) return;
    const method = this.path.slice(this.path.lastIndexOf('/') + 1);
    this.observe({ name: method.toLowerCase(), beganMs: this.#beganMs, endedMs: performance.now() });
  }
}

/** Splits the bytes of one direction of a call into messages. */
class Messages {
  #rest: Buffer = Buffer.alloc(0);

  *push(bytes: Buffer): Generator<Buffer> {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    while (this.#rest.length >= PREFIX_BYTES) {
      const end = PREFIX_BYTES + this.#rest.readUInt32BE(1);
      if (this.#rest.length < end) return;
      yield this.#rest.subarray(PREFIX_BYTES, end);
      this.#rest = this.#rest.subarray(end);
    }
  }
}

function correlation(message: streams.BatchAppendReq | streams.BatchAppendResp): string {
  return Buffer.from(message.getCorrelationId()?.serializeBinary() ?? []).toString('base64');
}
