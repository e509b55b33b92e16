const WIDTH = 30;
/** Often enough to look alive, rarely enough to cost nothing. */
const DRAWN_EVERY_MS = 200;
/** Into a file, or a terminal that cannot go back in a line. */
const TOLD_EVERY_MS = 10_000;

/** Where a bar is drawn. */
export interface BarTerminal {
  /** Writes a line to the standard error stream. */
  tell(line: string): void;
  /** Replaces the last line of a terminal; absent where there is none. */
  redraw?(line: string): void;
}

/** Shows how far a long command has come. */
export class ProgressBar {
  readonly #startedMs: number;
  #drawnMs = -Infinity;

  /** @param unit what is counted, such as `messages` */
  constructor(
    private readonly terminal: BarTerminal,
    private readonly what: string,
    private readonly unit: string,
    private readonly nowMs: () => number = () => performance.now(),
  ) {
    this.#startedMs = nowMs();
  }

  /** @param total about so many; 0 when unknown */
  show(done: number, total: number): void {
    const now = this.nowMs();
    const { terminal } = this;
    const canRedraw = terminal.redraw !== undefined;
    if (now - this.#drawnMs < (canRedraw ? DRAWN_EVERY_MS : TOLD_EVERY_MS)) return;
    this.#drawnMs = now;
    if (canRedraw) terminal.redraw?.(this.#line(done, total));
    else terminal.tell(this.#line(done, total));
  }

  /** Draws the last state, which stays. */
  end(done: number): void {
    this.terminal.redraw?.('');
    this.terminal.tell(this.#line(done, done));
  }

  #line(done: number, total: number): string {
    const share = total === 0 ? 0 : Math.min(done / total, 1);
    const filled = Math.round(share * WIDTH);
    const bar = `[${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}]`;
    const seconds = Math.max((this.nowMs() - this.#startedMs) / 1000, 0.001);
    const percent = `${Math.floor(share * 100)} %`.padStart(5);
    return `${this.what} ${bar} ${percent}  ${grouped(done)} ${this.unit}, ${grouped(Math.round(done / seconds))}/s`;
  }
}

function grouped(count: number): string {
  return count.toLocaleString('en');
}
