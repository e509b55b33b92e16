import { createHash } from 'node:crypto';
import type { ArchiveReader } from '#archive';
import type { RecordedEvent } from '#event-store';
import { copyInto, importedBefore } from '../copy-into.js';
import type { Imported } from '../imported.js';
import type { ImportTarget } from '../import-target.js';
import { type ArchiveFiles, CheckedFiles, StoredFiles } from './archive-files.js';
import { EventSequence } from './event-sequence.js';
import { Translation } from './translation.js';

const PAGE_EVENTS = 500;

/** An archive of another system that is ready to be translated. */
export interface TranslatableArchive {
  /** Translates all of it; yields now and then, so that events need not be kept. Called twice. */
  translate(to: Translation): AsyncIterable<unknown>;
  /** Removes what was prepared. */
  close(): Promise<void>;
}

/**
 * Imports an archive of another system. It is translated twice: first without writing anything, so that what is wrong is found
 * before, and then into the log. The same archive gives the same events, so an interrupted import goes on when it is run again.
 * @throws ArchiveProblem, NotACopy
 */
export async function importTranslated(
  archive: ArchiveReader,
  translatable: TranslatableArchive,
  target: ImportTarget,
): Promise<Imported> {
  const seed = createHash('sha256').update(JSON.stringify(archive.entries())).digest('hex');
  const sequence = (): EventSequence => new EventSequence(seed, target.newDirectory());
  const checked = new TranslatedLog(translatable, new CheckedFiles(archive), sequence(), true);
  let events = 0;
  for await (const page of checked.readAll()) {
    target.signal.throwIfAborted();
    for (const { type, data } of page) target.registry.check(type, data);
    target.onProgress('Checking', (events += page.length), 0);
  }
  const log = new TranslatedLog(
    translatable,
    new StoredFiles(archive, target.blobs, target.uploads),
    sequence(),
    false,
  );
  if (!(await copyInto(log, target, events))) return importedBefore(target);
  const { messages, notes } = log.translation;
  await target.giveOwnerAccess(log.translation.sequence.directory);
  return {
    events,
    messages,
    notes: [...notes.sentences(), 'All messages count as read, and nobody has a password yet.'],
  };
}

/** The events of a translation, as a source of `copyLog`. */
class TranslatedLog {
  readonly translation: Translation;

  constructor(
    private readonly translatable: TranslatableArchive,
    files: ArchiveFiles,
    sequence: EventSequence,
    isDraft: boolean,
  ) {
    this.translation = new Translation(sequence, files, isDraft);
  }

  async *readAll(): AsyncGenerator<readonly RecordedEvent[], void, void> {
    const { sequence } = this.translation;
    for await (const _ of this.translatable.translate(this.translation))
      if (sequence.pending >= PAGE_EVENTS) yield sequence.take();
    this.translation.end();
    yield sequence.take();
  }
}
