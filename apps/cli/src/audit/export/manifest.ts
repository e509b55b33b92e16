import { createHash } from 'node:crypto';
import type { Params } from '../../server-request.js';
import { type ExportFolder, MANIFEST } from './export-folder.js';
import type { DamagedLine } from './export-row.js';

/** What a manifest begins with: what the export is, and where in the log it ends. */
export interface ManifestHead {
  readonly format: 'scrollback-audit-export';
  readonly version: 1;
  readonly question: Params;
  readonly formats: readonly string[];
  /** Events as stream and revision, which copies of the log keep; null for the begin of the log, and for no event. */
  readonly log: { readonly from: string | null; readonly to: string | null };
  readonly messages: number;
  /** IDs of files whose contents the server did not have any more. */
  readonly missing_files: readonly number[];
  /** Records of the log that could not be read, and are not in the export; absent for none. */
  readonly damaged_records?: readonly DamagedLine[];
}

/** The manifest of an earlier export; undefined when there is none. @throws Error for a manifest of something else */
export async function readManifest(
  folder: ExportFolder,
): Promise<
  (ManifestHead & { readonly files: readonly { readonly path: string; readonly sha256: string }[] }) | undefined
> {
  const text = await folder.text(MANIFEST);
  if (text === undefined) return undefined;
  const found = JSON.parse(text) as ManifestHead & { files: { path: string; sha256: string }[] };
  if ((found.format as string) !== 'scrollback-audit-export' || (found.version as number) !== 1)
    throw new Error(`${folder.at(MANIFEST)} is not the manifest of such an export.`);
  return found;
}

/** Writes the manifest, with the hash of every file, at last: without one, a folder is not whole. @returns its own hash */
export async function writeManifest(folder: ExportFolder, head: ManifestHead): Promise<string> {
  const hash = createHash('sha256');
  await folder.write(MANIFEST, lines());
  return hash.digest('hex');

  async function* lines(): AsyncGenerator<string, void, void> {
    for await (const text of pieces()) {
      hash.update(text);
      yield text;
    }
  }

  async function* pieces(): AsyncGenerator<string, void, void> {
    yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "files": [`;
    let separator = '\n';
    for await (const name of folder.files()) {
      yield `${separator}    ${JSON.stringify(await folder.digest(name))}`;
      separator = ',\n';
    }
    yield '\n  ]\n}\n';
  }
}
