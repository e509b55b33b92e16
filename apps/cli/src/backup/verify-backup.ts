import { FILE_SPACES } from '#archive';
import { AS_STORED, type RecordedEvent } from '#event-store';
import { scrollback } from '#runtime';
import { ExpectedContents, hashIn, lookAtStored, ofLaterReleases } from '../contents.js';
import { verify } from '../verify.js';
import { filesOf, secretOf } from './backup-folder.js';
import { BackupLog, contentOf } from './log-parts.js';
import { BackupProblem, type Manifest, readManifest } from './manifest.js';

export interface VerifiedBackup {
  readonly events: number;
  readonly position: number;
  /** Files that are as they were uploaded. */
  readonly files: number;
  /** When log and files were last complete. */
  readonly complete_at: string | null;
  /** What is damaged or missing: parts, secrets and files. */
  readonly wrong: number;
}

/** Of a backup whose first run was killed or had no room: what is there is sound, and is not the whole log. */
const NEVER_ENDED = 'No backup into this folder has ended yet. Run `backup` again: it goes on.';

/**
 * Reads everything in a backup, and names all that is damaged or missing.
 * @param complain is called with a sentence for each
 * @throws BackupProblem when the manifest itself is
 */
export async function verifyBackup(folder: string, complain: (line: string) => void): Promise<VerifiedBackup> {
  const manifest = await readManifest(folder);
  const problems = await problemsIn(folder, manifest);
  const expected = new ExpectedContents(scrollback.features.contents);
  // Content is told to be missing by the whole log alone: a later event may have let go of it.
  const isWhole = problems.length === 0;
  if (isWhole)
    problems.push(
      ...(await gapsIn(new BackupLog(folder, manifest), (event) => {
        lookAtStored(event, expected);
      })),
    );
  const unknown = ofLaterReleases(expected);
  if (unknown !== undefined) problems.push(unknown);
  const { events, position, complete_at } = manifest;
  if (complete_at === null) problems.push(NEVER_ENDED);
  for (const problem of problems) complain(problem);
  const { right, wrong } = await verifyFiles(folder, expected, complain);
  return { events, position, files: right, complete_at, wrong: problems.length + wrong };
}

/** Every part and secret that is missing or was changed. */
export async function problemsIn(folder: string, manifest: Manifest): Promise<string[]> {
  const problems: string[] = [];
  const look = async (read: () => Promise<unknown>): Promise<void> => {
    try {
      await read();
    } catch (error) {
      if (!(error instanceof BackupProblem)) throw error;
      problems.push(error.message);
    }
  };
  for (const part of manifest.parts) await look(() => contentOf(folder, part));
  for (const secret of manifest.secrets) await look(() => secretOf(folder, secret));
  return problems;
}

/** Reads the whole log. @returns a sentence for each event that is missing in its stream */
export async function gapsIn(log: BackupLog, look: (event: RecordedEvent) => void): Promise<string[]> {
  const gaps: string[] = [];
  await verify({
    store: log,
    file: undefined,
    registry: AS_STORED,
    look,
    onDamage: ({ position, stream = '', reason }) => {
      gaps.push(`The event at position ${position}, of ${stream}: ${reason}.`);
    },
  });
  return gaps;
}

/** Also looks at content that nothing names any more at the end of the log: an earlier position may need it. */
async function verifyFiles(
  folder: string,
  expected: ExpectedContents,
  complain: (line: string) => void,
): Promise<{ readonly right: number; readonly wrong: number }> {
  const files = filesOf(folder);
  const missing = new Set([...expected.all()].map(({ space, hash }) => `${space}/${hash}`));
  let [right, wrong] = [0, 0];
  for (const space of files === undefined ? [] : FILE_SPACES)
    for await (const { hash } of files?.space(space).list() ?? []) {
      missing.delete(`${space}/${hash}`);
      if (files !== undefined && (await hashIn(files, space, hash)) === hash) right++;
      else {
        wrong++;
        complain(`The content ${space}/${hash} is not what was uploaded.`);
      }
    }
  for (const content of missing) complain(`The content ${content} is missing.`);
  return { right, wrong: wrong + missing.size };
}
