import type { Storage } from '../store/storage.js';
import { type Surroundings, SYSTEM } from './pauses.js';

/** A storage that is used by others, or whose disk has gone, may never answer: nothing waits for it longer. */
const ANSWERS_WITHIN_MS = 2_000;

export interface ShelfParts {
  readonly storage?: Storage | undefined;
  /** Receives failures of the storage. */
  readonly report?: ((text: string) => void) | undefined;
  readonly surroundings?: Surroundings | undefined;
}

/** Values in a storage, as far as it works: what fails, or takes too long, is reported, and not waited for. */
export class Shelf<T extends object> {
  constructor(
    private readonly parts: ShelfParts,
    /** Of all keys. */
    private readonly prefix: string,
  ) {}

  /** @param take receives all values, also when they come late */
  load(take: (values: readonly T[]) => void): Promise<void> {
    return this.#try(async (storage) => {
      const read = async (key: string): Promise<T> => JSON.parse((await storage.get(key)) ?? '[]') as T;
      const keys = await storage.keys(this.prefix);
      const found = keys.map((key) => read(key).catch(this.#failed));
      take((await Promise.all(found)).flat() as T[]);
    });
  }

  /** @param value undefined to delete the key */
  set(key: string, value?: T): Promise<void> {
    const name = this.prefix + key;
    return this.#try((storage) => (value ? storage.set(name, JSON.stringify(value)) : storage.delete(name)));
  }

  async #try(act: (storage: Storage) => Promise<void>): Promise<void> {
    const { storage, surroundings = SYSTEM } = this.parts;
    const ended = new AbortController();
    const late = async (): Promise<never> => {
      await surroundings.sleep(ANSWERS_WITHIN_MS, ended.signal);
      throw new Error('no answer');
    };
    try {
      await (storage && Promise.race([act(storage), late()]));
    } catch (error) {
      this.#failed(error);
    }
    ended.abort();
  }

  readonly #failed = (error: unknown): [] => {
    this.parts.report?.(`Storage: ${String(error)}`);
    return [];
  };
}
