import type { Directory } from '#people';
import type { User } from '#users/model';
import type { Presence } from './presence-book.js';
import type { Presences } from './presences.js';

type Run = readonly Presence[];

/** Entries of an answer: a comma before each. */
export interface RunText {
  readonly bytes: Uint8Array;
  /** When those whom it contains were connected, in seconds since the epoch. */
  readonly seenFrom: number;
  readonly seenUntil: number;
}

interface Built extends RunText {
  /** The users as the text has them, undefined for those who are left out. */
  readonly users: readonly (User | undefined)[];
}

interface Kept extends Built {
  /** Revision of the organization when this was last found true. */
  revision: number;
}

/**
 * The same text for all who ask, kept by run: a run is built again when one of its presences or users has been replaced, and
 * what a report costs does not grow with the number of users.
 */
export class RunTexts {
  readonly #kept = new WeakMap<Run, Kept>();
  readonly #entries = new WeakMap<Presence, { readonly user: User; readonly text: string }>();

  constructor(
    private readonly directory: Directory,
    private readonly presences: Presences,
    private readonly entryText: (presence: Presence, user: User) => string,
  ) {}

  of(run: Run): RunText {
    const { revision } = this.directory;
    const kept = this.#kept.get(run);
    if (kept?.revision === revision) return kept;
    if (
      kept !== undefined &&
      run.every((presence, index) => this.presences.shownUser(presence) === kept.users[index])
    ) {
      kept.revision = revision;
      return kept;
    }
    const built = { ...this.#build(run), revision };
    this.#kept.set(run, built);
    return built;
  }

  /** The text of some users, which is not kept. */
  select(run: Run, isWanted: (user: User, presence: Presence) => boolean): RunText {
    return this.#build(run, isWanted);
  }

  #build(run: Run, isWanted?: (user: User, presence: Presence) => boolean): Built {
    const users: (User | undefined)[] = [];
    let text = '';
    let seenFrom = Infinity;
    let seenUntil = -Infinity;
    for (const presence of run) {
      const user = this.presences.shownUser(presence);
      const isLeftOut = user === undefined || isWanted?.(user, presence) === false;
      users.push(isLeftOut ? undefined : user);
      if (isLeftOut) continue;
      text += this.#entry(presence, user);
      seenFrom = Math.min(seenFrom, presence.connectedAt);
      seenUntil = Math.max(seenUntil, presence.connectedAt);
    }
    return { users, bytes: Buffer.from(text), seenFrom, seenUntil };
  }

  #entry(presence: Presence, user: User): string {
    const known = this.#entries.get(presence);
    if (known?.user === user) return known.text;
    const text = `,${this.entryText(presence, user)}`;
    this.#entries.set(presence, { user, text });
    return text;
  }
}
