import { isDeepStrictEqual } from 'node:util';

/** A question and its parameters, by their names on the wire. */
export interface Asked {
  readonly question: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** What questions show. Contents are read with the approval of somebody else where the organization wants that; a question that is not here has contents. */
const WITHOUT_CONTENTS: ReadonlySet<string> = new Set([
  'access',
  'audits',
  'channel',
  'group',
  'permissions',
  'requests',
  'setting',
  'user',
]);

/** Parameters that only leave out some of what an export has, or say where a file is found. */
const NO_MATTER: Readonly<Record<string, readonly string[]>> = {
  export: ['since', 'after_message'],
  'export/files': ['message_id'],
};

export function showsContents(question: string): boolean {
  return !WITHOUT_CONTENTS.has(question);
}

/** Whether who may ask the one may ask the other: it is the same, or a part of the same export. */
export function covers(approved: Asked, asked: Asked): boolean {
  if (approved.question !== asked.question) return false;
  const { as_of: upTo, ...rest } = whole(asked);
  const { as_of: approvedUpTo, ...approvedRest } = whole(approved);
  // An export up to now has all that one up to an earlier moment has.
  const isUpToNow = approved.question === 'export' && approvedUpTo === undefined;
  return (isUpToNow || approvedUpTo === upTo) && isDeepStrictEqual(approvedRest, rest);
}

function whole({ question, parameters }: Asked): Partial<Record<string, string>> {
  const without = NO_MATTER[question] ?? [];
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => !without.includes(name)));
}
