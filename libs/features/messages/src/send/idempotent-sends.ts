import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CommandRunner, type EventStore, streams, type ReadBarrier } from '#event-store';
import { type Clock, type JsonObject, KeyedMutex, type Origin, originFrom } from '#kernel';
import type { User } from '#users/model';
import type { Collection } from '#read-store';
import { assertSameRequest, reservationDecider } from './reservation.decider.js';
import type { IdempotentSendDocument } from './idempotent-sends.projection.js';

/** A process that reserved the key a moment ago is about to send; after this time it counts as dead. */
const PATIENCE_MS = 2000;
const LOOK_EVERY_MS = 50;

/** Binds a message to its idempotency key. */
export interface IdempotencyToken {
  /** Id of the send event, the same for every attempt under the key. */
  readonly eventId: string;
  readonly metadata: JsonObject;
  /**
   * Reserves the key. Must be called right before recording the message: a refused request keeps no key.
   * @returns the message's ID when it has been sent meanwhile
   * @throws Refusal IDEMPOTENCY_KEY_REUSED
   */
  reserve(): Promise<number | undefined>;
}

/**
 * Sends each message once, however often it is requested (`Idempotency-Key`). The key is reserved by a separate event
 * before the message is recorded. A process that dies in between leaves a reservation without a message; the next
 * request then sends the message under the same event id.
 */
export class IdempotentSends {
  /** By idempotency key. */
  readonly #mutex = new KeyedMutex();

  constructor(
    private readonly sends: Collection<IdempotentSendDocument>,
    private readonly store: EventStore,
    private readonly barrier: ReadBarrier,
    private readonly runner: CommandRunner,
    private readonly clock: Clock,
  ) {}

  /**
   * @param request JSON that must be the same whenever the key is used
   * @returns the message's ID, always the same; plus the other results of `send` when this call sent it
   * @throws Refusal IDEMPOTENCY_KEY_REUSED for another request under the same key
   */
  once<Sent extends { readonly id: number }>(
    sender: Pick<User, 'userId'>,
    key: string,
    request: readonly unknown[],
    send: (token: IdempotencyToken) => Promise<Sent>,
  ): Promise<Sent | { readonly id: number }> {
    const { userId: senderId } = sender;
    const hash = hashOf(senderId, key);
    const requestHash = sha256(JSON.stringify(request));
    return this.#mutex.run(hash, async () => {
      const known = await this.#known(hash, requestHash);
      if (known !== undefined) return { id: known };
      const sent = await send({
        eventId: uuidOf(hash),
        metadata: { sendKey: hash, requestHash },
        reserve: () => this.#reserve(hash, { senderId, requestHash, at: this.clock.nowSeconds() }, originFrom(sender)),
      });
      return { ...sent, id: (await this.#known(hash, requestHash)) ?? sent.id };
    });
  }

  /** Whether a message was sent under the key, by any process up to now. */
  async isSent(senderId: number, key: string): Promise<boolean> {
    await this.barrier.waitFor(await this.store.head());
    return (await this.sends.get(hashOf(senderId, key))) !== undefined;
  }

  async #reserve(
    hash: string,
    reservation: { readonly senderId: number; readonly requestHash: string; readonly at: number },
    origin: Origin,
  ): Promise<number | undefined> {
    const { events } = await this.runner.run(reservationDecider, streams.keyedSend(hash), reservation, origin);
    if (events.length > 0) return undefined;
    const { requestHash } = reservation;
    for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += LOOK_EVERY_MS) {
      const known = await this.#known(hash, requestHash);
      if (known !== undefined) return known;
      await sleep(LOOK_EVERY_MS);
    }
    await this.barrier.waitFor(await this.store.head());
    return this.#known(hash, requestHash);
  }

  async #known(hash: string, requestHash: string): Promise<number | undefined> {
    const sent = await this.sends.get(hash);
    if (sent === undefined) return undefined;
    assertSameRequest(sent.requestHash, requestHash);
    return sent.messageId;
  }
}

function hashOf(senderId: number, key: string): string {
  return sha256(`${senderId}:${key}`);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A UUID with custom contents (RFC 9562, version 8). */
function uuidOf(hash: string): string {
  const variant = ((parseInt(hash.charAt(16), 16) & 3) | 8).toString(16);
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`, variant + hash.slice(17, 20)];
  return [...parts, hash.slice(20, 32)].join('-');
}
