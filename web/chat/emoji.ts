/** Names and codes of emoji: the server's. */
import { characterOf } from '../shared/rendered-html.js';

export interface Emoji {
  readonly name: string;
  readonly code: string;
  readonly character: string;
}

let loading: Promise<readonly Emoji[]> | undefined;

/** All emoji under all of their names. Loaded once, when they are needed. */
export function loadEmoji(): Promise<readonly Emoji[]> {
  loading ??= fetch('/static/emoji.json')
    .then((answer) => answer.json())
    .then(({ code_to_names }: { readonly code_to_names: Readonly<Record<string, readonly string[]>> }) =>
      Object.entries(code_to_names).flatMap(([code, names]) =>
        names.map((name) => ({ name, code, character: characterOf(code) })),
      ),
    )
    .catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
  return loading;
}

/** Emoji for a few letters: names that begin with them first. */
export function findEmoji(all: readonly Emoji[], query: string, most: number): readonly Emoji[] {
  const wanted = query.toLowerCase().replaceAll(' ', '_');
  const rank = ({ name }: Emoji): number =>
    name === wanted ? 0 : name.startsWith(wanted) ? 1 : name.includes(wanted) ? 2 : 3;
  const seen = new Set<string>();
  return all
    .map((emoji) => ({ emoji, at: rank(emoji) }))
    .filter(({ at }) => at < 3)
    .sort((a, b) => a.at - b.at)
    .map(({ emoji }) => emoji)
    .filter(({ code }) => !seen.has(code) && seen.add(code))
    .slice(0, most);
}
