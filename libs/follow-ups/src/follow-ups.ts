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
  /** What was done here and may still be on the list: types of the facts, by what names them. */
  readonly #done = new Map<string, string>();
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
    if (followUp !== undefined) await this.#carryOutOpen(followUp, await this.#openOf(cause));
  }

  /** Carries out what has been left undone for a while. */
  async recover(): Promise<void> {
    for (const followUp of this.#followUps.values()) await this.#recover(followUp).catch(this.parts.onError);
  }

  async #recover(followUp: FollowUp): Promise<void> {
    const { cause, alone } = followUp;
    const open = await this.#openOf(cause);
    const now = this.parts.clock.nowSeconds();
    // By the clock of whoever recorded it: what is not of these seconds is not waited for.
    const abandoned = open.filter(({ since }) => Math.abs(now - since) >= PATIENCE_SECONDS);
    if (abandoned.length === 0) return;
    await (alone === undefined ? this.#carryOutOpen(followUp, abandoned) : alone(() => this.finish(cause)));
  }

  /** From now on, what other processes or earlier ones left undone is looked for. */
  start(): void {
    const look = (): void => {
      this.#look ??= this.recover().finally(() => (this.#look = undefined));
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

  /** In log order. */
  async #openOf(cause: string): Promise<readonly OpenFollowUpDocument[]> {
    const sort = [{ field: 'position', direction: 'ascending' }] as const;
    const open: OpenFollowUpDocument[] = [];
    for (;;) {
      const beyond = where.range('position', { gt: open.at(-1)?.position ?? 0 });
      const filter = where.and(where.eq('type', cause), beyond);
      const page = await this.parts.open.find({ where: filter, sort, limit: PAGE_MAX });
      open.push(...page.map(({ doc }) => doc));
      if (page.length < PAGE_MAX) return this.#withoutDone(cause, open);
    }
  }

  #withoutDone(cause: string, listed: readonly OpenFollowUpDocument[]): readonly OpenFollowUpDocument[] {
    const open = new Map(listed.map((doc) => [causeKey(doc.stream, doc.revision), doc]));
    for (const [key, type] of this.#done) if (type === cause && !open.delete(key)) this.#done.delete(key);
    return [...open.values()];
  }

  async #carryOutOpen(followUp: FollowUp, open: readonly OpenFollowUpDocument[]): Promise<void> {
    if (open.length === 0) return;
    // The list may be ahead of what else is known here, such as who left which channel.
    await this.parts.visibility.current();
    for (const { stream, revision } of open) {
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
      this.#done.set(cause.key, followUp.cause);
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
