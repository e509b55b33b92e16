/**
 * The fields of a reply as JSON text. The state of a large organization is megabytes: text made for one client is
 * reused in the next reply, and what all clients get is kept as bytes.
 */
export class JsonFields {
  /** Fields without separators. */
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

  /** The fields with commas between them; together they are the text between the braces. */
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
