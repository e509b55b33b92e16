import type { EventStore, RecordedEvent, StreamPage } from '#event-store';

/** Pages of several streams in the order of the list, in as many answers as it takes: none is left out. */
export async function* readAllPages(
  store: Pick<EventStore, 'readPages'>,
  pages: readonly StreamPage[],
): AsyncGenerator<readonly (readonly RecordedEvent[])[], void, void> {
  for (let next = 0; next < pages.length;) {
    const read = await store.readPages(pages.slice(next));
    yield read;
    next += read.length;
  }
}
