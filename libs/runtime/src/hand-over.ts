import { join } from 'node:path';
import { writePrivateFile } from './private-file.js';

/**
 * Says a new password of the owner, once, to a person at a terminal. Elsewhere the words end in a journal that others read, so the
 * password is written into a file of the data directory that only the server's own user can read.
 * @returns the line to print
 */
export function handOver(password: string, dataDir: string, isTerminal: boolean): string {
  if (isTerminal) return `Password, shown this once: ${password}`;
  const path = join(dataDir, 'owner.password');
  writePrivateFile(path, `${password}\n`);
  return `Password: in ${path}. Remove the file after reading it.`;
}
