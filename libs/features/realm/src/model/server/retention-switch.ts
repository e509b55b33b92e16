/** Whether the operator lets the server remove messages whose time is over (settings `RETENTION` and `QUIET`). */
export class RetentionSwitch {
  /** @param whyOff undefined when it is on */
  constructor(readonly whyOff?: string) {}

  static of(isOn: boolean, isQuiet: boolean): RetentionSwitch {
    if (!isOn) return new RetentionSwitch(OFF);
    return new RetentionSwitch(isQuiet ? QUIET : undefined);
  }

  get isOn(): boolean {
    return this.whyOff === undefined;
  }

  /** Says that nothing acts on a number of days that is being set, while that is so. */
  tell(days: unknown, ignores: (parameter: string) => void): void {
    if (!this.isOn && typeof days === 'number' && days > 0) ignores('message_retention_days');
  }
}

const OFF = 'message_retention_days removes nothing: the operator has not set RETENTION=on.';
const QUIET = 'message_retention_days removes nothing while the server is quiet (QUIET or READ_ONLY).';
