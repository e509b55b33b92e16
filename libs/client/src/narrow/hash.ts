import type { NarrowTerm } from '../wire/types.js';

/** Operators of links whose operands are IDs of users. */
const OF_USERS = new Set(['dm', 'pm-with', 'dm-including', 'group-pm-with', 'sender', 'from', 'mentions']);
const OF_MESSAGES = new Set(['id', 'near', 'with']);
const OF_CHANNELS = new Set(['channel', 'stream']);
const CANONICAL: Readonly<Record<string, string>> = {
  stream: 'channel',
  streams: 'channels',
  subject: 'topic',
  'pm-with': 'dm',
  from: 'sender',
};

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** The names that links show beside IDs, for people. */
export interface Names {
  channel(channelId: number): string | undefined;
}

const NO_NAMES: Names = { channel: () => undefined };

/** The link to a narrow, as the server's own: `#narrow/channel/9-announce/topic/Zulip.20updates/near/214`. */
export function hashOf(terms: readonly NarrowTerm[], names: Names = NO_NAMES): string {
  const parts = terms.map((term) => {
    const operator = CANONICAL[term.operator] ?? term.operator;
    return `/${term.negated === true ? '-' : ''}${operator}/${operandText({ ...term, operator }, names)}`;
  });
  return `#narrow${parts.join('')}`;
}

/**
 * The terms of a link, in any of the forms that clients have made.
 * @returns undefined for what is no link to a narrow
 */
export function termsOf(hash: string): readonly NarrowTerm[] | undefined {
  const [start, ...parts] = hash.replace(/^\/?#?\/?/, '').split('/');
  if (start !== 'narrow') return undefined;
  // A slash at the end; the empty topic makes an even number.
  if (parts.length % 2 === 1 && parts.at(-1) === '') parts.pop();
  const terms: NarrowTerm[] = [];
  for (let index = 0; index < parts.length; index += 2) {
    const [name = '', text] = parts.slice(index, index + 2);
    const given = decoded(name.replace(/^-/, ''));
    const operand = text === undefined ? undefined : decoded(text);
    if (given === undefined || operand === undefined || given === '') return undefined;
    const operator = CANONICAL[given] ?? given;
    const read = operandOf(operator, operand);
    if (read === undefined) return undefined;
    terms.push({ operator, operand: read, ...(name.startsWith('-') ? { negated: true } : {}) });
  }
  return terms;
}

function operandText({ operator, operand }: NarrowTerm, names: Names): string {
  if (OF_CHANNELS.has(operator) && typeof operand === 'number') {
    const name = names.channel(operand);
    return name === undefined ? String(operand) : `${operand}-${encoded(name.replaceAll(' ', '-'))}`;
  }
  if (typeof operand === 'string') return encoded(operand);
  const ids = typeof operand === 'number' ? [operand] : [...operand].sort((a, b) => a - b);
  if (operator !== 'dm') return ids.join();
  return `${ids.join()}-${ids.length > 2 ? 'group' : 'dm'}`;
}

function operandOf(operator: string, text: string): NarrowTerm['operand'] | undefined {
  if (OF_MESSAGES.has(operator)) return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  if (OF_CHANNELS.has(operator)) {
    const id = /^(\d{1,15})(?:-|$)/.exec(text)?.[1];
    return id === undefined ? text.replaceAll('-', ' ') : Number(id);
  }
  if (!OF_USERS.has(operator)) return text;
  const ids = /^(\d{1,15}(?:,\d{1,15})*)(?:-|$)/.exec(text)?.[1]?.split(',').map(Number);
  if (ids === undefined) return text;
  return operator === 'dm' || operator === 'dm-including' ? ids : ids[0];
}

/** Hosts of links read `%` in fragments in different ways, so it stands as a dot. */
function encoded(text: string): string {
  return encodeURIComponent(text.replace(LONE_SURROGATE, '\ufffd'))
    .replace(/[.!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%', '.');
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('.', '%'));
  } catch {
    return undefined;
  }
}
