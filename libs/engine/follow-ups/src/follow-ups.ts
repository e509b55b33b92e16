import { type Appended, type EventStore, streams, withOrigin } from '#event-store';
import { BY_SERVER, type Clock, type DomainEvent, forEachInBatches, newId, type Origin, Refusal } from '#kernel';
import { type Collection, type LookingWork, type ReadSideGate, type ReadSidePass, where } from '#read-store';
import { type Trigger, triggerKey } from './trigger.js';
import { FollowUpFailures, type OpenFollowUp } from './follow-up-failures.js';
import type { FollowUpDone, FollowUpDropped } from './follow-up.events.js';
import type { OpenFollowUpDocument } from './open-follow-ups.projection.js';

/** The process that recorded the event may still be carrying out its follow-up; after this time it counts as gone. */
const PATIENCE_SECONDS = 10;
const LOOK_EVERY_MS = 5_000;
/** A list that was empty is read again after this time, though no event is known that has changed it. */
const EMPTY_FOR_MS = 60_000;
const PAGE_MAX = 100;
/** Unordered follow-ups that are carried out side by side. */
const CONCURRENT_MAX = 10;
/** A request waits this long for work whose size grows with the number of users. */
const AWAITED_MAX_MS = 1_000;

const IN_LOG_ORDER = [{ field: 'position', direction: 'ascending' }] as const;

/** Work in other streams that events of one type entail. */
export interface FollowUp<Data extends object = object> {
  /**
   * Carries out the follow-up of an event. It may have been begun and interrupted anywhere before: finished parts must
   * not be repeated. A refusal other than `SERVER_NOT_READY` means that it cannot be done any more (`isFinal`).
   * @param pass is asserted before the follow-up counts as done; one that sends or records by what the read models say, also that
   * something is gone, asserts it between
   */
  carryOut(cause: Trigger<Data>, pass: ReadSidePass): Promise<void>;
  /** Those of a process that died need no order: several are carried out side by side. */
  readonly isUnordered?: true;
  /** It may take minutes, as one for each subscriber of a channel: who recorded the event waits for a second, while it goes on. */
  readonly isLong?: true;
}

/** Selects events of a type by their data. */
export type Concerns = (data: object) => boolean;

export interface FollowUpsParts {
  readonly open: Collection<OpenFollowUpDocument>;
  /** Types of the events that the list covers. */
  readonly causes: ReadonlySet<string>;
  /** Position of the latest event that changed the list; undefined where that is not known. */
  readonly changedAt?: () => number | undefined;
  readonly store: EventStore;
  readonly gate: ReadSideGate;
  readonly clock: Clock;
  /** Called with errors of a follow-up that could not be carried out at the moment, and the type of its event. It is retried. */
  readonly onError: (error: unknown, type?: string) => void;
}

/**
 * Carries out what events entail in other streams, which no append can record together with them. The process that
 * recorded the event does it before the request is answered. Follow-ups left by a process that died are on a list,
 * which is a projection, and are done by the process that looks first.
 */
export class FollowUps implements LookingWork {
  readonly name = 'follow-ups';
  readonly complaint = 'Open follow-ups cannot be looked for at the moment.';
  readonly everyMs = LOOK_EVERY_MS;
  readonly isDue = true;
  readonly #followUps = new Map<string, FollowUp>();
  /** Keys of events whose follow-ups were done here and may still be on the list. */
  readonly #done = new Set<string>();
  /** Follow-ups in progress in this process, by the event's key: later callers share the attempt. */
  readonly #attempts = new Map<string, Promise<void>>();
  /** Recoveries in progress, by type: one that takes long holds up no other type, however often processes die. */
  readonly #recovering = new Map<string, Promise<void>>();
  /** When the list was last found empty. */
  #empty: { readonly changedAt: number | undefined; readonly atMs: number } | undefined;
  readonly #failures = new FollowUpFailures();
  #isEnding = false;

  constructor(private readonly parts: FollowUpsParts) {}

  /** @param cause type of the events */
  add(cause: string, followUp: FollowUp): void {
    // It would seem to work, until a process dies.
    if (!this.parts.causes.has(cause)) throw new Error(`The projection of open follow-ups does not handle ${cause}.`);
    this.#followUps.set(cause, followUp);
  }

