/**
 * The fields of a reply, as JSON text. A large organization's state is megabytes: what was made into text for one client
 * is put into the reply of the next one as it is, and what all clients get, as bytes.
 */
export class FieldTexts {
  /** Fields without anything between them. */
  readonly #parts: (string | Uint8Array)[] = [];

  add(name: string, value: unknown): this {
    this.#parts.push(fieldText(name, JSON.stringify(value)));
    return this;
  }

  addAll(fields: Readonly<Record<string, unknown>>): this {
    for (const [name, value] of Object.entries(fields)) this.add(name, value);
    return this;
  }

  /** @param texts JSON texts of the items */
  addList(name: string, texts: readonly string[]): this {
    this.#parts.push(fieldText(name, listText(texts)));
    return this;
  }

  /** @param bytes one or more fields with commas between them */
  addBytes(bytes: Uint8Array): this {
    this.#parts.push(bytes);
    return this;
  }

  /** The fields with commas between them; together they are what stands between the braces. */
  pieces(): (string | Uint8Array)[] {
    const pieces: (string | Uint8Array)[] = [];
    let text = '';
    for (const [index, part] of this.#parts.entries()) {
      if (index > 0) text += ',';
      if (typeof part === 'string') {
        text += part;
        continue;
      }
      pieces.push(text, part);
      text = '';
    }
    pieces.push(text);
    return pieces;
  }
}

/** @param text the value's JSON text */
export function fieldText(name: string, text: string): string {
  return `${JSON.stringify(name)}:${text}`;
}

export function listText(texts: readonly string[]): string {
  return `[${texts.join(',')}]`;
}
