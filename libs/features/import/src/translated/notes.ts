/** What could not be carried over, counted by its kind. */
export class Notes {
  readonly #counts = new Map<string, number>();

  /** @param kind a sentence that begins with a number, such as `files are not in the archive` */
  add(kind: string, count = 1): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + count);
  }

  sentences(): string[] {
    return Array.from(this.#counts, ([kind, count]) => `${count} ${kind}.`);
  }
}
