import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CommandPath, type EventStore, streams, type Visibility } from '#event-store';
import { type Clock, type JsonObject, TurnsByKey } from '#kernel';
import type { Collection } from '#read-store';
import { assertSameRequest, reservationDecider } from './reservation.decider.js';
import type { KeyedSendDocument } from './projections/keyed-sends.projection.js';

/** Another process that reserved the key a moment ago is about to send; one that died is not. */
const PATIENCE_MS = 2000;
const LOOK_EVERY_MS = 50;

/** What binds a message to the key that it is sent under. */
export interface Seal {
  /** Of the event that says so: whoever sends under the key sends it with this id. */
  readonly eventId: string;
  readonly metadata: JsonObject;
  /**
   * Takes the key. To be called when nothing but recording the message is left: a request that is refused keeps no key.
   * @returns the message's ID when it has been sent meanwhile
   * @throws Refusal IDEMPOTENCY_KEY_REUSED
   */
  reserve(): Promise<number | undefined>;
}

/**
 * Sends each message once, however often it is asked for (`Idempotency-Key`). A key is reserved by a fact of its own before
 * its message is recorded; a reservation without a message is what a process leaves that died in between, and whoever comes
 * next sends the message under the same event id.
 */
export class KeyedSends {
  /** Of requests under the same key. */
  readonly #turns = new TurnsByKey();

  constructor(
    private readonly sends: Collection<KeyedSendDocument>,
    private readonly store: EventStore,
    private readonly visibility: Visibility,
    private readonly path: CommandPath,
    private readonly clock: Clock,
  ) {}

  /**
   * @param request what must be the same whenever the key is used; JSON
   * @returns the message's ID, the same one for ever; with what `send` gave beside it when this call sent it
   * @throws Refusal IDEMPOTENCY_KEY_REUSED for another request under the same key
   */
  once<Sent extends { readonly id: number }>(
    senderId: number,
    key: string,
    request: readonly unknown[],
    send: (seal: Seal) => Promise<Sent>,
  ): Promise<Sent | { readonly id: number }> {
    const hash = sha256(`${senderId}:${key}`);
    const requestHash = sha256(JSON.stringify(request));
    return this.#turns.run(hash, async () => {
      const known = await this.#known(hash, requestHash);
      if (known !== undefined) return { id: known };
      const sent = await send({
        eventId: uuidOf(hash),
        metadata: { sendKey: hash, requestHash },
        reserve: () => this.#reserve(hash, { senderId, requestHash, at: this.clock.nowSeconds() }),
      });
      return { ...sent, id: (await this.#known(hash, requestHash)) ?? sent.id };
    });
  }

  async #reserve(
    hash: string,
    reservation: { readonly senderId: number; readonly requestHash: string; readonly at: number },
  ): Promise<number | undefined> {
    const { events } = await this.path.run(reservationDecider, streams.keyedSend(hash), reservation);
    if (events.length > 0) return undefined;
    const { requestHash } = reservation;
    for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += LOOK_EVERY_MS) {
      const known = await this.#known(hash, requestHash);
      if (known !== undefined) return known;
      await sleep(LOOK_EVERY_MS);
    }
    await this.visibility.reached(await this.store.head());
    return this.#known(hash, requestHash);
  }

  async #known(hash: string, requestHash: string): Promise<number | undefined> {
    const sent = await this.sends.get(hash);
    if (sent === undefined) return undefined;
    assertSameRequest(sent.requestHash, requestHash);
    return sent.messageId;
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A UUID of the kind whose bits mean what their maker says (RFC 9562, version 8). */
function uuidOf(hash: string): string {
  const variant = ((parseInt(hash.charAt(16), 16) & 3) | 8).toString(16);
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`, variant + hash.slice(17, 20)];
  return [...parts, hash.slice(20, 32)].join('-');
}
