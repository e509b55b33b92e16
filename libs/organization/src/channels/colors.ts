/** Colours of subscriptions, in the order in which they are assigned. */
const PALETTE = [
  '#76ce90', '#fae589', '#a6c7e5', '#e79ab5', '#bfd56f', '#f4ae55', '#b0a5fd', '#addfe5',
  '#f5ce6e', '#c2726a', '#94c849', '#bd86e5', '#ee7e4a', '#a6dcbf', '#95a5fd', '#53a063',
  '#9987e1', '#e4523d', '#c2c2c2', '#4f8de4', '#c6a8ad', '#e7cc4d', '#c8bebf', '#a47462',
] as const; // prettier-ignore

/**
 * Colours for one user's new subscriptions: the first that the user does not use yet; when all are in use, one derived
 * from the channel's ID. The cost of each does not grow with their number.
 */
export class UserColors {
  readonly #used: Set<string>;
  /** Colours of the palette before this one are in use. */
  #next = 0;

  constructor(used: Iterable<string> = []) {
    this.#used = new Set(used);
  }

  /** @param wish chosen by the client */
  pick(channelId: number, wish?: string): string {
    const color = wish ?? this.#free() ?? PALETTE[channelId % PALETTE.length] ?? PALETTE[0];
    this.#used.add(color);
    return color;
  }

  #free(): string | undefined {
    while (this.#used.has(PALETTE[this.#next] ?? '')) this.#next++;
    return PALETTE[this.#next];
  }
}
