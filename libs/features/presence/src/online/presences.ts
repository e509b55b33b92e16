import { randomInt } from 'node:crypto';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { RecordedEvent, RecordedOf } from '#event-store';
import { Clock, type JsonObject, Repetition } from '#kernel';
import { Directory } from '#people';
import type { User } from '#users/model';
import { type PreferencesEvent, preferencesPart } from '#preferences/model';
import { Broadcast, KeyValueStore } from '#read-store';
import { type Presence, PresenceBook, type PresenceStatus, PROCESSES_MAX } from './presence-book.js';

/** Broadcast topic, and kind of the stored documents. */
const PRESENCE = 'presence';
/** Reports within this time go to the other processes as one broadcast. */
const TOLD_EVERY_MS = 250;
/** A broadcast holds 16 kB; an entry takes up to 48 characters. */
const TOLD_AT_ONCE_MAX = 300;
/** A process that starts learns what is older from the store. People report each minute, so little is lost in between. */
const STORED_EVERY_MS = 20_000;
/** Users of one stored document: 45 kB at most. */
const BLOCK_SIZE = 1_000;

/** More than one user can make: revisions order what happens to a user within a second. */
const RESETS_PER_SECOND = 1_000;

/** A presence on its way to other processes and in the store: user ID and times. */
type Entry = readonly [userId: number, activeAt: number, connectedAt: number, resetAt: number];

/**
 * Presence of all users, kept out of the log. Each process has it in memory, tells the others by `Broadcast` what it is
 * told, and stores that in blocks now and then. What is stored and what is told merge (`PresenceBook`), so a lost
 * broadcast or write is made up for by the next one.
 */
