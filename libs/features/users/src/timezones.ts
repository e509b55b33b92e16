import { badRequest } from '#kernel';

/** Names such as `Europe/Berlin`, `UTC` or `Etc/GMT+5`; not offsets, which are no names of zones. */
const NAME = /^[A-Z][A-Za-z0-9_+-]*(?:\/[A-Z][A-Za-z0-9_+-]*){0,2}$/;
const NAME_LENGTH_MAX = 40;

/** @throws Refusal BAD_REQUEST unless it names a time zone of the IANA database, or is empty */
export function checkTimezone(name: string): string {
  if (name !== '' && !isTimezone(name)) throw badRequest('Invalid timezone');
  return name;
}

export function isTimezone(name: string): boolean {
  if (name.length > NAME_LENGTH_MAX || !NAME.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    // A RangeError says that there is no such zone.
    return false;
  }
}
