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

/** Events of a stream from a revision on, page by page. */
export async function* eventsOf<Data = unknown>(
  store: Pick<EventStore, 'readStream'>,
  stream: string,
  pageLength: number,
  first = 0,
): AsyncGenerator<RecordedEvent<Data>, void, void> {
  for (let from = first; ;) {
    const page = (await store.readStream(stream, { from, limit: pageLength })) as readonly RecordedEvent<Data>[];
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < pageLength) return;
    from = last.revision + 1;
  }
}