@Injectable()
export class Presences implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #book = new PresenceBook(randomInt(PROCESSES_MAX));
  readonly #untold = new Map<number, Presence>();
  #telling: NodeJS.Timeout | undefined;
  /** Blocks with reports to this process that are not stored yet. */
  readonly #unstored = new Set<number>();
  readonly #storing = new Repetition(() => this.store(), STORED_EVERY_MS);
  #stored: Promise<void> = Promise.resolve();
  #isLoaded = false;
  #isFailing = false;
  readonly #ends: (() => void)[] = [];

  constructor(
    private readonly directory: Directory,
    private readonly broadcast: Broadcast,
    private readonly side: KeyValueStore,
    private readonly clock: Clock,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.#ends.push(
      // A process that serves clients listens for more, and hears this meanwhile; a projector needs none of it.
      this.broadcast.subscribe(
        PRESENCE,
        ({ entries }) => {
          this.#hear(entries as unknown as readonly Entry[]);
        },
        { isSpared: true },
      ),
      this.directory.listen((event) => {
        this.#onSettings(event);
      }),
    );
    this.#storing.start(() => undefined);
    await this.store();
  }

  async onModuleDestroy(): Promise<void> {
    clearTimeout(this.#telling);
    for (const end of this.#ends) end();
    await this.#storing.stop();
    await this.store();
  }

  /** ID of the newest change; -1 without any. */
  get lastUpdateId(): number {
    return this.#book.lastUpdateId;
  }

  /** The user's presence; undefined when they were never seen, or do not share it. */
  of(user: User): Presence | undefined {
    const presence = this.#book.get(user.userId);
    return presence !== undefined && this.#isShown(presence) ? presence : undefined;
  }

  /**
   * What changed after this update, by time of the change, with everybody who is not shown now.
   * @param updateId everything for -1
   * @returns runs of users; a run is replaced when one of them changes, never mutated
   */
  since(updateId: number): readonly (readonly Presence[])[] {
    return this.#book.since(updateId);
  }

  /** The user of this presence, when they are active and share it. Changing the latter replaces the presence. */
  shownUser(presence: Presence): User | undefined {
    const user = this.directory.user(presence.userId);
    return user?.isActive === true && this.#isShown(presence) ? user : undefined;
  }

  /** Records a user's report. @returns the presence of a user who has come online by it */
  report({ userId }: User, status: PresenceStatus): Presence | undefined {
    const reported = this.#book.report(userId, status, this.clock.nowMs());
    if (reported === undefined) return undefined;
    const { presence, cameOnline } = reported;
    this.#tell(presence);
    return cameOnline ? presence : undefined;
  }

  /** Stores what was reported to this process, and learns what others stored. Never fails: it is tried again. */
  store(): Promise<void> {
    this.#stored = this.#stored.then(() => this.#store());
    return this.#stored;
  }

  async #store(): Promise<void> {
    try {
      if (!this.#isLoaded) this.#load(await this.side.list(PRESENCE));
      this.#isLoaded = true;
      for (const block of [...this.#unstored]) {
        this.#unstored.delete(block);
        try {
          await this.#storeBlock(block);
        } catch (error) {
          this.#unstored.add(block);
          throw error;
        }
      }
      this.#isFailing = false;
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Earlier ones first: runs of users who were seen at about the same time are in an answer as a whole, or not at all. */
  #load(blocks: readonly { readonly value: JsonObject }[]): void {
    const entries = blocks.flatMap(({ value }) => entriesOf(value));
    this.#hear(entries.sort(([, , a], [, , b]) => a - b));
  }

  async #storeBlock(block: number): Promise<void> {
    const before = await this.side.get(PRESENCE, String(block));
    if (before !== undefined) this.#hear(entriesOf(before));
    const entries: Entry[] = [];
    for (let userId = block * BLOCK_SIZE; userId < (block + 1) * BLOCK_SIZE; userId++) {
      const presence = this.#book.get(userId);
      if (presence !== undefined && this.#isShown(presence)) entries.push(entryOf(presence));
    }
    await this.side.put(PRESENCE, String(block), { entries });
  }

  /** Someone who opted out is shown as of then, and a report from before is not, however it came here. */
  #isShown({ userId, resetAt }: Presence): boolean {
    return resetAt > 0 || this.directory.of(preferencesPart).setting(userId, 'presence_enabled');
  }

  /** Each process hears from the log who opts in or out. */
  #onSettings(event: RecordedEvent): void {
    if (event.type !== 'user-settings.changed.v1') return;
    const { userId, settings, at } = (
      event as RecordedOf<Extract<PreferencesEvent, { type: 'user-settings.changed.v1' }>>
    ).data;
    const isEnabled = settings['presence_enabled'];
    if (typeof isEnabled !== 'boolean') return;
    const resetAt = at + (event.revision % RESETS_PER_SECOND) / RESETS_PER_SECOND;
    if (this.#book.reset(userId, isEnabled, resetAt, this.clock.nowMs()) !== undefined)
      this.#unstored.add(blockOf(userId));
  }

  #hear(entries: readonly Entry[]): void {
    const nowMs = this.clock.nowMs();
    for (const [userId, activeAt, connectedAt, resetAt] of entries)
      this.#book.merge({ userId, activeAt, connectedAt, resetAt }, nowMs);
  }

  /** The first report goes out at once, and those of the next moment together. */
  #tell(presence: Presence): void {
    this.#unstored.add(blockOf(presence.userId));
    this.#untold.set(presence.userId, presence);
    if (this.#telling !== undefined) return;
    this.#publish();
    this.#telling = setTimeout(() => {
      this.#telling = undefined;
      this.#publish();
    }, TOLD_EVERY_MS).unref();
  }

  #publish(): void {
    const entries = Array.from(this.#untold.values(), entryOf);
    this.#untold.clear();
    for (let from = 0; from < entries.length; from += TOLD_AT_ONCE_MAX) {
      const body = { entries: entries.slice(from, from + TOLD_AT_ONCE_MAX) as unknown as JsonObject[] };
      this.broadcast.publish(PRESENCE, body).catch((error: unknown) => {
        this.#failed(error);
      });
    }
  }

  /** Other processes learn it from the store, or from the user's next report. */
  #failed(error: unknown): void {
    if (!this.#isFailing)
      process.emitWarning(`Presence is not shared for now: ${error instanceof Error ? error.message : 'unknown'}`);
    this.#isFailing = true;
  }
}

function blockOf(userId: number): number {
  return Math.floor(userId / BLOCK_SIZE);
}

function entryOf({ userId, activeAt, connectedAt, resetAt }: Presence): Entry {
  return [userId, activeAt, connectedAt, resetAt];
}

function entriesOf({ entries }: JsonObject): readonly Entry[] {
  return (entries as unknown as readonly Entry[] | undefined) ?? [];
}
