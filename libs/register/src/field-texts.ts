/**
 * The fields of a reply, as JSON text. A large organization's state is megabytes: what was made into text for one client
 * is put into the reply of the next one as it is.
 */
export class FieldTexts {
  readonly #parts: string[] = [];

  add(name: string, value: unknown): this {
    this.#parts.push(`${JSON.stringify(name)}:${JSON.stringify(value)}`);
    return this;
  }

  addAll(fields: Readonly<Record<string, unknown>>): this {
    for (const [name, value] of Object.entries(fields)) this.add(name, value);
    return this;
  }

  /** @param texts JSON texts of the items */
  addList(name: string, texts: readonly string[]): this {
    this.#parts.push(`${JSON.stringify(name)}:[${texts.join(',')}]`);
    return this;
  }

  /** The fields without braces around them. */
  toString(): string {
    return this.#parts.join(',');
  }
}
