// Temporary files of a test run in memory. On a disk, a third of a run waits for it to sync databases that are soon removed.
import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

/** A file system in memory, which Linux has. */
const MEMORY = '/dev/shm';
const PREFIX = `scrollback-tests-${process.getuid?.()}-`;
/** A run uses a tenth of it. Containers often have 64 MB. */
const FREE_BYTES_MIN = 2 ** 31;

/** Names a folder in memory as that of temporary files, for this process and its children, where there is room for them. */
export function useMemoryForFiles() {
  if (process.env.TMPDIR !== undefined || !isRoomy()) return;
  removeLeftovers();
  const folder = join(MEMORY, `${PREFIX}${process.pid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  process.env.TMPDIR = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}

function isRoomy() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= FREE_BYTES_MIN;
  } catch {
    return false;
  }
}

/** Of runs that were killed. */
function removeLeftovers() {
  for (const name of readdirSync(MEMORY)) {
    if (name.startsWith(PREFIX) && !existsSync(`/proc/${name.slice(PREFIX.length)}`))
      rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
}
