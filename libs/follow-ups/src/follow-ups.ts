import { type Appended, type CommandPath, type EventStore, streams } from '#event-store';
import { type Clock, type Fact, Refusal } from '#kernel';
import { type Collection, type Stored, where } from '#read-store';
import { type Cause, causeKey } from './cause.js';
import type { FollowUpDone } from './follow-up.events.js';
import type { OpenFollowUpDocument } from './open-follow-ups.projection.js';

/** Whoever recorded the fact is still at it; afterwards it is taken to be gone. */
const PATIENCE_SECONDS = 10;
const LOOK_EVERY_MS = 5_000;
const AT_ONCE = 100;

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
  readonly store: EventStore;
  readonly path: CommandPath;
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
  #looking: NodeJS.Timeout | undefined;
  #look: Promise<void> | undefined;

  constructor(private readonly parts: FollowUpsParts) {}

  add(followUp: FollowUp): void {
    this.#followUps.set(followUp.cause, followUp);
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
    if (followUp === undefined) return;
    for (const open of await this.#openOf(cause)) {
      const { stream, revision } = open.doc;
      const [fact] = await this.parts.store.readStream(stream, { from: revision, limit: 1 });
      if (fact !== undefined) await this.#attempt(followUp, causeAt(stream, revision, fact.data as object));
    }
  }

  /** Carries out what has been left undone for a while. */
  async recover(): Promise<void> {
    for (const followUp of this.#followUps.values()) await this.#recover(followUp).catch(this.parts.onError);
  }

  async #recover({ cause, alone }: FollowUp): Promise<void> {
    const [oldest] = await this.#openOf(cause);
    if (oldest === undefined || oldest.doc.since > this.parts.clock.nowSeconds() - PATIENCE_SECONDS) return;
    const finish = (): Promise<void> => this.finish(cause);
    await (alone === undefined ? finish() : alone(finish));
  }

  /** From now on, what other processes or earlier ones left undone is looked for. */
  start(): void {
    const look = (): void => {
      this.#look ??= this.recover().finally(() => (this.#look = undefined));
    };
    this.#looking = setInterval(look, LOOK_EVERY_MS).unref();
    look();
  }

  async stop(): Promise<void> {
    clearInterval(this.#looking);
    await this.#look;
  }

  #openOf(cause: string): Promise<readonly Stored<OpenFollowUpDocument>[]> {
    const sort = [{ field: 'position', direction: 'ascending' }] as const;
    return this.parts.open.find({ where: where.eq('type', cause), sort, limit: AT_ONCE });
  }

  async #attempt(followUp: FollowUp, cause: Cause): Promise<void> {
    const { path, onError } = this.parts;
    try {
      await followUp.carryOut(cause).catch(rethrowUnlessFinal);
      const done: FollowUpDone = { type: 'follow-up.done.v1', data: { cause: cause.key } };
      await path.appendOnly(streams.followUps, [done]);
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
