/** The services that the server calls. */
export const OUTSIDE = 'outside';

/**
 * What was said in a session, step by step. What a step brings about comes at different moments, so it stands in order of the receivers.
 */
export class Journal {
  #lines = [];
  #told = new Map();

  /** Begins a step by these lines. */
  step(...lines) {
    this.#close();
    this.#lines.push('', ...lines);
  }

  /** Somebody was told something in this step. */
  tell(receiver, text) {
    this.#told.set(receiver, [...(this.#told.get(receiver) ?? []), text]);
  }

  get text() {
    this.#close();
    return this.#lines.join('\n');
  }

  #close() {
    for (const receiver of [...this.#told.keys()].sort()) {
      const texts = this.#told.get(receiver) ?? [];
      // Services are called side by side; a client is told one thing after the other.
      if (receiver === OUTSIDE) texts.sort();
      this.#lines.push(...texts.map((text) => `  ${receiver} <- ${text}`));
    }
    this.#told.clear();
  }
}
