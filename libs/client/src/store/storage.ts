/**
 * Keeps texts beyond the life of a page or a process: IndexedDB, a file, or memory alone. Calls for one key take effect in the order in
 * which they are made, also when the next one is made before an answer: a slow `set` does not undo the `delete` after it.
 */
export interface Storage {
  get(key: string): Promise<string | undefined>;
  set(key: string, text: string): Promise<void>;
  delete(key: string): Promise<void>;
  /** All keys that begin like this. */
  keys(prefix: string): Promise<readonly string[]>;
}

/** Forgets everything with the process. */
export class MemoryStorage implements Storage {
  readonly #texts = new Map<string, string>();

  get(key: string): Promise<string | undefined> {
    return Promise.resolve(this.#texts.get(key));
  }

  set(key: string, text: string): Promise<void> {
    this.#texts.set(key, text);
    return Promise.resolve();
  }

  delete(key: string): Promise<void> {
    this.#texts.delete(key);
    return Promise.resolve();
  }

  keys(prefix: string): Promise<readonly string[]> {
    return Promise.resolve([...this.#texts.keys()].filter((key) => key.startsWith(prefix)));
  }
}
