/** What a word that is being typed may become: somebody, a channel, an emoji. Found in the same moment as the key. */
import { byName } from '../shared/order.js';
import { words } from '../shared/words.js';
import { emojiKey, findEmoji, offeredEmoji } from './emoji.js';
import type { ChatState } from './model/chat-state.js';
import type { Place } from './model/place.js';
import type { Emoji } from './model/wire.js';
import { ambiguousNames } from './places.js';

const SHOWN_MAX = 8;
/** `@` may be followed by a first and a last name. */
const WORD = /(?:^|[\s(])(?:(@_?)([^\s@#:*`]{0,30}(?: [^\s@#:*`]{1,30})?)|(#)([^\s@#:*`]{0,30})|(:)([\w+-]{2,30}))$/;

/** Nothing stands before a command. */
const COMMAND = /^\/[a-z]{0,4}$/;

export interface Suggestion {
  readonly key: string;
  /** Stands before the text. */
  readonly emoji?: Emoji;
  readonly text: string;
  readonly about: string;
  /** What takes the place of the word. */
  readonly inserted: string;
}

export interface Word {
  /** Index of its sign in the text. */
  readonly start: number;
  readonly sign: '@' | '@_' | '#' | ':' | '/';
  readonly query: string;
}

/** The word before the caret that may be completed. */
export function wordAt(text: string, caret: number): Word | undefined {
  const before = text.slice(0, caret);
  if (COMMAND.test(before)) return { start: 0, sign: '/', query: before.slice(1) };
  const found = WORD.exec(before);
  if (found === null) return undefined;
  const sign = (found[1] ?? found[3] ?? found[5]) as Word['sign'];
  const query = found[2] ?? found[4] ?? found[6] ?? '';
  return { start: caret - query.length - sign.length, sign, query };
}

export function suggestionsFor(
  { sign, query }: Word,
  state: ChatState,
  place: Place | undefined,
  emoji: readonly Emoji[],
): readonly Suggestion[] {
  if (sign === ':')
    return findEmoji(offeredEmoji(emoji, state.pictures), query, SHOWN_MAX).map((one) => ({
      key: emojiKey(one),
      emoji: one,
      text: one.emoji_name,
      about: '',
      inserted: `:${one.emoji_name}:`,
    }));
  if (sign === '/') return commandsFor(query);
  if (sign === '#') return channelsFor(query, state);
  const wildcards = sign === '@' && place?.kind === 'topic' ? wildcardsFor(query, state, place.channelId) : [];
  return [...peopleFor(query, sign, state), ...wildcards].slice(0, SHOWN_MAX);
}

/** 0 where a name begins with the query, 1 where a word of it does, 2 where it is inside; undefined where it is not. */
function rankOf(name: string, query: string): number | undefined {
  const at = name.toLowerCase().indexOf(query.toLowerCase());
  if (at < 0) return undefined;
  return at === 0 ? 0 : /[\s\-_.]/.test(name[at - 1] ?? '') ? 1 : 2;
}

function best<T>(all: Iterable<T>, query: string, nameOf: (one: T) => string): T[] {
  return [...all]
    .flatMap((one) => {
      const rank = rankOf(nameOf(one), query);
      return rank === undefined ? [] : [{ one, rank }];
    })
    .sort((a, b) => a.rank - b.rank || byName(nameOf(a.one), nameOf(b.one)))
    .slice(0, SHOWN_MAX)
    .map(({ one }) => one);
}

function peopleFor(query: string, sign: string, { people }: ChatState): Suggestion[] {
  const active = [...people.values()].filter(({ is_active }) => is_active !== false);
  const ambiguous = ambiguousNames(active);
  return best(active, query, ({ full_name }) => full_name).map(({ user_id, full_name, is_bot, email }) => {
    const isAmbiguous = ambiguous.has(full_name);
    return {
      key: `u${user_id}`,
      text: full_name,
      about: is_bot ? words.bot : isAmbiguous ? email : '',
      inserted: `${sign}**${full_name}${isAmbiguous ? `|${user_id}` : ''}**`,
    };
  });
}

function channelsFor(query: string, { channels }: ChatState): Suggestion[] {
  return best(channels.values(), query, ({ name }) => name).map(({ stream_id, name, description }) => ({
    key: `c${stream_id}`,
    text: `#${name}`,
    about: description,
    inserted: `#**${name}**`,
  }));
}

function commandsFor(query: string): Suggestion[] {
  return Object.entries(words.commands)
    .filter(([name]) => name.startsWith(query))
    .map(([name, about]) => ({ key: name, text: `/${name}`, about, inserted: `/${name}` }));
}

function wildcardsFor(query: string, { channels }: ChatState, channelId: number): Suggestion[] {
  const count = channels.get(channelId)?.subscriber_count ?? 0;
  return best(['all', 'topic'], query, (name) => name).map((name) => ({
    key: name,
    text: `@${name}`,
    about: name === 'all' ? words.notifies(count) : words.notifiesTopic,
    inserted: `@**${name}**`,
  }));
}
