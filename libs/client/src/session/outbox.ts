import type { Storage } from '../store/storage.js';
import type { Fields } from '../wire/types.js';
import type { Surroundings } from './pauses.js';
import { Shelf } from './shelf.js';
import type { Transport } from './transport.js';
import { WorkLoop } from './work-loop.js';

/** Digits of chance in a `local_id`: several pages may share a storage. */
const LOCAL_DIGITS = 8;

/** Where a message goes. */
export type Destination =
  { readonly channelId: number; readonly topic: string } | { readonly userIds: readonly number[] };

/** A message on its way: the row that stands for it until the server's own. */
export interface Outgoing {
  /** `local_id` of the send. */
  readonly localId: string;
  /** The same for each attempt, so that the server takes the message once. */
  readonly key: string;
  readonly to: Destination;
  readonly content: string;
  readonly begunAtMs: number;
  /** The queue of the first attempt, null without one: no other is told the `local_id`. Undefined before it. */
  readonly queueId?: string | null | undefined;
  readonly status: 'sending' | 'sent' | 'failed';
  /** Why it failed, for people; to be repeated, edited or discarded by them. */
  readonly error?: string | undefined;
  /** ID of the message, once the server has answered. */
  readonly messageId?: number;
}

export interface OutboxParts {
  readonly transport: Transport;
  /** Without one, what is on its way is lost with the process. */
  readonly storage?: Storage | undefined;
  /** The queue that is told the message with its `local_id`. */
  readonly queueId: () => string | undefined;
  readonly changed: (all: readonly Outgoing[]) => void;
  /** Receives failures of the storage. Messages are sent all the same. */
  readonly report?: ((text: string) => void) | undefined;
  readonly surroundings?: Surroundings | undefined;
}

/** Sends messages in order, each once whatever happens: the server knows them by their keys, and the storage until they have arrived. */
export class Outbox {
  #all: readonly Outgoing[] = [];
  readonly #loop: WorkLoop;
  readonly #shelf: Shelf<Outgoing>;

  constructor(private readonly parts: OutboxParts) {
    this.#loop = new WorkLoop(parts.surroundings, () => this.#sendAll());
    this.#shelf = new Shelf(parts, 'outbox/');
  }

  get all(): readonly Outgoing[] {
    return this.#all;
  }

  /** Takes up what an earlier run has left, also when the storage answers late. */
  load(): Promise<void> {
    return this.#shelf.load((found) => {
      const left = found
        .filter(({ localId }) => this.#find(localId) === undefined)
        .sort((a, b) => a.begunAtMs - b.begunAtMs)
        // That the queue of this run tells it is not certain, even if it is the same one.
        .map((one) => ({ ...one, queueId: null }));
      this.#show([...left, ...this.#all]);
      this.#loop.begin();
    });
  }

  /** @returns the row that stands for the message */
  send(to: Destination, content: string): Outgoing {
    // Later than the one before, also in the same millisecond, and after the clock was put back: it is the order of the next run.
    const begunAtMs = Math.max(this.#loop.surroundings.now(), (this.#all.at(-1)?.begunAtMs ?? 0) + 1);
    const key = newKey();
    const outgoing: Outgoing = {
      localId: `${begunAtMs}.${key.slice(0, LOCAL_DIGITS)}`,
      key,
      to,
      content,
      begunAtMs,
      status: 'sending',
    };
    this.#show([...this.#all, outgoing]);
    // Its turn may come after the next run.
    void this.#shelf.set(outgoing.localId, outgoing);
    this.#loop.begin();
    return outgoing;
  }

  /** Tries a failed one again, with the same key, unless its content is another. */
  retry(localId: string, content?: string): void {
    const failed = this.#find(localId);
    if (failed?.status !== 'failed') return;
    const isSame = content === undefined || content === failed.content;
    void this.#replace({
      ...failed,
      error: undefined,
      status: 'sending',
      ...(!isSame && { content, key: newKey(), queueId: undefined }),
    });
    this.#loop.begin();
  }

  discard(localId: string): void {
    const failed = this.#find(localId);
    if (failed?.status === 'failed') this.#drop(failed);
  }

  /**
   * The server's own message is there, by its event. Events of messages are in order: an earlier one that was not told is one that
   * its author may not read any more.
   */
  arrived(localId: string | undefined, messageId: number): void {
    for (const one of this.#all)
      if (one.localId === localId || (one.messageId ?? Infinity) <= messageId) this.#drop(one);
  }

  /** Events may be missing: what was sent is in the messages that are fetched now. */
  forgetSent(): void {
    for (const one of this.#all) if (one.status === 'sent') this.#drop(one);
  }

  /** Tries again at once. */
  wake(): void {
    this.#loop.wake();
    this.#loop.begin();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #sendAll(): Promise<void> {
    while (!this.#loop.isEnded) {
      const next = this.#all.find(({ status }) => status === 'sending');
      if (next === undefined) return;
      await this.#sendOne(next);
    }
  }

  async #sendOne(row: Outgoing): Promise<void> {
    const { queueId = this.parts.queueId() ?? null } = row;
    const next = { ...row, queueId };
    await this.#replace(next);
    const outcome = await this.parts.transport.send({
      method: 'POST',
      path: '/messages',
      params: { ...paramsOf(next), queue_id: this.parts.queueId(), local_id: next.localId },
      headers: { 'idempotency-key': next.key },
    });
    const own = this.#find(next.localId);
    if (outcome.kind === 'ok') {
      this.#loop.backoff.reset();
      // The event may have been first.
      if (own !== undefined) this.#answered(own, Number(outcome.body['id']));
    } else if (outcome.kind === 'refused' && outcome.status !== 401) {
      if (own !== undefined) void this.#replace({ ...own, status: 'failed', error: outcome.message });
    } else {
      // Also when it is signed out, until somebody is signed in again.
      await this.#loop.sleep(this.#loop.backoff.next(outcome.afterMs));
    }
  }

  #answered(own: Outgoing, messageId: number): void {
    const queueId = this.parts.queueId();
    // Taken before this queue began, no event tells it; and a registration to come has `forgetSent`.
    if (queueId !== undefined && queueId !== own.queueId) this.#drop(own);
    else void this.#replace({ ...own, status: 'sent', messageId });
  }

  #find(localId: string): Outgoing | undefined {
    return this.#all.find((one) => one.localId === localId);
  }

  #replace(outgoing: Outgoing): Promise<void> {
    this.#show(this.#all.map((one) => (one.localId === outgoing.localId ? outgoing : one)));
    return this.#shelf.set(outgoing.localId, outgoing.status === 'sent' ? undefined : outgoing);
  }

  #drop({ localId }: Outgoing): void {
    this.#show(this.#all.filter((one) => one.localId !== localId));
    void this.#shelf.set(localId);
  }

  #show(all: readonly Outgoing[]): void {
    this.#all = all;
    this.parts.changed(all);
  }
}

function paramsOf({ to, content }: Outgoing): Fields {
  if ('userIds' in to) return { type: 'direct', to: to.userIds, content };
  return { type: 'channel', to: to.channelId, topic: to.topic, content };
}

/** 128 bits of chance, as hexadecimal digits. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
