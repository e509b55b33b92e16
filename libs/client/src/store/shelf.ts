import { type Surroundings, SYSTEM } from '../session/pauses.js';
import type { Storage } from './storage.js';

/** A storage that is used by others, or whose disk has gone, may never answer: nothing waits for it longer. */
const ANSWERS_WITHIN_MS = 2_000;

export interface ShelfParts {
  readonly storage?: Storage | undefined;
  /** Receives failures of the storage. */
  readonly report?: ((text: string) => void) | undefined;
  readonly surroundings?: Surroundings | undefined;
}

/** Values in a storage, as far as it works: what fails, or takes too long, is reported, and is as if it were not there. */
export class Shelf {
  constructor(
    private readonly parts: ShelfParts,
    /** Of all keys. */
    private readonly prefix: string,
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
    const { storage, report, surroundings = SYSTEM } = this.parts;
    if (storage === undefined) return undefined;
    const ended = new AbortController();
    const late = async (): Promise<never> => {
      await surroundings.sleep(ANSWERS_WITHIN_MS, ended.signal);
      throw new Error('It does not answer.');
    };
    try {
      return await Promise.race([act(storage), late()]);
    } catch (error) {
      report?.(`Storage: ${String(error)}`);
      return undefined;
    } finally {
      ended.abort();
    }
  }
}
