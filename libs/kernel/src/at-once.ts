/** Does the work for each item, for so many at the same time. Those that follow one that fails are not begun. */
export async function atOnce<Item>(
  limit: number,
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  for (let done = 0; done < items.length; done += limit) await Promise.all(items.slice(done, done + limit).map(work));
}
