import type { StreamPage } from '../event-store.js';

/** A read that continues over so many events that nobody asked for costs less than another read. */
const GAP_MAX = 16;
/** Events of one read: with those beside it, fifty megabytes of the longest messages. */
const RUN_MAX = 64;

/** Pages of a stream that are read as one. */
export interface PageRun extends StreamPage {
  readonly pages: readonly StreamPage[];
}

/** Runs that cover all of the pages, in their order: those that follow one another closely are in one. */
export function runsOf(pages: readonly StreamPage[]): readonly PageRun[] {
  const runs: (StreamPage & { readonly pages: StreamPage[] })[] = [];
  for (const page of pages) {
    const run = runs.at(-1);
    const limit = run === undefined ? Infinity : page.from + page.limit - run.from;
    const gap = run === undefined ? Infinity : page.from - run.from - run.limit;
    if (run?.stream === page.stream && 0 <= gap && gap <= GAP_MAX && limit <= RUN_MAX)
      runs[runs.length - 1] = { ...run, limit, pages: [...run.pages, page] };
    else runs.push({ ...page, pages: [page] });
  }
  return runs;
}
