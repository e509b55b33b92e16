import { badRequest, excerpt, type Origin } from '#kernel';

/** Work that is not done yet, or could not be done. Times are in seconds since the epoch. */
export interface PendingItem {
  /** Unique within the kind. */
  readonly id: string;
  /** What it is, without contents. */
  readonly what: string;
  readonly since: number;
  /** Attempts that failed. */
  readonly attempts: number;
  /** Why the last one failed; null when none has, or that is not known. */
  readonly reason: string | null;
  /** When the next attempt is made; null when there is none, unless somebody asks for it. */
  readonly nextAt: number | null;
}

/** A step of pending work that was recorded. */
export interface PendingStep {
  readonly type: string;
  readonly at: number;
  readonly reason: string | null;
}

/** Pending work of one kind. */
export interface PendingSource {
  readonly kind: string;
  /** The work whose next attempt is the earliest. */
  list(limit: number): Promise<readonly PendingItem[]>;
  find(id: string): Promise<PendingItem | undefined>;
  /** What was recorded of it, the newest last. */
  history(id: string): Promise<readonly PendingStep[]>;
  /**
   * Has it tried again at once.
   * @returns false when that is under way
   */
  retry(id: string, origin: Origin): Promise<boolean>;
  /** Gives it up, by an event. @returns false when it is under way or over */
  drop(id: string, reason: string, origin: Origin): Promise<boolean>;
}

/** All pending work of the server, by kind. */
export class PendingWork {
  readonly #sources = new Map<string, PendingSource>();

  add(source: PendingSource): void {
    this.#sources.set(source.kind, source);
  }

  get kinds(): readonly string[] {
    return [...this.#sources.keys()];
  }

  /** @throws Refusal BAD_REQUEST */
  source(kind: string): PendingSource {
    const source = this.#sources.get(kind);
    if (source === undefined) throw badRequest(`There is no kind '${excerpt(kind)}', but: ${this.kinds.join(', ')}.`);
    return source;
  }
}
