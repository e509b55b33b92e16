/** Messages on their way. They survive a reload, and each is sent once however often it is tried. */
import { ApiFailure, call, reasonOf } from '../../shared/api.js';
import { type Place, placeKey } from './place.js';
import type { OutgoingMessage } from '../rows.js';

/** What failed by itself is tried again after these pauses, then at every reconnect. */
const PAUSES_MS = [1000, 3000, 10_000, 30_000];
const STORED = 'outbox/';

interface Outgoing extends OutgoingMessage {
  readonly place: Place;
  /** Names the send to the server, which makes it once. */
  readonly idempotencyKey: string;
}

export class Outbox {
  #sends: readonly Outgoing[] = [];
  readonly #trying = new Set<string>();
  readonly #byPlace = new Map<string, readonly OutgoingMessage[]>();
  /** Local IDs of messages that were sent from here, by their IDs. */
  readonly keys = new Map<number, string>();
  queueId: string | undefined;

  constructor(
    private readonly userId: number,
    private readonly changed: () => void,
    private readonly onSignedOut: () => void,
  ) {
    try {
      const stored = JSON.parse(localStorage.getItem(`${STORED}${userId}`) ?? '[]') as readonly Outgoing[];
      this.#sends = Array.isArray(stored) ? stored : [];
    } catch {
      // Forbidden, or written by something else.
    }
  }

  /** The sends of a conversation. The same list until one changes. */
  of(place: Place): readonly OutgoingMessage[] {
    const key = placeKey(place);
    let known = this.#byPlace.get(key);
    if (known === undefined) {
      known = this.#sends.filter((one) => placeKey(one.place) === key);
      this.#byPlace.set(key, known);
    }
    return known;
  }

  add(place: Place, content: string): void {
    const localId = `local-${idOf()}`;
    const timestamp = Date.now() / 1000;
    const send = { localId, place, content, timestamp, failure: undefined, idempotencyKey: idOf() };
    this.#set([...this.#sends, send]);
    void this.#try(localId, 0);
  }

  retry(localId: string): void {
    this.#change(localId, { failure: undefined });
    void this.#try(localId, 0);
  }

  /** @returns what was discarded */
  discard(localId: string): OutgoingMessage | undefined {
    const found = this.#sends.find((one) => one.localId === localId);
    this.#set(this.#sends.filter((one) => one.localId !== localId));
    return found;
  }

  /** The message has arrived, by the answer or by its event: whichever is first. */
  settle(localId: string, id: number): void {
    if (!this.#sends.some((one) => one.localId === localId)) return;
    this.keys.set(id, localId);
    this.discard(localId);
  }

  /** Tries everything that has not been refused; after a start and at each reconnect. */
  resume(): void {
    for (const { localId, failure } of this.#sends) if (failure === undefined) void this.#try(localId, 0);
  }

  async #try(localId: string, attempt: number): Promise<void> {
    const send = this.#sends.find((one) => one.localId === localId);
    if (send === undefined || this.#trying.has(localId)) return;
    this.#trying.add(localId);
    let pauseMs: number | undefined;
    try {
      const { id } = await call<{ readonly id: number }>('POST', '/messages', this.#paramsOf(send), {
        headers: { 'idempotency-key': send.idempotencyKey },
      });
      // The event brings the message; should it be late, the row waits for it.
      this.keys.set(id, localId);
      this.sent.add(localId);
      this.onSent?.(localId, id, send.place);
    } catch (error) {
      pauseMs = this.#afterFailure(localId, error, attempt);
    } finally {
      this.#trying.delete(localId);
    }
    if (pauseMs !== undefined) setTimeout(() => void this.#try(localId, attempt + 1), pauseMs);
  }

  /** Local IDs of sends that were answered and whose event has not come. */
  readonly sent = new Set<string>();
  onSent: ((localId: string, id: number, place: Place) => void) | undefined;

  #paramsOf({ place, content, localId }: Outgoing) {
    const to = place.kind === 'topic' ? place.channelId : place.userIds.length === 0 ? [this.userId] : place.userIds;
    const isTopic = place.kind === 'topic';
    return {
      type: isTopic ? 'channel' : 'direct',
      to,
      topic: isTopic ? place.topic : undefined,
      content,
      queue_id: this.queueId,
      local_id: localId,
    };
  }

  #afterFailure(localId: string, error: unknown, attempt: number): number | undefined {
    const kind = error instanceof ApiFailure ? error.kind : 'no-answer';
    if (kind === 'signed-out') this.onSignedOut();
    if (kind === 'refused') this.#change(localId, { failure: reasonOf(error) });
    if (kind === 'refused' || kind === 'signed-out') return undefined;
    if (attempt >= PAUSES_MS.length) {
      this.#change(localId, { failure: reasonOf(error) });
      return undefined;
    }
    const asked = error instanceof ApiFailure ? (error.retryAfterMs ?? 0) : 0;
    return Math.max(asked, PAUSES_MS[attempt] ?? 0);
  }

  #change(localId: string, part: Partial<Outgoing>): void {
    this.#set(this.#sends.map((one) => (one.localId === localId ? { ...one, ...part } : one)));
  }

  #set(sends: readonly Outgoing[]): void {
    this.#sends = sends;
    this.#byPlace.clear();
    try {
      if (sends.length === 0) localStorage.removeItem(`${STORED}${this.userId}`);
      else localStorage.setItem(`${STORED}${this.userId}`, JSON.stringify(sends));
    } catch {
      // Forbidden or full: it is sent as long as the page lives.
    }
    this.changed();
  }
}

/** `randomUUID` is missing on plain http from another host. */
function idOf(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
