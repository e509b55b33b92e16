/** Names and codes of emoji: the server's, and those of the organization. */
import type { ChatState } from './model/chat-state.js';
import type { Emoji } from './model/wire.js';

let loading: Promise<readonly Emoji[]> | undefined;

/** All emoji that are characters, under all of their names. Loaded once, when they are needed. */
export function loadEmoji(): Promise<readonly Emoji[]> {
  loading ??= fetch('/static/emoji.json')
    .then((answer) => answer.json())
    .then(({ code_to_names }: { readonly code_to_names: Readonly<Record<string, readonly string[]>> }) =>
      Object.entries(code_to_names).flatMap(([code, names]) =>
        names.map((name) => ({ emoji_name: name, emoji_code: code, reaction_type: 'unicode_emoji' })),
      ),
    )
    .catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
  return loading;
}

/** What can be chosen: emoji of the organization that are in use, and the characters whose names these do not take. */
export function offeredEmoji(characters: readonly Emoji[], pictures: ChatState['pictures']): readonly Emoji[] {
  const own = [...pictures.values()]
    .filter(({ deactivated }) => !deactivated)
    .map(({ id, name }) => ({ emoji_name: name, emoji_code: id, reaction_type: 'realm_emoji' }));
  const taken = new Set(own.map(({ emoji_name }) => emoji_name));
  return [...own, ...characters.filter(({ emoji_name }) => !taken.has(emoji_name))];
}

export const emojiKey = ({ emoji_code, reaction_type }: Emoji): string => `${reaction_type} ${emoji_code}`;

/** Codes of those that come first while nothing is typed. */
const USUAL = '1f44d 1f389 1f642 2764 1f440 1f64f 2705 1f604 1f622 1f914 1f680 1f44b 1f44f'.split(' ');

/** Emoji for a few letters: names that begin with them first. Without letters, those that are used most. */
export function findEmoji(all: readonly Emoji[], query: string, most: number): readonly Emoji[] {
  if (query === '') {
    const usual = USUAL.flatMap((code) => all.find(({ emoji_code }) => emoji_code === code) ?? []);
    const others = all.filter(({ emoji_code }) => !USUAL.includes(emoji_code));
    return distinct([...usual, ...others]).slice(0, most);
  }
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
