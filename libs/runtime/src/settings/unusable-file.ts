import { withCauses } from '#kernel';
import { SettingsError } from './settings-error.js';

const DENIED = 'this is not allowed. Give the user that runs the server the right to read and write there';

/** Why a file or folder cannot be used, by the code of the operating system or of SQLite. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: DENIED,
  EPERM: DENIED,
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota is used up',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'there is a file of this name',
  EISDIR: 'there is a folder of this name',
  ENOENT: 'a folder of the path is missing and cannot be created, or a link leads nowhere',
  SQLITE_CANTOPEN:
    'it cannot be opened. Check that it is a file, and that the user that runs the server may read and write it and its folder',
  SQLITE_READONLY: 'it is read-only',
  SQLITE_PERM: 'this is not allowed',
  SQLITE_FULL: 'the disk is full',
};

/** How libsql reports that SQLite cannot open a file: without a code. */
const CANNOT_OPEN = /^ConnectionFailed\("Unable to open connection to local database (.+): 14"\)$/s;

/** The file or folder that an error of the operating system or of libsql names. */
export function pathIn(error: unknown): string | undefined {
  for (const each of withCauses(error)) {
    const path = CANNOT_OPEN.exec(each.message)?.[1] ?? (each as NodeJS.ErrnoException).path;
    if (path !== undefined) return path;
  }
  return undefined;
}

/** Names the setting whose file or folder cannot be used; returns other errors unchanged. */
export function asUnusable(setting: string, path: string, error: unknown): unknown {
  const reason = reasonOf(error);
  return reason === undefined ? error : new SettingsError(`${setting}: ${path} cannot be used: ${reason}.`);
}

/** Also looks at the cause, since stores wrap errors in their own messages. */
function reasonOf(error: unknown): string | undefined {
  for (const each of withCauses(error)) {
    const code = CANNOT_OPEN.test(each.message) ? 'SQLITE_CANTOPEN' : (each as NodeJS.ErrnoException).code;
    const known = Object.keys(REASONS).find((name) => code === name || code?.startsWith(`${name}_`) === true);
    if (known !== undefined) return REASONS[known];
  }
  return undefined;
}
