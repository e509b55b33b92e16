import { ArchiveProblem, type ArchiveReader, type Manifest, parsedFileEntry } from '#archive';
import { copyInto, importedBefore } from '../copy-into.js';
import type { Imported } from '../imported.js';
import type { ImportTarget } from '../import-target.js';
import { ArchivedLog } from './archived-log.js';

/**
 * Imports an archive of everything: its log is the log of the new server, so that IDs and history stay. The whole archive is
 * checked before anything is written; an interrupted import goes on when it is run again.
 * @throws ArchiveProblem, NotACopy
 */
export async function importOwn(archive: ArchiveReader, manifest: Manifest, target: ImportTarget): Promise<Imported> {
  if (manifest.kind !== 'whole')
    throw new ArchiveProblem(
      'manifest.json',
      `an archive of kind ${manifest.kind} holds only what its readers may see, and no log. Import one that \`scrollback export\` wrote.`,
    );
  for (const { name, sha256 } of manifest.entries) {
    target.signal.throwIfAborted();
    const file = parsedFileEntry(name);
    const { hash } = await archive.digest(name);
    if (hash !== sha256 || (file !== undefined && hash !== file.hash))
      throw new ArchiveProblem(name, 'its content was changed.');
  }
  const log = new ArchivedLog(archive, manifest, target);
  const { directory, events } = await log.check((count) => {
    target.signal.throwIfAborted();
    target.onProgress('Checking', count, 0);
  });
  await copyFiles(archive, manifest, target);
  if (!(await copyInto(log, target, events))) return importedBefore(target);
  await target.giveOwnerAccess(directory);
  return { events, messages: directory.lastMessageId, notes: notesOf(directory.users()) };
}

/** Content comes before the events that name it. */
async function copyFiles(
  archive: ArchiveReader,
  { entries }: Manifest,
  { blobs, ...target }: ImportTarget,
): Promise<void> {
  const files = entries.flatMap(({ name }) => {
    const file = parsedFileEntry(name);
    return file === undefined ? [] : [{ name, ...file }];
  });
  for (const [index, { name, space, hash }] of files.entries()) {
    target.signal.throwIfAborted();
    const there = blobs.space(space);
    if ((await there.stat(hash)) === undefined) await there.put(archive.content(name));
    target.onProgress('Copying', index + 1, files.length);
  }
}

function notesOf(users: Iterable<{ readonly botType: number | null; readonly isActive: boolean }>): string[] {
  let people = 0;
  for (const { botType, isActive } of users) if (botType === null && isActive) people++;
  return [
    `Passwords and API keys are in no archive: ${people} people set a new password, by e-mail or by an owner.`,
    'Archives of earlier exports, outgoing mail and devices for notifications stay at the old server.',
  ];
}
