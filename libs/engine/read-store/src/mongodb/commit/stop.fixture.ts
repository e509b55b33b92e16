/** Holds whoever comes to it, until it is opened. */
export class Stop {
  readonly reached: Promise<void>;
  #reach: () => void = () => undefined;
  #open: () => void = () => undefined;
  readonly #opened: Promise<void>;

  constructor() {
    this.reached = new Promise((resolve) => (this.#reach = resolve));
    this.#opened = new Promise((resolve) => (this.#open = resolve));
  }

  pass(): Promise<void> {
    this.#reach();
    return this.#opened;
  }

  open(): void {
    this.#open();
  }
}
