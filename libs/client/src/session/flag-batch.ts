import { without } from '../core/ordered.js';
import { type ServerEvent, UNCONFIRMED } from '../wire/types.js';
import type { Surroundings } from './pauses.js';
import type { Transport } from './transport.js';
import { WorkLoop } from './work-loop.js';

/** A call a second at most, and so many messages in each. */
const EVERY_MS = 1_000;
const MESSAGES_MAX = 1_000;

export interface FlagBatchParts {
  readonly transport: Transport;
  /** Shows a change at once, as its event will tell it. */
  readonly show: (event: ServerEvent) => void;
  /** A change that the server refuses: what is shown may be wrong. */
  readonly refused: () => void;
  readonly surroundings?: Surroundings | undefined;
}

/** Collects changes of flags, and sends them together. The last change of a message wins. */
export class FlagBatch {
  /** By flag: whether it is set, by message. */
  readonly #pending = new Map<string, Map<number, boolean>>();
  /** Parts of batches that were refused. */
  readonly #halves: Batch[] = [];
  #sending: Batch | undefined;
  /** Messages of the batch on its way of which no event has told: what an event has told, a later one may have changed. */
  #untold: readonly number[] = [];
  /**
   * Counts registrations. What the server has changed before one that comes while the batch is on its way, no event tells, and another
   * client may have changed it back: the batch is sent once more.
   */
  #generation = 0;
  readonly #loop: WorkLoop;

  constructor(private readonly parts: FlagBatchParts) {
    this.#loop = new WorkLoop(parts.surroundings, () => this.#sendAll());
  }

  /** Sets a flag of messages, or takes it off. */
  set(flag: 'read' | 'starred' | 'collapsed', ids: readonly number[], isSet: boolean): void {
    if (ids.length === 0) return;
    const changes = this.#pending.get(flag) ?? new Map<number, boolean>();
    for (const id of ids) changes.set(id, isSet);
    this.#pending.set(flag, changes);
    // Where a message is unread, only the server says.
    if (flag !== 'read' || isSet) this.parts.show(eventOf({ flag, op: isSet ? 'add' : 'remove', messages: ids }));
    this.#loop.begin();
  }

  /** Changes that the server has not confirmed, as its events will tell them: what it answers may be without them. */
  unconfirmed(): readonly ServerEvent[] {
    const sending = this.#sending && { ...this.#sending, messages: this.#untold };
    const batches = [...this.#halves, ...(sending === undefined ? [] : [sending])];
    for (const [flag, changes] of this.#pending)
      for (const [id, isSet] of changes) batches.push({ flag, op: isSet ? 'add' : 'remove', messages: [id] });
    return batches.map(eventOf);
  }

  /** After a registration. @returns what is still to be shown */
  registered(): readonly ServerEvent[] {
    this.#generation++;
    return this.unconfirmed();
  }

  /** An event of the server: what it tells of the batch on its way is confirmed, also before the call is answered. */
  event({ type, op, flag, all, messages }: ServerEvent): void {
    if (type !== 'update_message_flags' || flag !== this.#sending?.flag || op !== this.#sending?.op) return;
    this.#untold = all === true ? [] : without(this.#untold, messages as readonly number[]);
  }

  /** Whether nothing is left to be sent. */
  get isIdle(): boolean {
    return this.#loop.isIdle;
  }

  /** Tries again at once. */
  wake(): void {
    this.#loop.wake();
  }

  /** Sends what is left, once. */
  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #sendAll(): Promise<void> {
    for (let batch = this.#take(); batch !== undefined; batch = this.#take()) {
      const pauseMs = await this.#send(batch);
      if (pauseMs === undefined) return;
      if (pauseMs > 0) await this.#loop.sleep(pauseMs);
    }
  }

  /** @returns the pause before the next call in ms; undefined when there is to be none */
  async #send(batch: Batch): Promise<number | undefined> {
    const { flag, op, messages } = batch;
    this.#sending = batch;
    this.#untold = messages;
    const generation = this.#generation;
    const outcome = await this.parts.transport.send({
      method: 'POST',
      path: '/messages/flags',
      params: { messages, op, flag },
    });
    this.#sending = undefined;
    if (outcome.kind === 'ok') {
      this.#loop.backoff.reset();
      if (generation !== this.#generation) this.#giveBack({ ...batch, messages: this.#untold });
      return EVERY_MS;
    }
    if (outcome.kind === 'refused' && outcome.status !== 401) {
      // One message that is gone has all of them refused.
      if (messages.length === 1) this.parts.refused();
      else this.#halves.push(...halvesOf(batch));
      return 0;
    }
    // What an event has told is done, and may have been changed since.
    this.#giveBack({ ...batch, messages: this.#untold });
    if (this.#loop.isEnded) return undefined;
    return this.#loop.backoff.next(outcome.afterMs);
  }

  #take(): Batch | undefined {
    const half = this.#halves.shift();
    if (half !== undefined) return half;
    for (const [flag, changes] of this.#pending)
      for (const isSet of [true, false]) {
        const messages = [...changes].flatMap(([id, wanted]) => (wanted === isSet ? [id] : [])).slice(0, MESSAGES_MAX);
        if (messages.length === 0) continue;
        for (const id of messages) changes.delete(id);
        return { flag, op: isSet ? 'add' : 'remove', messages };
      }
    return undefined;
  }

  #giveBack({ flag, op, messages }: Batch): void {
    const changes = this.#pending.get(flag) ?? new Map<number, boolean>();
    // What was wanted meanwhile is newer.
    for (const id of messages) if (!changes.has(id)) changes.set(id, op === 'add');
    this.#pending.set(flag, changes);
  }
}

function eventOf(batch: Batch): ServerEvent {
  return { id: UNCONFIRMED, type: 'update_message_flags', all: false, ...batch };
}

function halvesOf({ messages, ...rest }: Batch): readonly Batch[] {
  const middle = messages.length >> 1;
  return [messages.slice(0, middle), messages.slice(middle)].map((half) => ({ ...rest, messages: half }));
}

interface Batch {
  readonly flag: string;
  readonly op: 'add' | 'remove';
  readonly messages: readonly number[];
}
