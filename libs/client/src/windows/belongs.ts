import { type State, topicKey } from '../core/state.js';
import type { Message, NarrowTerm } from '../wire/types.js';
import { RESOLVED } from './message-change.js';

/** What a message says of itself, and the state of the reader. */
interface Looked {
  readonly message: Message;
  readonly state: State;
}

const FOLLOWED = 3;

/** Whether the message is in the narrow; undefined where only the server knows, and for names that operators had before. */
export function belongs(terms: readonly NarrowTerm[], message: Message, state: State): boolean | undefined {
  let known = isOwn(terms, message, state);
  if (known === false) return false;
  for (const term of terms) {
    // It only says where to look.
    if (term.operator === 'near') continue;
    const holds = holdsFor(term, { message, state });
    const isIn = term.negated === true && holds !== undefined ? !holds : holds;
    if (isIn === false) return false;
    if (isIn === undefined) known = undefined;
  }
  return known;
}

/**
 * Narrows without a channel, and those by the reader's flags, are of the reader's own history. A message that they never received
 * is not in it, unless they have done something to it.
 */
function isOwn(terms: readonly NarrowTerm[], message: Message, state: State): boolean | undefined {
  if (!message.flags.includes('historical') || !isOfOwnHistory(terms)) return true;
  const isTouched = message.flags.includes('starred') || message.reactions.some(({ user_id: id }) => id === state.self);
  return isTouched ? undefined : false;
}

/** Whether a narrow is about the reader's own history alone. */
export function isOfOwnHistory(terms: readonly NarrowTerm[]): boolean {
  const names = terms.flatMap(({ operator, negated }) => (negated === true ? [] : operator));
  return names.includes('is') || !names.some((name) => /^(channel|stream)/.test(name));
}

/** IDs of the channels that a narrow names; none when it is about all. */
export function channelsIn(terms: readonly NarrowTerm[], state: State): readonly number[] {
  return terms.flatMap(({ operator, operand, negated }) => {
    if (negated === true || operator !== 'channel') return [];
    if (typeof operand === 'number') return [operand];
    return [...(state.channels?.values() ?? [])]
      .filter(({ name }) => isSame(name, operand))
      .map(({ stream_id: id }) => id);
  });
}

function holdsFor({ operator, operand }: NarrowTerm, looked: Looked): boolean | undefined {
  const { message, state } = looked;
  switch (operator) {
    case 'channel':
      if (message.type !== 'stream') return false;
      return typeof operand === 'number' ? message.stream_id === operand : isSame(message.display_recipient, operand);
    case 'topic':
      return message.type === 'stream' && isSame(message.subject, operand);
    case 'dm':
      return isAmong(operand) ? isExactly(message, operand as number | readonly number[], state.self) : undefined;
    case 'dm-including':
      if (!isAmong(operand)) return undefined;
      return message.type === 'private' && [operand].flat().every((id) => peopleOf(message).includes(id as number));
    case 'sender':
      return typeof operand === 'number' ? message.sender_id === operand : undefined;
    case 'id':
      return message.id === Number(operand);
    case 'is':
      return isOf(String(operand), looked);
    case 'has':
      return operand === 'reaction' ? message.reactions.length > 0 : undefined;
    default:
      return undefined;
  }
}

function isOf(operand: string, { message, state }: Looked): boolean | undefined {
  const { flags } = message;
  switch (operand) {
    case 'dm':
      return message.type === 'private';
    case 'starred':
      return flags.includes('starred');
    case 'unread':
      return !flags.includes('read');
    case 'mentioned':
      return flags.some((flag) => flag.endsWith('mentioned'));
    case 'alerted':
      return flags.includes('has_alert_word');
    case 'resolved':
      return message.type === 'stream' && message.subject.startsWith(RESOLVED);
    case 'followed': {
      if (message.type !== 'stream') return false;
      const own = state.topics?.get(topicKey(message.stream_id, message.subject));
      return own?.topic.visibility_policy === FOLLOWED;
    }
    default:
      return undefined;
  }
}

/** Whether the operand names users by their IDs. */
function isAmong(operand: NarrowTerm['operand']): boolean {
  return [operand].flat().every((one) => typeof one === 'number');
}

function isExactly(message: Message, operand: number | readonly number[], self: number): boolean {
  if (message.type !== 'private') return false;
  const asked = new Set([self, ...[operand].flat()]);
  const people = new Set([self, ...peopleOf(message)]);
  return asked.size === people.size && [...asked].every((id) => people.has(id));
}

function peopleOf(message: Message): readonly number[] {
  return message.type === 'private' ? message.display_recipient.map(({ id }) => id) : [];
}

function isSame(text: string, operand: NarrowTerm['operand']): boolean {
  return text.toLowerCase() === String(operand).toLowerCase();
}
