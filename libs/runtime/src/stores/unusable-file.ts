import { SettingsError } from '../settings/settings-error.js';

/** Why a file or folder cannot be used, by the code of the operating system or of SQLite. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this is not allowed. Give the user that runs the server the right to write there',
  EPERM: 'this is not allowed. Give the user that runs the server the right to write there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota is used up',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'there is a file of this name',
  SQLITE_CANTOPEN: 'it cannot be opened. Check that the folder is there and may be written',
  SQLITE_READONLY: 'it is read-only',
  SQLITE_PERM: 'this is not allowed',
  SQLITE_FULL: 'the disk is full',
};

/** Names the setting whose file or folder cannot be used; returns other errors unchanged. */
export function asUnusable(setting: string, path: string, error: unknown): unknown {
  const reason = reasonOf(error);
  return reason === undefined ? error : new SettingsError(`${setting}: ${path} cannot be used: ${reason}.`);
}

/** Also looks at the cause, since stores wrap errors in their own messages. */
function reasonOf(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code } = at as NodeJS.ErrnoException;
    const known = Object.keys(REASONS).find((name) => code === name || code?.startsWith(`${name}_`) === true);
    if (known !== undefined) return REASONS[known];
  }
  return undefined;
}
