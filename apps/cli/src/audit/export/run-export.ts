import { isDeepStrictEqual } from 'node:util';
import { type AuditAccess, SinceDamaged } from '../audit-client.js';
import { type BarTerminal, ProgressBar } from '../../progress-bar.js';
import { type Asked, download } from './download.js';
import type { DamagedLine } from './export-row.js';
import { ExportFolder } from './export-folder.js';
import { fetchFiles } from './fetch-files.js';
import { merge, MESSAGES, namesDiffer, writeRest } from './merge.js';
import { type ManifestHead, readManifest, writeManifest } from './manifest.js';
import { writeFormats } from './formats/write-formats.js';

export interface ExportParts {
  readonly access: AuditAccess;
  readonly asked: Asked;
  readonly reason: string;
  /** Path of the folder. */
  readonly to: string;
  readonly terminal: BarTerminal;
}

/** What an export has come to. */
export interface Outcome {
  readonly messages: number;
  /** Messages that were received this time. */
  readonly received: number;
  readonly missingFiles: readonly number[];
  /** Those of them that nobody has removed. */
  readonly lostFiles: readonly number[];
  /** Records of the log that the export lacks. */
  readonly damaged: readonly DamagedLine[];
  readonly manifestHash: string;
}

/**
 * Exports into a new folder, goes on with one that was broken off, or brings an earlier one up to date. Whichever it is, the folder is that of an
 * export that was made at once.
 * @throws Error for a folder of another question, and for one whose lines were changed
 */
export async function runExport({ access, asked, reason, to, terminal }: ExportParts): Promise<Outcome> {
  const folder = await ExportFolder.open(to);
  try {
    const earlier = await readManifest(folder);
    if (earlier !== undefined) await assertSame(folder, earlier, asked);
    const bar = new ProgressBar(terminal, 'Receiving', 'messages');
    let count = 0;
    // What was damaged may be whole again, and is no change: everything is asked for again.
    let since = earlier?.damaged_records === undefined ? (earlier?.log.to ?? undefined) : undefined;
    const receive = (): Promise<void> =>
      download(folder, access, asked, since, reason, (id, lastId) => {
        count++;
        bar.show(id, lastId);
      });
    try {
      await receive();
    } catch (error) {
      if (!(error instanceof SinceDamaged)) throw error;
      since = undefined;
      await receive();
    }
    bar.end(count);
    const merged = await merge(folder);
    const files = new ProgressBar(terminal, 'Fetching', 'files');
    const missingFiles = await fetchFiles(folder, access, merged.files, reason, (done, all) => files.show(done, all));
    files.end(merged.files.size);
    const isThereAgain = earlier?.missing_files.some((id) => !missingFiles.includes(id)) === true;
    await writeFormats(folder, asked.formats, merged, isThereAgain || (await namesDiffer(folder, merged)));
    await writeRest(folder, merged);
    const manifestHash = await writeManifest(folder, {
      format: 'scrollback-audit-export',
      version: 1,
      question: asked.question,
      formats: asked.formats,
      log: { from: null, to: merged.last ?? since ?? null },
      messages: merged.messages,
      missing_files: missingFiles,
      ...(merged.damaged.length > 0 && { damaged_records: merged.damaged }),
    });
    folder.finish();
    const lostFiles = missingFiles.filter((id) => merged.files.get(id)?.removed === undefined);
    const { messages, changed, damaged } = merged;
    return { messages, received: changed.size, missingFiles, lostFiles, damaged, manifestHash };
  } finally {
    folder.release();
  }
}

async function assertSame(
  folder: ExportFolder,
  earlier: NonNullable<Awaited<ReturnType<typeof readManifest>>>,
  { question, formats }: Asked,
): Promise<void> {
  const asked = JSON.parse(JSON.stringify({ question, formats })) as Pick<ManifestHead, 'question' | 'formats'>;
  if (!isDeepStrictEqual(asked, { question: earlier.question, formats: earlier.formats }))
    throw new Error(
      `${folder.path} has the answer to another question: ${JSON.stringify(earlier.question)}, as ${earlier.formats.join(',')}.`,
    );
  if (folder.isBegun) return;
  const known = earlier.files.find(({ path }) => path === MESSAGES)?.sha256;
  if (!folder.has(MESSAGES) || (await folder.digest(MESSAGES)).sha256 !== known)
    throw new Error(`${folder.at(MESSAGES)} is not what the manifest says. Export into a new folder.`);
}
