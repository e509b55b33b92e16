import { addAbortListener } from 'node:events';
import { Injectable } from '@nestjs/common';
import { type Checkpoint, EventStore, messageIdOf, ReadBarrier, type RecordedEvent, streams } from '#event-store';
import { causedBy, Clock } from '#kernel';
import type { MessageSent } from '#messages';
import type { FlagsChanged } from '#reading';
import { Directory } from '#people';
import { PushService } from '#push';
import { KeyValueStore, type LookingWork, ReadSideGate, type ReadSidePass } from '#read-store';
import { MissedMessages } from '../missed/missed-messages.js';
import type { Missed } from '../missed/missed-messages.decider.js';
import { InterestIndex } from '../rules/interest-index.js';
import { HiddenMessages } from './hidden-messages.js';
import { LatestEvents } from './latest-events.js';
import { MailBatches } from './mail-batches.js';
import { NoticeQueue } from './notice-queue.js';
import { PushedReader } from './pushed.reader.js';
import { Recipients } from './recipients.js';

/** Events considered side by side: what they record shares commits of the log. */
const CONCURRENT_MAX = 16;
/** A message that could not be considered for so long, since the server was down, notifies nobody any more. */
const NOTIFIED_WITHIN_SECONDS = 86_400;
/** What a process that dies has not saved is considered again. */
const SAVE_EVERY_MS = 10_000;
/** Mails are due minutes later, so what they are about is noted together, unless it is much. */
const NOTE_EVERY_MS = 2_000;
const PAIRS_MAX = 10_000;
const KIND = 'notifier';
const KEY = 'checkpoint';

/**
 * Follows the log, and records whom new messages notify; a send does not wait for that. Every api does so: a notice has a stream
 * of its own, so the first one counts. The place in the log is kept, so that what was sent while no process ran is considered
 * at the next start; what is considered again records nothing new.
 */
@Injectable()
export class Notifier implements LookingWork {
  readonly name = 'notifier';
  readonly complaint = 'New messages cannot be looked at for notifications at the moment.';
  readonly everyMs = 100;
  readonly retryMaxMs = 10_000;
  readonly isDue = true;
  #signal: AbortSignal | undefined;
  /** Everything up to here was considered over read models that were whole. */
  #checkpoint: Checkpoint | undefined;
  #pass: ReadSidePass | undefined;
  /** The last event that was considered, and whose mails are noted. */
  #noted: RecordedEvent | undefined;
  /** The last event that was considered in this process. */
  #last: RecordedEvent | undefined;
  /** Considered, and not noted yet. */
  #missed: Missed[] = [];
  #notedMs = -Infinity;
  #savedMs = -Infinity;

  constructor(
    private readonly store: EventStore,
    private readonly barrier: ReadBarrier,
    private readonly side: KeyValueStore,
    private readonly directory: Directory,
    private readonly recipients: Recipients,
    private readonly queue: NoticeQueue,
    private readonly missed: MissedMessages,
    private readonly batches: MailBatches,
    private readonly pushed: PushedReader,
    private readonly push: PushService,
    private readonly hidden: HiddenMessages,
    private readonly clock: Clock,
    private readonly gate: ReadSideGate,
  ) {}

