import { firstBelow } from './anchor.js';

/** How long the end of a message has to be in view until it counts as read. */
const READ_AFTER_MS = 300;

/** Finds the rows whose bottom was in view for long enough, while the page is visible and has the focus. */
export class SeenRows {
  readonly #since = new Map<Element, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly scroller: HTMLElement,
    private readonly content: HTMLElement,
    private readonly tell: (rows: readonly Element[]) => void,
  ) {}

  /** Looks now, and again when rows that are in view will have been there for long enough. */
  look(): void {
    const nowMs = performance.now();
    const inView = document.visibilityState === 'visible' && document.hasFocus() ? this.#rowsInView() : [];
    const known = new Set(inView);
    for (const row of this.#since.keys()) if (!known.has(row)) this.#since.delete(row);
    for (const row of inView) if (!this.#since.has(row)) this.#since.set(row, nowMs);
    const seen = [...this.#since].filter(([, sinceMs]) => nowMs - sinceMs >= READ_AFTER_MS).map(([row]) => row);
    if (seen.length > 0) this.tell(seen);
    if (this.#timer === undefined && this.#since.size > seen.length)
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        this.look();
      }, READ_AFTER_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #rowsInView(): Element[] {
    const { top, bottom } = this.scroller.getBoundingClientRect();
    const { children } = this.content;
    const rows: Element[] = [];
    for (let index = firstBelow(children, top); index < children.length; index++) {
      const row = children[index];
      // Half a pixel is lost by rounding at the end of the list.
      if (row === undefined || row.getBoundingClientRect().bottom > bottom + 0.5) break;
      rows.push(row);
    }
    return rows;
  }
}
