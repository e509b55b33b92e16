import type { JsonPiece } from '#kernel';

/** Texts of a list that may be written in slices are joined to pieces of about this length, which a slice has time for. */
const RUN_LENGTH = 65_536;

/**
 * The fields of a reply as JSON text. The state of a large organization is megabytes: text made for one client is
 * reused in the next reply, and what all clients get is kept as bytes.
 */
export class JsonFields {
  readonly #pieces: JsonPiece[] = [];

  add(name: string, value: unknown): this {
    return this.#add(fieldText(name, JSON.stringify(value)));
  }

  addAll(fields: Readonly<Record<string, unknown>>): this {
    for (const [name, value] of Object.entries(fields)) this.add(name, value);
    return this;
  }

  /** @param texts JSON texts of the items */
  addList(name: string, texts: readonly string[]): this {
    // Joining long text to short text would make a string that has to be copied once more.
    return this.#add(fieldText(name, '['), texts.join(','), ']');
  }

  /** @param items JSON texts of the items, or what makes them when they are written */
  addLateList(name: string, items: readonly (string | (() => string))[]): this {
    const pieces: JsonPiece[] = [fieldText(name, '[')];
    let run = '';
    for (const [index, item] of items.entries()) {
      if (index > 0) run += ',';
      if (typeof item === 'string') run += item;
      if (typeof item === 'string' && run.length < RUN_LENGTH) continue;
      pieces.push(run);
      if (typeof item !== 'string') pieces.push(item);
      run = '';
    }
    return this.#add(...pieces, run, ']');
  }

  /** @param runs of items of the list, each with commas between its items */
  addListBytes(name: string, runs: Iterable<Uint8Array>): this {
    this.#add(fieldText(name, '['));
    let isFirst = true;
    for (const run of runs) {
      if (!isFirst) this.#pieces.push(',');
      this.#pieces.push(run);
      isFirst = false;
    }
    this.#pieces.push(']');
    return this;
  }

  /** @param pieces together one or more fields with commas between them */
  addPieces(pieces: readonly JsonPiece[]): this {
    return this.#add(...pieces);
  }

  /** The fields with commas between them; together they are the text between the braces. */
  pieces(): readonly JsonPiece[] {
    return this.#pieces;
  }

  #add(...pieces: readonly JsonPiece[]): this {
    if (this.#pieces.length > 0) this.#pieces.push(',');
    this.#pieces.push(...pieces);
    return this;
  }
}

/** @param text the value's JSON text */
export function fieldText(name: string, text: string): string {
  return `${JSON.stringify(name)}:${text}`;
}
