// Temporary files of a test run in memory. On a disk, a third of a run waits for it to sync databases that are soon removed.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

/** A file system in memory, which Linux has. */
const MEMORY = '/dev/shm';
/** A run uses a tenth of it. Containers often have 64 MB. */
const FREE_BYTES_MIN = 2 ** 31;

/** Names a folder in memory as that of temporary files, for this process and its children, where there is room for them. */
export function useMemoryForFiles() {
  if (process.env.TMPDIR !== undefined || !isRoomy()) return;
  const prefix = prefixOfFolders();
  removeLeftovers(prefix);
  const folder = join(MEMORY, `${prefix}${process.pid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  process.env.TMPDIR = folder;
  process.once('exit', () => remove(folder));
}

function isRoomy() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= FREE_BYTES_MIN;
  } catch {
    return false;
  }
}

/** Containers may share the memory, and not see each other's processes. */
function prefixOfFolders() {
  const namespace = readlinkSync('/proc/self/ns/pid').replace(/\D/g, '');
  return `scrollback-tests-${namespace}-${process.getuid?.()}-`;
}

/** Of runs that were killed. */
function removeLeftovers(prefix) {
  for (const name of readdirSync(MEMORY)) {
    if (name.startsWith(prefix) && !existsSync(`/proc/${name.slice(prefix.length)}`)) remove(join(MEMORY, name));
  }
}

/** Removes a folder, with the small disks that a killed test left mounted in it. What cannot be removed stays: no run fails by it. */
export function remove(folder) {
  try {
    for (const disk of mountsIn(folder)) execFileSync('umount', ['--lazy', disk], { stdio: 'ignore' });
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    console.warn(`Temporary files stay in ${folder}: ${error.message}`);
  }
}

function mountsIn(folder) {
  return readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1])
    .filter((path) => path?.startsWith(`${folder}/`));
}
