/** Runs `work` over the items in batches of `limit`, side by side within a batch. Stops after a batch in which one fails. */
export async function forEachInBatches<Item>(
  limit: number,
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  for (let done = 0; done < items.length; done += limit) await Promise.all(items.slice(done, done + limit).map(work));
}
