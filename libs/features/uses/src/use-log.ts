import { Injectable } from '@nestjs/common';
import { CommandRunner, streams } from '#event-store';
import { BoundedMap, BY_SERVER, Clock, type Origin } from '#kernel';
import type { LookingWork } from '#read-store';
import type { NotedUse, UseKind, UsesNoted } from './use.events.js';

/** Different uses noted in a minute; of more, only how many. Each is some 60 bytes of the log. */
const USES_MAX: Readonly<Record<UseKind, number>> = {
  'signed-in': 10_000,
  'sign-in-failed': 1_000,
  'signed-out': 10_000,
  'key-seen': 10_000,
  'file-fetched': 10_000,
  'export-fetched': 100,
  'operator-called': 1_000,
};
const EVERY_MS = 1_000;
const WINDOW_SECONDS = 60;
const USES_PER_EVENT = 500;
/** The same person's fetches of a file, and looks at a key with which a client begins, are one use for so long. */
const ONCE_IN_SECONDS = 3_600;
/** Uses remembered; one that was forgotten is noted again. */
const REMEMBERED_MAX = 50_000;

/** Somebody used what lets them in, or what there is to read. */
export interface Use extends Omit<NotedUse, 'o' | 'at' | 'again'> {
  readonly origin: Origin;
}

interface Seen extends Use {
  readonly at: number;
  again: number;
}

/**
 * Notes who signs in, fails to, or signs out, sees a key, fetches files and archives, and what the operator calls. No request waits for it: uses are
 * recorded within a second, together, and the same again as a number each minute. A process that is killed loses that second.
 */
@Injectable()
export class UseLog implements LookingWork {
  readonly name = 'uses';
  readonly complaint = 'It cannot be recorded at the moment who signs in and fetches files.';
  readonly everyMs = EVERY_MS;
  /** Uses of this minute by what they are. */
  #window = new Map<string, Seen>();
  #windowEndsAt = 0;
  readonly #counts = new Map<UseKind, number>();
  readonly #more = new Map<UseKind, number>();
  #fresh: Seen[] = [];
  /** When files were last fetched, by person and file, … */
  readonly #fetched = new BoundedMap<string, number>(REMEMBERED_MAX);
  /** … and keys last seen, by person and key. */
  readonly #keysSeen = new BoundedMap<string, number>(REMEMBERED_MAX);

  constructor(
    private readonly runner: CommandRunner,
    private readonly clock: Clock,
  ) {}

  note(use: Use): void {
    const at = this.clock.nowSeconds();
    const { origin, ...what } = use;
    // The request is over when it is recorded.
    const visit = origin.request?.visit();
    const number = origin.request?.number ?? '';
    const kept = visit === undefined ? origin : { by: origin.by, request: { number, visit: () => visit } };
    const key = JSON.stringify([origin.by, visit, what]);
    if (use.kind === 'file-fetched' && !isFirst(this.#fetched, key, at)) return;
    const seen = this.#window.get(key);
    if (seen !== undefined) {
      seen.again++;
      return;
    }
    const count = this.#counts.get(use.kind) ?? 0;
    if (count >= USES_MAX[use.kind]) {
      this.#more.set(use.kind, (this.#more.get(use.kind) ?? 0) + 1);
      return;
    }
    this.#counts.set(use.kind, count + 1);
    const first = { ...what, origin: kept, at, again: 0 };
    this.#window.set(key, first);
    this.#fresh.push({ ...first });
  }

  /**
   * Notes that keys of other accounts were among what a client begins with: each at most once an hour and person, whatever the client.
   * @param keys accounts and the generations of their keys
   */
  noteKeysSeen(origin: Origin, keys: readonly { readonly userId: number; readonly key: number }[]): void {
    const at = this.clock.nowSeconds();
    const who = 'userId' in origin.by ? origin.by.userId : origin.by.kind;
    for (const { userId, key } of keys)
      if (isFirst(this.#keysSeen, `${who}:${userId}:${key}`, at))
        this.note({ kind: 'key-seen', how: 'register', userId, key, origin });
  }

  async look(): Promise<void> {
    await this.#record(false);
  }

  /** Records what is left. */
  async stop(): Promise<void> {
    // The stores may be failing, which is told already.
    await this.#record(true).catch(() => undefined);
  }

  async #record(isEnd: boolean): Promise<void> {
    const at = this.clock.nowSeconds();
    const [again, more] = at >= this.#windowEndsAt || isEnd ? this.#closeWindow(at) : [[], {}];
    const uses = [...this.#fresh, ...again];
    this.#fresh = [];
    const isMore = Object.keys(more).length > 0;
    for (let from = 0; from < uses.length || (from === 0 && isMore); from += USES_PER_EVENT) {
      const noted = await Promise.all(uses.slice(from, from + USES_PER_EVENT).map((use) => this.#noted(use)));
      const data = { uses: noted, ...(from === 0 && isMore && { more }), at };
      const event: UsesNoted = { type: 'uses.noted.v1', data };
      await this.runner.appendOnly(streams.uses, [event], BY_SERVER).catch((error: unknown) => {
        // Tried again, with as many as a minute may have.
        this.#fresh.unshift(...uses.slice(from, from + this.#room()));
        throw error;
      });
    }
  }

  #room(): number {
    const max = Object.values(USES_MAX).reduce((sum, count) => sum + count, 0);
    return Math.max(0, max - this.#fresh.length);
  }

  /** @returns what was done more than once in the minute that is over, and how much was beyond the limits */
  #closeWindow(at: number): [Seen[], Record<string, number>] {
    const again = [...this.#window.values()].filter((seen) => seen.again > 0);
    const more = Object.fromEntries(this.#more);
    this.#window = new Map();
    this.#windowEndsAt = at + WINDOW_SECONDS;
    this.#counts.clear();
    this.#more.clear();
    return [again, more];
  }

  async #noted({ origin, again, ...use }: Seen): Promise<NotedUse> {
    return { ...use, o: await this.runner.originText(origin), ...(again > 0 && { again }) };
  }
}

function isFirst(last: BoundedMap<string, number>, key: string, at: number): boolean {
  const before = last.get(key);
  if (before !== undefined && at - before < ONCE_IN_SECONDS) return false;
  last.set(key, at);
  return true;
}

/** What is kept of a name that no account has: people type passwords into the wrong field. */
export function shownName(name: string): string | undefined {
  const [, first, domain] =
    /^([\w+-])[\w.+-]{0,63}@([a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,4})$/i.exec(name.trim()) ?? [];
  return first === undefined ? undefined : `${first}…@${domain}`;
}
