/** Distance from the end, in pixels, within which the reader follows what is appended. */
const END_PX = 4;
/** Less than this moves no text on any screen. */
const TOLERANCE_PX = 0.5;
/** Rows after the anchor whose places are known, should the anchor itself be removed. */
const SUBSTITUTES_MAX = 40;

interface Place {
  readonly row: Element;
  /** Distance of its top from the top edge of the scroller, in pixels. */
  readonly offset: number;
}

/**
 * Keeps what is read in place while rows around it come, go and grow: the anchor is the first row whose bottom is below the top
 * edge, or a row that was asked for until the reader scrolls. Browsers' own anchoring is off (`overflow-anchor: none`): it is
 * not in every engine, and would correct the same change twice.
 */
export class ScrollAnchor {
  #places: readonly Place[] = [];
  /** As this object has left it. A different value is the reader's doing. */
  #scrollTop = 0;
  #pinned: Element | undefined;
  #isFollowing = false;
  /** Whether the last row is the newest there is. */
  mayFollow = true;
  /** While a finger or its momentum moves the page, engines stop it when a script sets `scrollTop`. */
  #isHeld = false;

  constructor(
    private readonly scroller: HTMLElement,
    /** Its children are the rows. */
    private readonly content: HTMLElement,
  ) {}

  get isAtEnd(): boolean {
    const { scrollHeight, scrollTop, clientHeight } = this.scroller;
    return scrollHeight - scrollTop - clientHeight <= END_PX;
  }

  get isFollowing(): boolean {
    return this.#isFollowing && this.mayFollow;
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Where the reader is: a row, and its distance from the top edge. */
  get place(): Place | undefined {
    return this.#places[0];
  }

  /** Scrolls to the end, and stays there while rows are appended. */
  toEnd(): void {
    this.#pinned = undefined;
    this.#isFollowing = true;
    this.#setScrollTop(this.scroller.scrollHeight);
    this.#capture();
  }

  /** Puts the top of a row at a distance from the top edge, in pixels, and keeps it there until the reader scrolls. */
  pin(row: Element, offset: number): void {
    this.#pinned = row;
    this.#isFollowing = false;
    this.#setScrollTop(this.scroller.scrollTop + this.#offsetOf(row) - offset);
    this.#capture();
  }

  hold(): void {
    this.#isHeld = true;
  }

  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    // The finger has chosen the place; what grew meanwhile has already been seen to grow.
    this.#scrollTop = this.scroller.scrollTop;
    this.#isFollowing = this.isAtEnd;
    this.#capture();
  }

  /** Takes note of how far the reader has scrolled; at each event `scroll`, and before rows change. */
  followReader(): void {
    const moved = this.scroller.scrollTop - this.#scrollTop;
    if (Math.abs(moved) <= TOLERANCE_PX) return;
    this.#pinned = undefined;
    this.#scrollTop = this.scroller.scrollTop;
    if (!this.#isHeld) {
      this.#places = this.#places.map(({ row, offset }) => ({ row, offset: offset - moved }));
      this.#correct();
    }
    this.#isFollowing = this.isAtEnd;
    this.#capture();
  }

  /** Puts the anchor back where it was, after rows or sizes changed. */
  restore(): void {
    if (this.#isHeld) return;
    if (this.isFollowing) this.#setScrollTop(this.scroller.scrollHeight);
    else this.#correct();
    this.#capture();
  }

  #correct(): void {
    const known = this.#places.find(({ row }) => row.parentNode === this.content);
    if (known === undefined) return;
    const error = this.#offsetOf(known.row) - known.offset;
    if (Math.abs(error) > TOLERANCE_PX) this.#setScrollTop(this.scroller.scrollTop + error);
  }

  /**
   * Notes the places of the anchor and of rows behind it. A row that stays the anchor keeps the place that it should have, or
   * what is lost by rounding would add up.
   */
  #capture(): void {
    const { children } = this.content;
    const start = this.#pinned === undefined ? firstBelow(children, this.#top) : indexOf(children, this.#pinned);
    const places: Place[] = [];
    const before = this.#places[0];
    let rounding = 0;
    for (let index = start; index < Math.min(children.length, start + SUBSTITUTES_MAX); index++) {
      const row = children[index];
      if (row === undefined) break;
      const offset = this.#offsetOf(row);
      if (places.length === 0 && before?.row === row && Math.abs(before.offset - offset) <= 1)
        rounding = before.offset - offset;
      places.push({ row, offset: offset + rounding });
    }
    this.#places = places;
  }

  get #top(): number {
    return this.scroller.getBoundingClientRect().top + this.scroller.clientTop;
  }

  #offsetOf(row: Element): number {
    return row.getBoundingClientRect().top - this.#top;
  }

  #setScrollTop(value: number): void {
    this.scroller.scrollTop = value;
    this.#scrollTop = this.scroller.scrollTop;
  }
}

/** Index of the first row whose bottom is below an edge; the number of rows when there is none. */
export function firstBelow(rows: HTMLCollection, edge: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle]?.getBoundingClientRect().bottom ?? Infinity) > edge) high = middle;
    else low = middle + 1;
  }
  return low;
}

function indexOf(rows: HTMLCollection, row: Element): number {
  return Math.max(0, Array.prototype.indexOf.call(rows, row));
}
