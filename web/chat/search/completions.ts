/** What the last word of a query may become, found in the same moment as the key. */
import { words } from '../../shared/words.js';
import { ambiguousNames } from '../places.js';
import { type Known, OPERATORS, quoted, type Token, tokensOf, VALUES } from './query.js';

export interface Completion {
  readonly key: string;
  readonly text: string;
  readonly about: string;
  /** The whole query, once it is taken. */
  readonly query: string;
}

/**
 * @param topics of the channel that the query names
 * @returns the best first; none where nothing is begun
 */
export function completionsOf(
  query: string,
  known: Known,
  topics: readonly string[],
  most: number,
): readonly Completion[] {
  const last = tokensOf(query).at(-1);
  if (last === undefined || last.start + last.text.length < query.length) return [];
  const before = query.slice(0, last.start);
  const { operator, value } = last;
  const sign = last.text.startsWith('-') ? '-' : '';
  if (operator === undefined) {
    const begun = last.text.slice(sign.length).toLowerCase();
    return OPERATORS.filter((name) => name.startsWith(begun) && begun !== '').map((name) => {
      const text = `${sign}${name}:`;
      return { key: text, text, about: words.operators[name], query: before + text };
    });
  }
  return valuesOf(last, known, topics)
    .filter(({ name }) => name.toLowerCase().includes(value.toLowerCase()))
    .sort((a, b) => startsLater(a.name, value) - startsLater(b.name, value))
    .slice(0, most)
    .map(({ name, operand, about = '' }) => {
      const text = `${sign}${operator}:${quoted(operand)}`;
      return { key: text, text: `${sign}${operator}:${name}`, about, query: `${before}${text} ` };
    });
}

interface Value {
  readonly name: string;
  readonly operand: string;
  readonly about?: string;
}

const startsLater = (name: string, value: string): number =>
  name.toLowerCase().startsWith(value.toLowerCase()) ? 0 : 1;

function valuesOf({ operator }: Token, { allChannels, people }: Known, topics: readonly string[]): Value[] {
  switch (operator) {
    case 'channel':
      return allChannels.map(({ name, description }) => ({ name, operand: name, about: description }));
    case 'sender':
    case 'dm':
    case 'dm-including': {
      const all = [...people.values()];
      const ambiguous = ambiguousNames(all);
      return all.map(({ full_name: name, user_id, email }) =>
        ambiguous.has(name) ? { name, operand: `${name}|${user_id}`, about: email } : { name, operand: name },
      );
    }
    case 'topic':
      return topics.filter((name) => name !== '').map((name) => ({ name, operand: name }));
    case 'is':
      return VALUES.is.map((name) => ({ name, operand: name, about: words.isValues[name] }));
    case 'has':
      return VALUES.has.map((name) => ({ name, operand: name, about: words.hasValues[name] }));
    default:
      return [];
  }
}
