import type { EventStore, RecordedEvent, StreamPage } from '#event-store';
import type { AnswerLog } from './log/answer-log.js';

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

/** Events of a stream from a revision on, page by page, up to another one. */
export async function* eventsOf<Data = unknown>(
  store: Pick<AnswerLog, 'readStream'>,
  stream: string,
  pageLength: number,
  first = 0,
  last = Infinity,
): AsyncGenerator<RecordedEvent<Data>, void, void> {
  for (let from = first; from <= last;) {
    const limit = Math.min(pageLength, last - from + 1);
    const page = (await store.readStream(stream, { from, limit, through: last })) as readonly RecordedEvent<Data>[];
    yield* page;
    const end = page.at(-1);
    if (end === undefined || page.length < limit) return;
    from = end.revision + 1;
  }
}