  /** Follows the log until it fails, or the signal aborts. */
  async look(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    const interests = new InterestIndex(this.directory);
    const latest = new LatestEvents(this.directory, this.#isWanted);
    const ending = addAbortListener(signal, () => {
      latest.end();
    });
    try {
      await interests.prepare();
      this.#checkpoint ??= await this.#start();
      await this.#follow(latest, interests);
      await this.#settle();
    } finally {
      ending[Symbol.dispose]();
      latest.end();
      interests.stop();
    }
  }

  /** Reads the log up to its end, then takes what the directory passes on; once more when some of that is missing. */
  async #follow(latest: LatestEvents, interests: InterestIndex): Promise<void> {
    while (!this.#isEnding()) {
      // What cannot be settled is considered again; the gate meets the same failure.
      await this.#settle().catch(() => undefined);
      this.#pass = await this.gate.enter();
      // What was not noted is considered again.
      this.#missed = [];
      this.#noted = undefined;
      const after = this.#checkpoint === undefined ? {} : { after: this.#checkpoint };
      for await (const batch of this.store.readAll({ ...after, streamPrefixes: this.#streamPrefixes })) {
        await this.#take(batch, interests, this.#pass);
        if (this.#isEnding()) return;
      }
      await this.#takeLatest(latest, interests, this.#pass);
    }
  }

  async #takeLatest(latest: LatestEvents, interests: InterestIndex, pass: ReadSidePass): Promise<void> {
    for (;;) {
      const events = await latest.next(this.#missed.length > 0 ? this.#noteAfterMs : Infinity);
      if (events === undefined || this.#isEnding()) return;
      // The first ones were in the log already when it was read.
      const isNew = ({ position }: RecordedEvent): boolean => position > (this.#last?.position ?? 0);
      await this.#take(events.filter(isNew), interests, pass);
    }
  }

  async #take(batch: readonly RecordedEvent[], interests: InterestIndex, pass: ReadSidePass): Promise<void> {
    const last = batch.at(-1);
    if (last !== undefined) await this.barrier.waitFor(last.position);
    for (let from = 0; from < batch.length; from += CONCURRENT_MAX) {
      const some = batch.slice(from, from + CONCURRENT_MAX);
      for (const one of await Promise.all(some.map((event) => this.#consider(event, interests, pass))))
        if (one !== undefined) this.#missed.push(one);
      if (this.#isEnding()) return;
    }
    this.#last = last ?? this.#last;
    const pairs = this.#missed.reduce((sum, { users }) => sum + users.length, 0);
    if (pairs > 0 && pairs < PAIRS_MAX && this.#noteAfterMs > 0) return;
    await this.missed.note(this.#missed);
    if (pairs > 0) this.#notedMs = performance.now();
    this.#missed = [];
    this.#noted = this.#last;
    if (performance.now() - this.#savedMs >= SAVE_EVERY_MS) await this.#settle();
  }

  /** What notified nobody counts once the read models are known to have been whole meanwhile; else it is considered again. */
  async #settle(): Promise<void> {
    if (this.#noted === undefined || this.#pass === undefined) return;
    await this.#pass.assertValid(this.#noted.position);
    this.#checkpoint = this.store.checkpointAfter(this.#noted);
    await this.#save();
  }

  get #noteAfterMs(): number {
    return this.#notedMs + NOTE_EVERY_MS - performance.now();
  }

  /** @returns who is to be told by mail */
  async #consider(event: RecordedEvent, interests: InterestIndex, pass: ReadSidePass): Promise<Missed | undefined> {
    const now = this.clock.nowSeconds();
    if (now - event.recordedAtMs / 1000 > NOTIFIED_WITHIN_SECONDS) return undefined;
    if (event.type === ('message.sent.v1' satisfies MessageSent['type'])) {
      const messageId = messageIdOf(event.revision);
      const { push, mail } = await this.recipients.of(messageId, event.data as MessageSent['data'], interests);
      // The first notice of a message counts: it must not leave out whom the read models have lost.
      if (push.length + mail.length > 0) await pass.assertValid(event.position);
      await this.queue.message(messageId, push, causedBy(event));
      if (mail.length === 0) return undefined;
      return { messageId, users: mail.map((userId) => ({ userId, dueAt: this.batches.join(userId, now) })) };
    }
    if (event.type === ('flags.changed.v1' satisfies FlagsChanged['type'])) {
      await this.#read(event as RecordedEvent<FlagsChanged['data']>, pass);
    } else if (this.push.isConfigured) {
      await this.hidden.hide(event, pass);
    }
    return undefined;
  }

  /** Messages that were read vanish from devices, and leave room in the next mail. */
  async #read(event: RecordedEvent<FlagsChanged['data']>, pass: ReadSidePass): Promise<void> {
    const { userId, op, flag, ids } = event.data;
    if (flag !== 'read' || op !== 'add') return;
    this.batches.read(userId);
    if (!this.push.isConfigured) return;
    const shown = await this.pushed.of(userId);
    const read = shown.filter((id) => ids.some(([first, last]) => first <= id && id <= last));
    if (read.length === 0) return;
    await pass.assertValid(event.position);
    await this.queue.removal(userId, String(event.revision), read, causedBy(event));
  }

  /**
   * Where the last process stopped; the end of the log at the first start of all.
   * @returns undefined for the beginning of the log
   */
  async #start(): Promise<Checkpoint | undefined> {
    const saved = (await this.side.get(KIND, KEY))?.[KEY];
    if (saved !== undefined) return typeof saved === 'string' ? saved : undefined;
    const [newest] = await this.store.readStream(streams.messages, { direction: 'backwards', limit: 1 });
    this.#checkpoint = newest === undefined ? undefined : this.store.checkpointAfter(newest);
    // Also without a message: a process that ends before it saves must not make the next one begin at the end.
    await this.#save();
    return this.#checkpoint;
  }

  async #save(): Promise<void> {
    await this.side.put(KIND, KEY, { [KEY]: this.#checkpoint ?? null });
    this.#savedMs = performance.now();
  }

  get #streamPrefixes(): readonly string[] {
    const always = [streams.messages, streams.allFlags];
    return this.push.isConfigured ? [...always, streams.allMessageChanges] : always;
  }

  readonly #isWanted = ({ stream }: RecordedEvent): boolean => {
    if (stream === streams.messages || stream.startsWith(streams.allFlags)) return true;
    return this.push.isConfigured && stream.startsWith(streams.allMessageChanges);
  };

  #isEnding(): boolean {
    return this.#signal?.aborted === true;
  }
}
