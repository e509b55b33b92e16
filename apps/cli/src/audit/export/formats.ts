import type { ExportFolder } from './export-folder.js';
import type { Merged } from './merge.js';

/** Names of the formats. The lines are always written: others are made from them. */
export const FORMATS = ['jsonl'] as const;

/** @param isAllNew the names of users or channels have changed, so that what has not changed is written again */
export async function writeFormats(
  _folder: ExportFolder,
  _formats: readonly string[],
  _merged: Merged,
  _isAllNew: boolean,
): Promise<void> {
  // Nothing yet.
}
