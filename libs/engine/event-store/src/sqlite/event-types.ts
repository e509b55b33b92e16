import type { LogReader } from './log-reader.js';

/** Numbers that stand for event types in the rows. */
export class EventTypes {
  readonly #ids: Map<string, number>;
  #lastId: number;
  #unsaved: { readonly id: number; readonly name: string }[] = [];

  constructor(reader: LogReader) {
    this.#ids = reader.typeIds();
    this.#lastId = Math.max(0, ...this.#ids.values());
  }

  /** Number of a type; assigns a new number to a type that was never stored. */
  idOf(name: string): number {
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    const id = ++this.#lastId;
    this.#ids.set(name, id);
    this.#unsaved.push({ id, name });
    return id;
  }

  /** Types to store in the current transaction. */
  takeUnsaved(): readonly { readonly id: number; readonly name: string }[] {
    const unsaved = this.#unsaved;
    this.#unsaved = [];
    return unsaved;
  }
}
