import type { Storage } from './storage.js';

/** Values in a storage, as far as it works: what fails is reported, and is as if it were not there. */
export class Shelf {
  constructor(
    private readonly storage: Storage | undefined,
    /** Of all keys. */
    private readonly prefix: string,
    private readonly report: ((text: string) => void) | undefined,
  ) {}

  async load<T>(): Promise<readonly T[]> {
    const keys = await this.#try((storage) => storage.keys(this.prefix));
    const found = (keys ?? []).map((key) =>
      this.#try(async (storage) => JSON.parse((await storage.get(key)) ?? '[]') as T),
    );
    return (await Promise.all(found)).flatMap((one) => one ?? []);
  }

  /** @param value undefined to delete the key */
  async set(key: string, value?: object): Promise<void> {
    const name = this.prefix + key;
    await this.#try((storage) => (value ? storage.set(name, JSON.stringify(value)) : storage.delete(name)));
  }

  async #try<T>(act: (storage: Storage) => Promise<T>): Promise<T | undefined> {
    try {
      return this.storage && (await act(this.storage));
    } catch (error) {
      this.report?.(`Storage: ${String(error)}`);
      return undefined;
    }
  }
}