  /**
   * Carries out the follow-ups of events that were just recorded and are visible. Never fails: the events are recorded,
   * and what could not be done now is done later.
   */
  async carryOut(
    stream: string,
    appended: Appended | undefined,
    events: readonly DomainEvent<string, object>[],
  ): Promise<void> {
    if (appended === undefined) return;
    const entailed = events.flatMap(({ type, data }, index) => {
      const { entails } = data as { readonly entails?: unknown };
      const followUp = entails === undefined ? undefined : this.#followUps.get(type);
      return followUp === undefined
        ? []
        : { followUp, cause: causeAt(type, stream, appended.firstRevision + index, data) };
    });
    if (entailed.length === 0) return;
    const inOrder = async (): Promise<void> => {
      for (const { followUp, cause } of entailed) await this.#attempt(followUp, cause, appended.position);
    };
    const isLong = entailed.some(({ followUp }) => followUp.isLong === true);
    await (isLong ? atMostASecond(inOrder()) : inOrder());
  }

  /**
   * Carries out the open follow-ups of one type, in log order, that concern the caller.
   * @returns keys of the events whose follow-ups were open; those that failed may still be
   */
  async finish(cause: string, concerns?: Concerns): Promise<ReadonlySet<string>> {
    const followUp = this.#followUps.get(cause);
    if (followUp === undefined) return new Set();
    return this.#carryOutOpen(cause, followUp, await this.#open(), concerns);
  }

  /** Keys of the open follow-ups of one type that concern the caller. */
  async pending(cause: string, concerns: Concerns): Promise<readonly string[]> {
    const causes = await this.#causes(cause, await this.#open(), concerns);
    return causes.map(({ key }) => key);
  }

  /** The follow-ups that have been open the longest, with what failed in this process. */
  async list(limit: number): Promise<readonly OpenFollowUp[]> {
    const page = await this.parts.open.find({ sort: IN_LOG_ORDER, limit });
    return page.filter(({ key }) => !this.#done.has(String(key))).map(({ key, doc }) => this.#itemOf(String(key), doc));
  }

  /** An open follow-up by its key. */
  async find(key: string): Promise<OpenFollowUp | undefined> {
    const open = await this.#entry(key);
    return open && this.#itemOf(key, open);
  }

  /** The entry of the list with a key; undefined for one known here to be done. */
  async #entry(key: string): Promise<OpenFollowUpDocument | undefined> {
    return this.#done.has(key) ? undefined : this.parts.open.get(key);
  }

  #itemOf(key: string, { type, since }: OpenFollowUpDocument): OpenFollowUp {
    // Every process looks every few seconds.
    const nextAt = Math.max(since + PATIENCE_SECONDS, this.parts.clock.nowSeconds() + LOOK_EVERY_MS / 1000);
    return { key, type, since, ...this.#failures.of(key), nextAt };
  }

