/** Names and codes of emoji: the server's, and those of the organization. */
import type { SkinTone } from './emoji-use.js';
import type { ChatState } from './model/chat-state.js';
import type { Emoji } from './model/wire.js';

/** The server's table. */
interface EmojiTable {
  readonly code_to_names: Readonly<Record<string, readonly string[]>>;
  /** Codes in Unicode's order. */
  readonly groups: readonly { readonly name: string; readonly codes: readonly string[] }[];
}

export interface EmojiGroup {
  readonly name: string;
  readonly emoji: readonly Emoji[];
}

let loading: Promise<EmojiTable> | undefined;

/** Loaded once, when it is needed. */
function loadTable(): Promise<EmojiTable> {
  loading ??= fetch('/static/emoji.json')
    .then((answer) => answer.json() as Promise<EmojiTable>)
    .catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
  return loading;
}

const character = (code: string, name: string): Emoji => ({
  emoji_name: name,
  emoji_code: code,
  reaction_type: 'unicode_emoji',
});

/** All emoji that are characters, under all of their names, in Unicode's order. */
export async function loadEmoji(): Promise<readonly Emoji[]> {
  const { code_to_names, groups } = await loadTable();
  return groups.flatMap(({ codes }) =>
    codes.flatMap((code) => (code_to_names[code] ?? []).map((name) => character(code, name))),
  );
}

/** All emoji that are characters, by Unicode's groups, under the first of their names that is a word: before `thumbs_up` stands `+1`. */
export async function loadGroups(): Promise<readonly EmojiGroup[]> {
  const { code_to_names, groups } = await loadTable();
  return groups.map(({ name, codes }) => ({
    name,
    emoji: codes.map((code) => {
      const names = code_to_names[code] ?? [];
      return character(code, names.find((one) => /[a-z]/.test(one)) ?? names[0] ?? code);
    }),
  }));
}

/** Emoji of the organization that are in use. */
export const ownEmoji = (pictures: ChatState['pictures']): readonly Emoji[] =>
  [...pictures.values()]
    .filter(({ deactivated }) => !deactivated)
    .map(({ id, name }) => ({ emoji_name: name, emoji_code: id, reaction_type: 'realm_emoji' }));

/** What can be chosen: emoji of the organization, and the characters whose names these do not take. */
export function offeredEmoji(characters: readonly Emoji[], pictures: ChatState['pictures']): readonly Emoji[] {
  const own = ownEmoji(pictures);
  const taken = new Set(own.map(({ emoji_name }) => emoji_name));
  return [...own, ...characters.filter(({ emoji_name }) => !taken.has(emoji_name))];
}

export const emojiKey = ({ emoji_code, reaction_type }: Emoji): string => `${reaction_type} ${emoji_code}`;

/** Emoji for a few letters: names that begin with them first. */
export function findEmoji(all: readonly Emoji[], query: string, most: number): readonly Emoji[] {
  const wanted = query.toLowerCase().replaceAll(' ', '_');
  const rank = ({ emoji_name: name }: Emoji): number =>
    name === wanted ? 0 : name.startsWith(wanted) ? 1 : name.includes(wanted) ? 2 : 3;
  const ranked = all
    .map((emoji) => ({ emoji, at: rank(emoji) }))
    .filter(({ at }) => at < 3)
    .sort((a, b) => a.at - b.at)
    .map(({ emoji }) => emoji);
  return distinct(ranked).slice(0, most);
}

function distinct(all: readonly Emoji[]): readonly Emoji[] {
  const seen = new Set<string>();
  return all.filter((emoji) => !seen.has(emojiKey(emoji)) && seen.add(emojiKey(emoji)));
}

/** A person or a hand alone: of couples, wrestlers and families each person has a tone of their own, and some have none. */
const ONE_PERSON = /^(?!1f46[af]|1f93c)[0-9a-f]+(?!.*-1f(?:46[6-9]|9d[12]))/;

/** The code in a skin tone; undefined for what has none. */
export function inTone({ emoji_code: code, reaction_type: type }: Emoji, tone: SkinTone): string | undefined {
  const [first = '', ...rest] = code.split('-');
  if (tone === 0 || type !== 'unicode_emoji' || !ONE_PERSON.test(code)) return undefined;
  if (!/^\p{Emoji_Modifier_Base}$/u.test(String.fromCodePoint(Number.parseInt(first, 16)))) return undefined;
  return [first, `1f3f${(0xa + tone).toString(16)}`, ...rest].join('-');
}
