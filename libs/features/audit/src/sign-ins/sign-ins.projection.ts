import { parseOrigin, type RecordedEvent } from '#event-store';
import type { CollectionSchema, Projection } from '#read-store';
import type { NotedUse, UsesNoted } from '#uses';
import { keyOf, type PlaceRow } from '../places/place-row.js';
import { timeOf } from '../rows.js';

/** Where in the log sign-ins stand, those that failed as well. The key is what is asked for and the position. */
export const auditSignInsCollection = {
  name: 'audit_sign_ins',
  key: 'text',
  fields: {},
  indexes: [],
} as const satisfies CollectionSchema;

/** A row for each event with sign-ins, and one for each account in it. */
export const auditSignInsProjection: Projection<PlaceRow> = {
  collection: auditSignInsCollection,
  handles: new Set(['uses.noted.v1']),
  // Each event has keys of its own, since they end with its position.
  keys: (event: RecordedEvent<UsesNoted['data']>) =>
    subjectsOf(event.data).map((subject) => ({ key: keyOf(subject, event.position), fresh: true })),
  evolve: (_, event: RecordedEvent<object>) => {
    const { position, stream, revision } = event;
    return { position, stream, revision, at: timeOf(event) };
  },
};

/** What keys begin with. @param userId undefined for all accounts, and for attempts that named none */
export function signInsOf(userId: number | undefined, isFailedOnly: boolean): string {
  const which = isFailedOnly ? 'failed' : 'all';
  return userId === undefined ? which : `${which}:${userId}`;
}

/** Whether uses of a kind are sign-ins that are asked for. */
export function isSignIn(kind: string, isFailedOnly: boolean): boolean {
  return kind === 'sign-in-failed' || (kind === 'signed-in' && !isFailedOnly);
}

/** Whose account a sign-in is of; undefined where an attempt named none. */
export function accountOf({ kind, o, userId }: NotedUse): number | undefined {
  if (kind === 'sign-in-failed') return userId;
  const by = parseOrigin(o)?.by;
  return by !== undefined && 'userId' in by ? by.userId : undefined;
}

function subjectsOf({ uses, more = {} }: UsesNoted['data']): readonly string[] {
  return [false, true].flatMap((isFailedOnly) => {
    const found = uses.filter((use) => isSignIn(use.kind, isFailedOnly));
    const others = Object.keys(more).some((kind) => isSignIn(kind, isFailedOnly));
    if (found.length === 0 && !others) return [];
    const accounts = found.flatMap((use) => accountOf(use) ?? []);
    return [undefined, ...new Set(accounts)].map((userId) => signInsOf(userId, isFailedOnly));
  });
}
