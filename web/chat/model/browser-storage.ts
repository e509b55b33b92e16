import { MemoryStorage, type Storage } from '#client';

/** What a page keeps for its next visit, in the browser's storage. Where that is forbidden or full, it is kept as long as the page. */
export class BrowserStorage implements Storage {
  readonly #rest = new MemoryStorage();

  /** @param prefix of all keys, which tells users of one browser apart */
  constructor(private readonly prefix: string) {}

  async get(key: string): Promise<string | undefined> {
    const kept = await this.#rest.get(key);
    return kept ?? this.#try(() => localStorage.getItem(this.prefix + key) ?? undefined);
  }

  async set(key: string, text: string): Promise<void> {
    const isStored = this.#try(() => {
      localStorage.setItem(this.prefix + key, text);
      return true;
    });
    await (isStored === true ? this.#rest.delete(key) : this.#rest.set(key, text));
  }

  async delete(key: string): Promise<void> {
    await this.#rest.delete(key);
    this.#try(() => localStorage.removeItem(this.prefix + key));
  }

  async keys(prefix: string): Promise<readonly string[]> {
    const start = this.prefix + prefix;
    const stored = this.#try(() => Object.keys(localStorage).filter((key) => key.startsWith(start))) ?? [];
    const kept = await this.#rest.keys(prefix);
    return [...new Set([...stored.map((key) => key.slice(this.prefix.length)), ...kept])];
  }

  #try<T>(act: () => T): T | undefined {
    try {
      return act();
    } catch {
      return undefined;
    }
  }
}
