/** Colours of subscriptions, in the order in which they are assigned. */
const PALETTE = [
  '#76ce90', '#fae589', '#a6c7e5', '#e79ab5', '#bfd56f', '#f4ae55', '#b0a5fd', '#addfe5',
  '#f5ce6e', '#c2726a', '#94c849', '#bd86e5', '#ee7e4a', '#a6dcbf', '#95a5fd', '#53a063',
  '#9987e1', '#e4523d', '#c2c2c2', '#4f8de4', '#c6a8ad', '#e7cc4d', '#c8bebf', '#a47462',
] as const; // prettier-ignore
/** One bit for each colour of the palette. */
const BITS: ReadonlyMap<string, number> = new Map(PALETTE.map((color, index) => [color, 1 << index]));
const ALL = (1 << PALETTE.length) - 1;

/**
 * Colours for one user's new subscriptions: the first that the user does not use yet; when all are in use, one derived
 * from the channel's ID. The cost of each does not grow with their number.
 */
export class UserColors {
  /** Bits of the colours that the user uses; a number, since a request may name thousands of users. */
  #used = 0;
  /** Colours of the palette before this one are in use. */
  #next = 0;

  constructor(subscriptions: Iterable<{ readonly color: string }> = []) {
    for (const { color } of subscriptions) {
      this.#use(color);
      // A user may have thousands of subscriptions.
      if (this.#used === ALL) return;
    }
  }

  /** @param wish chosen by the client */
  pick(channelId: number, wish?: string): string {
    const color = wish ?? this.#free() ?? PALETTE[channelId % PALETTE.length] ?? PALETTE[0];
    this.#use(color);
    return color;
  }

  #free(): string | undefined {
    while ((this.#used & (1 << this.#next)) !== 0) this.#next++;
    return PALETTE[this.#next];
  }

  #use(color: string): void {
    this.#used |= BITS.get(color) ?? 0;
  }
}
