/** Source of time. Deciders never use it: handlers read it once and put the time into the command. */
export abstract class Clock {
  /** Milliseconds since the epoch. */
  abstract nowMs(): number;

  /** Whole seconds since the epoch, the unit of every timestamp on the wire. */
  nowSeconds(): number {
    return Math.floor(this.nowMs() / 1000);
  }
}

export class SystemClock extends Clock {
  nowMs(): number {
    return Date.now();
  }
}
