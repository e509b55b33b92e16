import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AS_STORED, copyLog, openEventStore, repairLog, WriterLock } from '#event-store';
import { BackupLog } from '../backup/log-parts.js';
import { MANIFEST, readManifest } from '../backup/manifest.js';
import { type Command, WrongCall } from '../command.js';
import { DAMAGE_EXIT_CODE } from '../damage.js';
import { assertLogExists, logAddress, logFile } from '../log-address.js';
import { untilInterrupted } from '../until-interrupted.js';

/** `repair --from BACKUP`. */
export const repair: Command = {
  name: 'repair',
  summary: 'replace damaged and missing records of the log by those of a backup, while the server is stopped',
  options: {
    from: { value: 'BACKUP', summary: 'a folder that `backup` wrote, a log in a file, or a folder with an events.db' },
  },
  run: async (call) => {
    const { terminal, dataDir } = call;
    const from = call.option('from');
    if (from === undefined) throw new WrongCall('Name the backup: repair --from BACKUP.');
    const address = logAddress(dataDir, terminal.environment['EVENT_STORE_URL']);
    const file = logFile(address);
    if (file === undefined) throw new Error('Only a log in a file can be repaired; a server has its own means.');
    assertLogExists(address);
    const done = { replaced: 0, left: 0 };
    const code = await untilInterrupted(terminal, async (signal) => {
      const { replaced, left, kept } = await withBackup(from, file, signal, (backup) =>
        repairLog(file, backup, Date.now(), signal),
      );
      for (const range of replaced) terminal.tell(`${positionsIn(range)}: taken from the backup.`);
      for (const range of left) terminal.tell(`${positionsIn(range)}: the backup does not have it whole either.`);
      if (kept !== undefined) terminal.tell(`The damaged file is kept as ${kept}.`);
      return Object.assign(done, { replaced: countOf(replaced), left: countOf(left) });
    });
    return code === 0 && done.left > 0 ? DAMAGE_EXIT_CODE : code;
  },
};

/** Events that wait for the disk together. */
const IN_FLIGHT_MAX = 2_000;

/** Makes a log of what `backup` wrote, beside the log that is repaired, for as long as the work lasts. */
async function withBackup<Result>(
  given: string,
  file: string,
  signal: AbortSignal,
  work: (backup: string) => Promise<Result>,
): Promise<Result> {
  if (!existsSync(join(given, MANIFEST))) return work(backupFile(given));
  const manifest = await readManifest(given);
  if (manifest.log !== 'file') throw new Error('The backup is of a log on a server, whose positions are others.');
  const draft = `${file}.from-backup`;
  const lock = WriterLock.take(`${file}.repair`, `Another repair of ${file} is at work.`);
  const remove = (): void => {
    for (const end of ['', '-wal', '-shm', '.acknowledged', '.lock']) rmSync(draft + end, { force: true });
  };
  try {
    remove();
    const store = await openEventStore(`sqlite:${draft}`, AS_STORED);
    try {
      await copyLog(new BackupLog(given, manifest), store, { signal, inFlightMax: IN_FLIGHT_MAX });
    } finally {
      await store.close();
    }
    return await work(draft);
  } finally {
    remove();
    lock.release();
  }
}

/** @throws Error when there is no log */
function backupFile(given: string): string {
  const path = logFile(given) ?? given;
  const file = existsSync(path) && statSync(path).isDirectory() ? join(path, 'events.db') : path;
  assertLogExists(`sqlite:${file}`);
  return file;
}

type Range = readonly [first: number, last: number];

function positionsIn([first, last]: Range): string {
  return first === last ? `Position ${first}` : `Positions ${first} to ${last}`;
}

function countOf(ranges: readonly Range[]): number {
  return ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0);
}
