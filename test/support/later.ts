/** A clock of the server, which is in this process, that is set ahead; `stop` sets it right. */
export interface MovedClock {
  readonly goOn: (seconds: number) => void;
  readonly stop: () => void;
}

export function moveClock(): MovedClock {
  const { now } = Date;
  let aheadMs = 0;
  Date.now = () => now() + aheadMs;
  return { goOn: (seconds) => void (aheadMs += seconds * 1000), stop: () => void (Date.now = now) };
}

/** Runs the work while the clock of the server, which is in this process, is ahead. */
export function later<Result>(seconds: number, work: () => Promise<Result>): Promise<Result> {
  const { now } = Date;
  return withClock(() => now() + seconds * 1000, work);
}

/** Runs the work while the clock of the server, which is in this process, stands still. @param seconds since the epoch */
export function standingAt<Result>(seconds: number, work: () => Promise<Result>): Promise<Result> {
  return withClock(() => seconds * 1000, work);
}

/** Without a spy of Jest, which Jest would take back once more at the end of the spec: to a clock that is moved. */
async function withClock<Result>(clock: () => number, work: () => Promise<Result>): Promise<Result> {
  const { now } = Date;
  Date.now = clock;
  try {
    return await work();
  } finally {
    Date.now = now;
  }
}
