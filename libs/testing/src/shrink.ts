/** What a search for a shorter failing list may cost. */
export interface ShrinkLimits {
  readonly withinMs: number;
  /** Attempts that a list must pass before it counts as one that does not fail: a failure may depend on the moment. */
  readonly attempts: number;
}

/**
 * The shortest list that is found by taking parts out of a failing one, large parts first, as long as it fails.
 * @param fails whether a list fails; is called for lists that are shorter than the given one
 */
export async function shrunk<T>(
  failing: readonly T[],
  fails: (items: readonly T[]) => Promise<boolean>,
  { withinMs, attempts }: ShrinkLimits,
): Promise<readonly T[]> {
  const endMs = performance.now() + withinMs;
  const everFails = async (items: readonly T[]): Promise<boolean> => {
    for (let attempt = 0; attempt < attempts && performance.now() < endMs; attempt++)
      if (await fails(items)) return true;
    return false;
  };
  let shortest = failing;
  let size = Math.ceil(failing.length / 2);
  while (size > 0 && performance.now() < endMs) {
    const before = shortest.length;
    for (let from = 0; from < shortest.length;) {
      const without = [...shortest.slice(0, from), ...shortest.slice(from + size)];
      if (await everFails(without)) shortest = without;
      else from += size;
    }
    // What could not be taken out may be when something else is gone.
    if (size > 1 || shortest.length === before) size = size === 1 ? 0 : Math.ceil(size / 2);
  }
  return shortest;
}
