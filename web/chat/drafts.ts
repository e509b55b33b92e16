/** What was typed and not sent, by conversation. Kept in this browser, so that it survives a reload. */

const PREFIX = 'draft/';
/** Rest after which a draft is kept. */
const KEEP_AFTER_MS = 250;

export interface Draft {
  readonly content: string;
  /** Topic, where the conversation has none yet. */
  readonly topic: string;
  readonly caret: number;
  readonly atMs: number;
}

/** Storage may be forbidden or full: then drafts live as long as the page. */
class Drafts {
  readonly #unsaved = new Map<string, Draft>();
  readonly #memory = new Map<string, Draft>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #listeners = new Set<() => void>();
  #keys: readonly string[] | undefined;

  constructor() {
    addEventListener('pagehide', () => this.flush());
    addEventListener('storage', ({ key }) => {
      if (key?.startsWith(PREFIX) ?? true) this.#changed();
    });
  }

  get(userId: number, place: string): Draft | undefined {
    const key = `${PREFIX}${userId}/${place}`;
    const known = this.#unsaved.get(key) ?? this.#memory.get(key);
    if (known !== undefined) return known;
    try {
      const text = localStorage.getItem(key);
      return text === null ? undefined : (JSON.parse(text) as Draft);
    } catch {
      return undefined;
    }
  }

  /** An empty draft is none. */
  set(userId: number, place: string, draft: Draft): void {
    this.#unsaved.set(`${PREFIX}${userId}/${place}`, draft);
    this.#timer ??= setTimeout(() => this.flush(), KEEP_AFTER_MS);
  }

  remove(userId: number, place: string): void {
    this.set(userId, place, { content: '', topic: '', caret: 0, atMs: 0 });
    this.flush();
  }

  /** Conversations with a draft. The same list until one is added or removed. */
  placesOf(userId: number): readonly string[] {
    const prefix = `${PREFIX}${userId}/`;
    return this.#all()
      .filter((key) => key.startsWith(prefix))
      .map((key) => key.slice(prefix.length));
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Changes whenever `placesOf` may. */
  version = (): number => this.#version;
  #version = 0;

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const [key, draft] of this.#unsaved) {
      const isEmpty = draft.content.trim() === '';
      if (isEmpty) this.#memory.delete(key);
      else this.#memory.set(key, draft);
      try {
        if (isEmpty) localStorage.removeItem(key);
        else localStorage.setItem(key, JSON.stringify(draft));
        this.#memory.delete(key);
      } catch {
        // Forbidden or full: it stays in memory.
      }
    }
    if (this.#unsaved.size > 0) this.#changed();
    this.#unsaved.clear();
  }

  #all(): readonly string[] {
    if (this.#keys !== undefined) return this.#keys;
    let stored: string[] = [];
    try {
      stored = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
    } catch {
      // Forbidden.
    }
    this.#keys = [...new Set([...stored, ...this.#memory.keys()])].sort();
    return this.#keys;
  }

  #changed(): void {
    this.#keys = undefined;
    this.#version++;
    for (const listener of this.#listeners) listener();
  }
}

export const drafts = new Drafts();
