import type { JsonObject } from '#kernel';
import { KeyValueStore } from '#read-store';

/** Stores JSON text, so that stored values cannot be changed from outside. */
export class MemoryKeyValueStore extends KeyValueStore {
  readonly #texts = new Map<string, string>();

  async put(kind: string, id: string, value: JsonObject): Promise<void> {
    this.#texts.set(`${kind}/${id}`, JSON.stringify(value));
  }

  async get(kind: string, id: string): Promise<JsonObject | undefined> {
    const text = this.#texts.get(`${kind}/${id}`);
    return text === undefined ? undefined : JSON.parse(text);
  }

  async list(kind: string): Promise<{ id: string; value: JsonObject }[]> {
    return [...this.#texts]
      .filter(([name]) => name.startsWith(`${kind}/`))
      .map(([name, text]) => ({ id: name.slice(kind.length + 1), value: JSON.parse(text) }));
  }

  async remove(kind: string, id: string): Promise<void> {
    this.#texts.delete(`${kind}/${id}`);
  }

  async close(): Promise<void> {
    this.#texts.clear();
  }
}
