import { type Appended, type EventStore, streams, type Visibility } from '#event-store';
import { type Clock, type Fact, newId, Refusal } from '#kernel';
import { type Collection, where } from '#read-store';
import { type Cause, causeKey } from './cause.js';
import type { FollowUpDone } from './follow-up.events.js';
import type { OpenFollowUpDocument } from './open-follow-ups.projection.js';

/** Whoever recorded the fact is still at it; afterwards it is taken to be gone. */
const PATIENCE_SECONDS = 10;
const LOOK_EVERY_MS = 5_000;
const PAGE_MAX = 100;

/** What facts of one type entail. */
export interface FollowUp<Data extends object = object> {
  /** Type of the facts. */
  readonly cause: string;
  /**
   * Carries out what the fact entails. It may have been begun before, and broken off anywhere: what was done must not be
   * done again. A refusal, other than that the server is not ready, means that it cannot be done any more.
   */
  carryOut(cause: Cause<Data>): Promise<void>;
  /** Does the work when no such fact can be recorded, and nobody else carries one out; for follow-ups whose order matters. */
  readonly alone?: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

export interface FollowUpsParts {
  readonly open: Collection<OpenFollowUpDocument>;
  /** Types of the facts that the list knows. */
  readonly causes: ReadonlySet<string>;
  readonly store: EventStore;
  readonly visibility: Visibility;
  readonly clock: Clock;
  /** Told what could not be carried out for now. It is tried again. */
  readonly onError: (error: unknown) => void;
}

/**
 * Carries out what facts entail in other streams, which no append can record together with them (DESIGN, decision 5).
 * Whoever recorded the fact does it before the request is answered. What a process that died left undone is on a list
 * that is a projection, and is done by whichever process looks first.
 */
export class FollowUps {
  readonly #followUps = new Map<string, FollowUp>();
  /** What names facts whose follow-ups were done here, and may still be on the list. */
  readonly #done = new Set<string>();
  #looking: NodeJS.Timeout | undefined;
  #look: Promise<void> | undefined;
  #isEnding = false;

  constructor(private readonly parts: FollowUpsParts) {}

  add(followUp: FollowUp): void {
    const { cause } = followUp;
    // It would work, until a process dies.
    if (!this.parts.causes.has(cause)) throw new Error(`What ${cause} entails is not on the list of open follow-ups.`);
    this.#followUps.set(cause, followUp);
  }

  /**
   * Carries out what facts entail that were just recorded, and are visible. Never fails: they are recorded, and what could
   * not be done now is done later.
   */
  async carryOut(
    stream: string,
    appended: Appended | undefined,
    facts: readonly Fact<string, object>[],
  ): Promise<void> {
    if (appended === undefined) return;
    for (const [index, { type, data }] of facts.entries()) {
      const followUp = this.#followUps.get(type);
      if (followUp === undefined || !('entails' in data)) continue;
      await this.#attempt(followUp, causeAt(stream, appended.firstRevision + index, data));
    }
  }

  /** Carries out what others left undone of one type, in log order. Whatever must be alone for that is. */
  async finish(cause: string): Promise<void> {
    const followUp = this.#followUps.get(cause);
    if (followUp !== undefined) await this.#carryOutOpen(followUp, await this.#open());
  }

  /** Carries out what has been left undone for a while. */
  async recover(): Promise<void> {
    const now = this.parts.clock.nowSeconds();
    // By the clock of whoever recorded it: what is not of these seconds is not waited for.
    const abandoned = (await this.#open()).filter(({ since }) => Math.abs(now - since) >= PATIENCE_SECONDS);
    for (const cause of new Set(abandoned.map(({ type }) => type))) {
      const followUp = this.#followUps.get(cause);
      if (followUp === undefined) continue;
      const { alone } = followUp;
      const recovering =
        alone === undefined ? this.#carryOutOpen(followUp, abandoned) : alone(() => this.finish(cause));
      await recovering.catch(this.parts.onError);
    }
  }

  /** From now on, what other processes or earlier ones left undone is looked for. */
  start(): void {
    const look = (): void => {
      this.#look ??= this.recover()
        .catch(this.parts.onError)
        .finally(() => (this.#look = undefined));
    };
    this.#looking = setInterval(look, LOOK_EVERY_MS).unref();
    look();
  }

  /** Ends after the one at hand. */
  async stop(): Promise<void> {
    this.#isEnding = true;
    clearInterval(this.#looking);
    await this.#look;
  }

  /** The list, in log order, without what it has not heard of yet that it is done. */
  async #open(): Promise<readonly OpenFollowUpDocument[]> {
    const sort = [{ field: 'position', direction: 'ascending' }] as const;
    const listed = new Map<string, OpenFollowUpDocument>();
    for (let beyond = 0, isWhole = false; !isWhole;) {
      const page = await this.parts.open.find({
        where: where.range('position', { gt: beyond }),
        sort,
        limit: PAGE_MAX,
      });
      for (const { key, doc } of page) listed.set(String(key), doc);
      beyond = page.at(-1)?.doc.position ?? beyond;
      isWhole = page.length < PAGE_MAX;
    }
    for (const key of this.#done) if (!listed.delete(key)) this.#done.delete(key);
    return [...listed.values()];
  }

  async #carryOutOpen(followUp: FollowUp, open: readonly OpenFollowUpDocument[]): Promise<void> {
    const ours = open.filter(({ type }) => type === followUp.cause);
    if (ours.length === 0) return;
    // The list may be ahead of what else is known here, such as who left which channel.
    await this.parts.visibility.current();
    for (const { stream, revision } of ours) {
      if (this.#isEnding) return;
      const [fact] = await this.parts.store.readStream(stream, { from: revision, limit: 1 });
      if (fact !== undefined) await this.#attempt(followUp, causeAt(stream, revision, fact.data as object));
    }
  }

  async #attempt(followUp: FollowUp, cause: Cause): Promise<void> {
    const { store, onError } = this.parts;
    try {
      await followUp.carryOut(cause).catch(rethrowUnlessFinal);
      const done: FollowUpDone = { type: 'follow-up.done.v1', data: { cause: cause.key } };
      // Nobody waits to see it on the list.
      await store.append(streams.followUps, 'any', [{ id: newId(), ...done }]);
      this.#done.add(cause.key);
    } catch (error) {
      onError(error);
    }
  }
}

function causeAt(stream: string, revision: number, data: object): Cause {
  return { key: causeKey(stream, revision), stream, revision, data };
}

function rethrowUnlessFinal(error: unknown): void {
  if (!(error instanceof Refusal) || error.code === 'SERVER_NOT_READY') throw error;
}
