/** Runs the work with a timeout: the caller gets the error `late`, and the outcome of the abandoned work is ignored. */
export async function within<Result>(limitMs: number, work: () => Promise<Result>, late: () => Error): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), limitMs);
  });
  try {
    return await Promise.race([work(), expiry]);
  } finally {
    clearTimeout(timer);
  }
}
