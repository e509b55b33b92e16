import { ArchiveProblem, ArchiveReader, MANIFEST, readManifest } from '#archive';
import type { ImportTarget } from './import-target.js';
import type { Imported } from './imported.js';
import { importOwn } from './own/import-own.js';
import { SLACK_USERS, slackArchive } from './slack/translate-slack.js';
import { mattermostArchive, mattermostDocument } from './mattermost/translate-mattermost.js';
import { importTranslated, type TranslatableArchive } from './translated/import-translated.js';

/**
 * Imports an archive into an empty server, or goes on with an import that was interrupted.
 * @throws ArchiveProblem before anything is written; NotACopy for a server that is not empty
 */
export async function importArchive(path: string, target: ImportTarget): Promise<Imported> {
  const archive = await ArchiveReader.open(path);
  try {
    if (archive.has(MANIFEST)) return await importOwn(archive, await readManifest(archive), target);
    const translatable = await translatableArchive(archive, target);
    try {
      return await importTranslated(archive, translatable, target);
    } finally {
      await translatable.close();
    }
  } finally {
    archive.close();
  }
}

/** @throws ArchiveProblem when it is of no known kind */
async function translatableArchive(archive: ArchiveReader, target: ImportTarget): Promise<TranslatableArchive> {
  if (archive.has(SLACK_USERS)) return slackArchive(archive);
  const document = mattermostDocument(archive);
  if (document !== undefined) {
    return mattermostArchive(archive, document, (lines) => {
      target.signal.throwIfAborted();
      target.onProgress('Reading', lines, 0);
    });
  }
  throw new ArchiveProblem('', 'it is of no known kind.');
}
