import { randomUUID } from 'node:crypto';

/** A fresh event or queue id: a UUID in its text form. */
export function newId(): string {
  return randomUUID();
}
