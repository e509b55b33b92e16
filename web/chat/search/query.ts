/** What is typed into the search: words, and operators such as `channel:general topic:"release 0.2" -is:unread`. */
import type { ChatState } from '../model/chat-state.js';
import type { Term } from '../model/narrow.js';

export type Known = Pick<ChatState, 'allChannels' | 'people' | 'meId'>;

/** Operators with a few values, and those values. */
export const VALUES = {
  is: ['unread', 'starred', 'mentioned', 'dm', 'followed', 'resolved', 'muted', 'alerted'],
  has: ['link', 'image', 'attachment', 'reaction'],
} as const;

export const OPERATORS = ['channel', 'topic', 'sender', 'dm', 'dm-including', 'is', 'has', 'near', 'id'] as const;
export type Operator = (typeof OPERATORS)[number];

const ALIASES: Readonly<Record<string, Operator>> = { stream: 'channel', from: 'sender', 'pm-with': 'dm' };
/** An operator with what may be in quotes, or a word. */
const TOKEN = /(-?)([a-z-]+):(?:"([^"]*)"?|(\S*))|\S+/gi;

/** A word of a query, and where it stands. */
export interface Token {
  readonly start: number;
  readonly text: string;
  readonly isNegated: boolean;
  /** Undefined for a word to be found in messages. */
  readonly operator: Operator | undefined;
  readonly value: string;
}

export function tokensOf(query: string): readonly Token[] {
  return [...query.matchAll(TOKEN)].map((match) => {
    const [text, sign, name = '', quoted, bare] = match;
    const given = name.toLowerCase();
    const operator = OPERATORS.find((one) => one === given) ?? ALIASES[given];
    return { start: match.index, text, isNegated: sign === '-', operator, value: quoted ?? bare ?? '' };
  });
}

/** Terms of a query; what names nothing that the reader knows is left to the server, which says so. */
export function termsOfQuery(query: string, known: Known): readonly Term[] {
  const tokens = tokensOf(query);
  const terms = tokens.flatMap(({ operator, value, isNegated }): Term[] =>
    operator === undefined || value === ''
      ? []
      : [{ operator, operand: operandOf(operator, value, known), ...(isNegated && { negated: true }) }],
  );
  const text = tokens.flatMap(({ operator, text: word }) => (operator === undefined ? [word] : [])).join(' ');
  return text === '' ? terms : [...terms, { operator: 'search', operand: text }];
}

/** Terms in the words that are typed for them. */
export function queryOf(terms: readonly Term[], known: Known): string {
  return terms
    .map(({ operator, operand, negated }) => {
      const text = textOf(operator, operand, known);
      return operator === 'search' ? text : `${negated === true ? '-' : ''}${operator}:${quoted(text)}`;
    })
    .join(' ');
}

export const quoted = (text: string): string => (/[\s"]|^$/.test(text) ? `"${text.replaceAll('"', '')}"` : text);

const PEOPLE: ReadonlySet<string> = new Set(['dm', 'dm-including']);

function operandOf(operator: Operator, value: string, known: Known): Term['operand'] {
  if (operator === 'channel') {
    const wanted = value.toLowerCase();
    return known.allChannels.find(({ name }) => name.toLowerCase() === wanted)?.stream_id ?? value;
  }
  if (operator === 'sender') return personOf(value, known) ?? value;
  if (PEOPLE.has(operator)) {
    const ids = value.split(',').map((name) => personOf(name, known));
    return ids.every((id) => id !== undefined) ? ids : value;
  }
  return (operator === 'near' || operator === 'id') && /^\d{1,15}$/.test(value) ? Number(value) : value;
}

function personOf(name: string, { people, meId }: Known): number | undefined {
  const wanted = name.trim().toLowerCase();
  if (wanted === 'me') return meId;
  const numbered = /\|(\d+)$/.exec(wanted)?.[1];
  if (numbered !== undefined && people.has(Number(numbered))) return Number(numbered);
  return [...people.values()].find((one) => one.full_name.toLowerCase() === wanted || one.email === wanted)?.user_id;
}

function textOf(operator: string, operand: Term['operand'], { allChannels, people }: Known): string {
  const nameOf = (id: number): string => people.get(id)?.full_name ?? String(id);
  if (operator === 'channel') return allChannels.find(({ stream_id: id }) => id === operand)?.name ?? String(operand);
  if (operator === 'sender' && typeof operand === 'number') return nameOf(operand);
  return Array.isArray(operand) ? operand.map(nameOf).join(',') : String(operand);
}