  /** Tries an open follow-up at once. @returns false when it is not open */
  async retry(key: string): Promise<boolean> {
    const open = await this.#entry(key);
    const followUp = open && this.#followUps.get(open.type);
    if (open === undefined || followUp === undefined) return false;
    const causes = await this.#causes(open.type, [open]);
    await atMostASecond(Promise.all(causes.map((cause) => this.#attempt(followUp, cause))).then(() => undefined));
    return true;
  }

  /** Gives an open follow-up up, and waits until that is visible. @returns false when it is not open */
  async drop(key: string, reason: string, origin: Origin): Promise<boolean> {
    const { gate, clock } = this.parts;
    if ((await this.#entry(key)) === undefined) return false;
    const data = { cause: key, reason, at: clock.nowSeconds() };
    const { position } = await this.#close({ type: 'follow-up.dropped.v1', data }, { by: origin.by });
    await gate.enter({ position });
    return true;
  }

  /** Records that a follow-up is over; does not wait until that is visible. */
  async #close(closing: FollowUpDone | FollowUpDropped, origin: Origin): Promise<Appended> {
    const event = withOrigin({ id: newId(), ...closing }, origin);
    const appended = await this.parts.store.append(streams.followUps, 'any', [event]);
    this.#done.add(closing.data.cause);
    this.#failures.forget(closing.data.cause);
    return appended;
  }

  /** Carries out the follow-ups that have been open for a while. */
  async recover(): Promise<void> {
    await this.look();
    await Promise.all(this.#recovering.values());
  }

  /** Begins with each type of which other or earlier processes have left follow-ups open for a while. */
  async look(): Promise<void> {
    const [changedAt, atMs, empty] = [this.parts.changedAt?.(), performance.now(), this.#empty];
    if (changedAt !== undefined && changedAt === empty?.changedAt && atMs - empty.atMs < EMPTY_FOR_MS) return;
    const now = this.parts.clock.nowSeconds();
    const open = await this.#open();
    this.#empty = open.length === 0 ? { changedAt, atMs } : undefined;
    // By the clock of the process that recorded the event; a difference in either direction counts.
    const abandoned = open.filter(({ since }) => Math.abs(now - since) >= PATIENCE_SECONDS);
    for (const type of new Set(abandoned.map((one) => one.type))) {
      const followUp = this.#followUps.get(type);
      if (followUp === undefined || this.#recovering.has(type)) continue;
      const recovery = this.#carryOutOpen(type, followUp, abandoned)
        .then(() => undefined, this.parts.onError)
        .finally(() => this.#recovering.delete(type));
      this.#recovering.set(type, recovery);
    }
  }

  /** Stops after the follow-ups in progress. */
  async stop(): Promise<void> {
    this.#isEnding = true;
    await Promise.all(this.#recovering.values());
  }

  /** The list in log order, without entries known here to be done. */
  async #open(): Promise<readonly OpenFollowUpDocument[]> {
    const listed = new Map<string, OpenFollowUpDocument>();
    for (let beyond = 0, isWhole = false; !isWhole;) {
      const page = await this.parts.open.find({
        where: where.range('position', { gt: beyond }),
        sort: IN_LOG_ORDER,
        limit: PAGE_MAX,
      });
      for (const { key, doc } of page) listed.set(String(key), doc);
      beyond = page.at(-1)?.doc.position ?? beyond;
      isWhole = page.length < PAGE_MAX;
    }
    for (const key of this.#done) if (!listed.delete(key)) this.#done.delete(key);
    return [...listed.values()];
  }

  async #carryOutOpen(
    type: string,
    followUp: FollowUp,
    open: readonly OpenFollowUpDocument[],
    concerns?: Concerns,
  ): Promise<ReadonlySet<string>> {
    const causes = await this.#causes(type, open, concerns);
    await forEachInBatches(followUp.isUnordered === true ? CONCURRENT_MAX : 1, causes, async (cause) => {
      // Others before it may have taken long, and somebody may have given it up or done it meanwhile.
      if (!this.#isEnding && (await this.#entry(cause.key)) !== undefined) await this.#attempt(followUp, cause);
    });
    return new Set(causes.map(({ key }) => key));
  }

  /** The events of one type behind the entries of the list. */
  async #causes(type: string, open: readonly OpenFollowUpDocument[], concerns?: Concerns): Promise<readonly Trigger[]> {
    const causes: Trigger[] = [];
    for (const { stream, revision } of open.filter((one) => one.type === type)) {
      const [event] = await this.parts.store.readStream(stream, { from: revision, limit: 1 });
      const data = event?.data as object | undefined;
      if (data !== undefined && concerns?.(data) !== false) causes.push(causeAt(type, stream, revision, data));
    }
    return causes;
  }

  /** @param position of the event, when the caller has seen it become visible; else the end of the log counts */
  #attempt(followUp: FollowUp, cause: Trigger, position?: number): Promise<void> {
    const running = this.#attempts.get(cause.key);
    if (running !== undefined) return running;
    const attempt = this.#carryOutNow(followUp, cause, position).finally(() => this.#attempts.delete(cause.key));
    this.#attempts.set(cause.key, attempt);
    return attempt;
  }

  async #carryOutNow(followUp: FollowUp, cause: Trigger, position: number | undefined): Promise<void> {
    const { gate, onError } = this.parts;
    try {
      // The list may be ahead of other state in this process, such as who left which channel, or behind the log.
      const pass = await gate.enter(position === undefined ? {} : { position });
      await followUp.carryOut(cause, pass).catch(rethrowUnlessFinal);
      // What was not found because the read models were put back is looked for again.
      await pass.assertValid();
      // No caller waits for it to become visible.
      await this.#close({ type: 'follow-up.done.v1', data: { cause: cause.key } }, BY_SERVER);
    } catch (error) {
      // The stores are closed by then: it stays on the list for the next start.
      if (this.#isEnding) return;
      this.#failures.add(cause.key, error);
      onError(error, cause.type);
    }
  }
}

/** Resolves after a second at the latest, while the work goes on. */
async function atMostASecond(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => (timer = setTimeout(resolve, AWAITED_MAX_MS)));
  await Promise.race([work, enough]);
  clearTimeout(timer);
}

function causeAt(type: string, stream: string, revision: number, data: object): Trigger {
  return { type, key: triggerKey(stream, revision), stream, revision, data };
}

/** Whether a follow-up that fails with the error cannot be done any more; after any other error it is retried. */
export function isFinal(error: unknown): error is Refusal {
  return error instanceof Refusal && error.code !== 'SERVER_NOT_READY';
}

function rethrowUnlessFinal(error: unknown): void {
  if (!isFinal(error)) throw error;
}
