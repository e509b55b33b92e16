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
export async function later<Result>(seconds: number, work: () => Promise<Result>): Promise<Result> {
  const { now } = Date;
  const ahead = jest.spyOn(Date, 'now').mockImplementation(() => now() + seconds * 1000);
  try {
    return await work();
  } finally {
    ahead.mockRestore();
  }
}

/** Runs the work while the clock of the server, which is in this process, stands still. @param seconds since the epoch */
export async function standingAt<Result>(seconds: number, work: () => Promise<Result>): Promise<Result> {
  const clock = jest.spyOn(Date, 'now').mockReturnValue(seconds * 1000);
  return work().finally(() => clock.mockRestore());
}
