/** The limit of a real node, by its own estimate of an entry's size. */
const MEMORY_LIMIT_BYTES = 8 << 20;
const ENTRY_BYTES = 28;

/**
 * Memory by which a node recognises a retry without a revision. It drops the oldest ids when full, and all of them when
 * it stops.
 */
export class RememberedIds {
  readonly #entries = new Map<string, { stream: string; revision: number }>();
  #bytes = 0;

  remember(id: string, stream: string, revision: number): void {
    this.#forget(id);
    this.#entries.set(id, { stream, revision });
    this.#bytes += ENTRY_BYTES + 2 * stream.length;
    while (this.#bytes > MEMORY_LIMIT_BYTES) {
      for (const oldest of this.#entries.keys()) {
        this.#forget(oldest);
        break;
      }
    }
  }

  /** The revision at which this id was last written to this stream. */
  revisionOf(id: string, stream: string): number | undefined {
    const entry = this.#entries.get(id);
    return entry?.stream === stream ? entry.revision : undefined;
  }

  #forget(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    this.#entries.delete(id);
    this.#bytes -= ENTRY_BYTES + 2 * entry.stream.length;
  }
}
