import { ArchiveProblem, type ArchiveReader, type Manifest } from '#archive';
import type { EventStore, RecordedEvent } from '#event-store';
import type { Directory } from '#people';
import type { ImportTarget } from '../import-target.js';
import { ArchivedEventReader } from './archived-event.js';

/** Events in a page: as many as are held in memory. */
const PAGE_EVENTS = 500;
const LOG = /^log\/\d{6}\.jsonl$/;

/** The log in an archive of everything, as a source of `copyLog`. */
export class ArchivedLog implements Pick<EventStore, 'readAll'> {
  private readonly entries: readonly string[];

  constructor(
    private readonly archive: ArchiveReader,
    { entries }: Pick<Manifest, 'entries'>,
    private readonly target: Pick<ImportTarget, 'registry' | 'newDirectory'>,
  ) {
    this.entries = entries.map(({ name }) => name).filter((name) => LOG.test(name));
  }

  async *readAll(): AsyncGenerator<readonly RecordedEvent[], void, void> {
    const reader = new ArchivedEventReader(this.target.registry);
    let page: RecordedEvent[] = [];
    for (const entry of this.entries) {
      for await (const line of this.archive.lines(entry)) {
        page.push(reader.read(entry, line));
        if (page.length < PAGE_EVENTS) continue;
        yield page;
        page = [];
      }
    }
    if (page.length > 0) yield page;
  }

  /**
   * Reads the log once without writing anything.
   * @returns the organization that it tells of, and the number of events
   * @throws ArchiveProblem when events are malformed, missing, or contradict each other
   */
  async check(
    onProgress: (events: number) => void,
  ): Promise<{ readonly directory: Directory; readonly events: number }> {
    const directory = this.target.newDirectory();
    const reader = new ArchivedEventReader(this.target.registry);
    // One entry per stream, as in `scrollback verify`.
    const next = new Map<string, number>();
    let events = 0;
    for (const entry of this.entries) {
      for await (const line of this.archive.lines(entry)) {
        const event = reader.read(entry, line);
        const { stream, revision } = event;
        const expected = next.get(stream) ?? 0;
        if (revision !== expected)
          throw new ArchiveProblem(
            entry,
            `line ${line.number}: ${stream} goes on with ${revision} instead of ${expected}.`,
          );
        next.set(stream, expected + 1);
        apply(directory, event, `line ${line.number}`, entry);
        events++;
      }
      onProgress(events);
    }
    if (!directory.exists) throw new ArchiveProblem('', 'its log has no organization.');
    return { directory, events };
  }
}

function apply(directory: Directory, event: RecordedEvent, place: string, entry: string): void {
  try {
    directory.apply(event);
  } catch (error) {
    throw new ArchiveProblem(entry, `${place}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
