/**
 * Runs `work` over the items in batches of `limit`, side by side within a batch. Stops after a batch in which one fails, and
 * rejects with the first failure once the whole batch has settled: nothing goes on behind the caller's back.
 */
export async function forEachInBatches<Item>(
  limit: number,
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  for (let done = 0; done < items.length; done += limit) {
    const batch = items.slice(done, done + limit).map(async (item) => work(item));
    const failed = (await Promise.allSettled(batch)).find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }
}
