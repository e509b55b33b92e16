import { isUpTo, type Moment } from '#audit';
import type { BlobStore } from '#blob-store';
import { copyLog, type EventStore, type RecordedEvent } from '#event-store';
import { scrollback } from '#runtime';
import { ExpectedContents, lookAtStored, ofLaterReleases } from '../contents.js';
import { copyContent } from '../copy-files.js';
import { telling } from '../until-interrupted.js';
import { filesOf, secretOf } from './backup-folder.js';
import { writeDurably } from './durable-file.js';
import { BackupLog } from './log-parts.js';
import { type Manifest, readManifest } from './manifest.js';
import { RestoreTarget } from './restore-target.js';
import { gapsIn, problemsIn } from './verify-backup.js';

/** Appends that wait for the disk together in a file, which keeps their order. */
const IN_FLIGHT_MAX = 2_000;

export interface RestoreParts {
  readonly folder: string;
  readonly to: Moment;
  readonly dataDir: string;
  /** Address of the log to make. */
  readonly address: string;
  readonly blobs: () => BlobStore;
  readonly signal: AbortSignal;
  readonly tell: (line: string) => void;
}

export interface Restored {
  readonly events: number;
  /** Of the last event, in the log that was backed up, and when it was recorded; null for none. */
  readonly position: number;
  readonly recorded_at: string | null;
  readonly files: number;
  /** Files that were deleted before they were backed up: messages remain, without them. */
  readonly deleted: number;
  /** Files that should be in the backup. */
  readonly missing: number;
}

/**
 * Makes a log of a backup, up to a moment, with its files and secrets, where there is nothing yet. All of the backup is checked
 * before anything is written.
 * @throws Error when there is something in the place already; BackupProblem; errors of the stores
 */
export async function restore(parts: RestoreParts): Promise<Restored> {
  const { folder, to, dataDir, address, signal, tell } = parts;
  const manifest = await readManifest(folder);
  assertReaches(manifest, to);
  const problems = await problemsIn(folder, manifest);
  for (const problem of problems) tell(problem);
  if (problems.length > 0) throw new Error('The backup is damaged. Nothing was restored.');
  const plan = await planOf(folder, manifest, to, tell);
  const target = await RestoreTarget.prepare({
    dataDir,
    address,
    backup: `${manifest.parts.at(-1)?.chain ?? ''} ${plan.position}`,
  });
  const { files, missing, deleted } = await restoreFiles(plan, folder, parts);
  for (const secret of manifest.secrets)
    await writeSecret(target.secretPath(secret.name), await secretOf(folder, secret), tell);
  await target.fill(async (store, keepsOrder) => {
    let copied = 0;
    await telling(
      () => {
        tell(`${copied} of ${plan.events} events restored`);
      },
      () =>
        copyLog(upTo(new BackupLog(folder, manifest), plan.position), store, {
          signal,
          inFlightMax: keepsOrder ? IN_FLIGHT_MAX : 1,
          onProgress: (progress) => (copied = progress.found + progress.copied),
        }),
    );
    if (keepsOrder && manifest.log === 'file' && (await store.head()) !== plan.position)
      throw new Error(`The restored log ends at ${await store.head()} instead of ${plan.position}.`);
  });
  const { events, position, recordedAt } = plan;
  return { events, position, recorded_at: recordedAt, files, deleted, missing };
}

interface Plan {
  readonly events: number;
  readonly position: number;
  readonly recordedAt: string | null;
  /** What the log names at the moment, and at its end. */
  readonly expected: ExpectedContents;
  readonly atEnd: ExpectedContents;
}

/** Reads the whole log in the backup. */
async function planOf(folder: string, manifest: Manifest, to: Moment, tell: (line: string) => void): Promise<Plan> {
  const expected = new ExpectedContents(scrollback.features.contents);
  /** Begun where the moment is. */
  let atEnd: ExpectedContents | undefined;
  let last: RecordedEvent | undefined;
  let events = 0;
  const gaps = await gapsIn(new BackupLog(folder, manifest), (event) => {
    const { position, recordedAtMs } = event;
    // A clock that was set back makes no gap: the first event after the moment ends it.
    if (atEnd === undefined && !isUpTo(to, { at: Math.floor(recordedAtMs / 1000), position })) atEnd = expected.copy();
    lookAtStored(event, atEnd ?? expected);
    if (atEnd !== undefined) return;
    last = event;
    events++;
  });
  if (gaps[0] !== undefined) throw new Error(`The log in the backup has gaps. Nothing was restored. ${gaps[0]}`);
  if (last === undefined) throw new Error('The backup has nothing from before that moment.');
  const unknown = ofLaterReleases(expected);
  if (unknown !== undefined) tell(unknown);
  const { position, recordedAtMs } = last;
  return { events, position, recordedAt: new Date(recordedAtMs).toISOString(), expected, atEnd: atEnd ?? expected };
}

function assertReaches({ position, complete_at }: Manifest, to: Moment): void {
  const isBeyond =
    (to.kind === 'position' && to.position > position) ||
    (to.kind === 'time' && to.seconds * 1_000 > Date.parse(complete_at ?? '') && complete_at !== null);
  if (isBeyond) throw new Error(`The backup ends at position ${position}, of ${complete_at ?? 'an unfinished run'}.`);
}

async function restoreFiles(
  { expected, atEnd }: Plan,
  folder: string,
  { blobs, signal, tell }: RestoreParts,
): Promise<Pick<Restored, 'files' | 'deleted' | 'missing'>> {
  const source = filesOf(folder);
  const needed = new Set([...atEnd.all()].map(({ space, hash }) => `${space}/${hash}`));
  const wanted = [...expected.all()];
  const target = wanted.length === 0 ? undefined : blobs();
  let [files, deleted, missing] = [0, 0, 0];
  for (const { space, hash } of wanted) {
    signal.throwIfAborted();
    const outcome =
      source === undefined || target === undefined
        ? 'missing'
        : await copyContent(hash, source.space(space), target.space(space));
    if (outcome === 'copied') files++;
    else if (outcome === 'missing' && !needed.has(`${space}/${hash}`)) deleted++;
    else {
      missing++;
      tell(`The content ${space}/${hash} is ${outcome === 'missing' ? 'missing' : 'not what was uploaded'}.`);
    }
  }
  return { files, deleted, missing };
}

async function writeSecret(path: string | undefined, content: Buffer, tell: (line: string) => void): Promise<void> {
  if (path === undefined) return;
  await writeDurably(path, content);
  tell(`${path} was restored.`);
}

function upTo(log: BackupLog, end: number): Pick<EventStore, 'readAll'> {
  return {
    async *readAll() {
      for await (const page of log.readAll()) {
        const wanted = page.filter(({ position }) => position <= end);
        if (wanted.length > 0) yield wanted;
        if (wanted.length < page.length) return;
      }
    },
  };
}
