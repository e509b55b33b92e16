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
