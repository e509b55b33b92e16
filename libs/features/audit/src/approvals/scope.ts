/** A question and its parameters, by their names on the wire. */
export interface Asked {
  readonly question: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** What people wrote is read with the approval of somebody else where the organization wants that. */
const WITH_CONTENTS = ['acts', 'export', 'export/files', 'messages', 'search', 'topic'] as const;
export type QuestionWithContents = (typeof WITH_CONTENTS)[number];

const WITHOUT_CONTENTS: ReadonlySet<string> = new Set([
  'access',
  'audits',
  'channel',
  'group',
  'permissions',
  'requests',
  'setting',
  'sign-ins',
  'user',
]);

/** Whether a parameter may differ from the approved one, by questions and names: what is asked then is the same, or less. */
const MAY_DIFFER: ReadonlyMap<string, ReadonlyMap<string, Differing>> = new Map([
  [
    'export',
    new Map<string, Differing>([
      // An export up to now has all that one up to an earlier moment has.
      ['as_of', (approved) => approved === undefined],
      ['since', (approved) => approved === undefined],
      ['after_message', (approved, asked) => approved === undefined || Number(asked) >= Number(approved)],
    ]),
  ],
  // It only says where the file is found.
  ['export/files', new Map([['message_id', () => true]])],
]);

type Differing = (approved: string | undefined, asked: string | undefined) => boolean;

export function isQuestion(question: string): boolean {
  return isWithContents(question) || WITHOUT_CONTENTS.has(question);
}

export function isWithContents(question: string): question is QuestionWithContents {
  return (WITH_CONTENTS as readonly string[]).includes(question);
}

/** Also true of a question that is in neither list. */
export function showsContents(question: string): boolean {
  return !WITHOUT_CONTENTS.has(question);
}

/** Whether who may ask the one may ask the other: it is the same, or a part of the same export. */
export function covers(approved: Asked, asked: Asked): boolean {
  const { question } = approved;
  if (question !== asked.question) return false;
  return Object.keys({ ...approved.parameters, ...asked.parameters }).every((name) => {
    const [was, is] = [approved.parameters[name], asked.parameters[name]];
    return was === is || MAY_DIFFER.get(question)?.get(name)?.(was, is) === true;
  });
}
