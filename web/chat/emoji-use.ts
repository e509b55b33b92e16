/** Which emoji the reader picks, and in which skin tone: kept by this browser, by account. */

/** More are never shown as those that are used most. */
const KEPT_MAX = 60;
/** What is picked first of all, until the reader has picked others: codes. */
const USUAL = '1f44d 1f389 1f642 2764 1f440 1f64f 2705 1f604 1f622 1f914 1f680 1f44b 1f44f'.split(' ');

/** From none (0) to the darkest (5), as `U+1F3FB` to `U+1F3FF` are numbered. */
export type SkinTone = 0 | 1 | 2 | 3 | 4 | 5;
export const SKIN_TONES: readonly SkinTone[] = [0, 1, 2, 3, 4, 5];

export interface EmojiUse {
  readonly tone: SkinTone;
  /** How often each was picked, by key. */
  readonly counts: Readonly<Record<string, number>>;
}

const NONE: EmojiUse = { tone: 0, counts: {} };
const nameOf = (meId: number): string => `chat/${meId}/emoji`;
/** Where storage is forbidden or full, it is known as long as the page lives. */
const known = new Map<number, EmojiUse>();

export function emojiUse(meId: number): EmojiUse {
  try {
    const text = localStorage.getItem(nameOf(meId));
    const kept: unknown = text === null ? undefined : JSON.parse(text);
    return isUse(kept) ? kept : (known.get(meId) ?? NONE);
  } catch {
    return known.get(meId) ?? NONE;
  }
}

function isUse(kept: unknown): kept is EmojiUse {
  if (typeof kept !== 'object' || kept === null) return false;
  const { tone, counts } = kept as Partial<Record<keyof EmojiUse, unknown>>;
  if (!SKIN_TONES.some((one) => one === tone) || typeof counts !== 'object' || counts === null) return false;
  return Object.values(counts).every((count) => typeof count === 'number');
}

export function keepTone(meId: number, tone: SkinTone): void {
  keep(meId, { ...emojiUse(meId), tone });
}

/** Counts a pick. Of too many, the one that was picked least goes, but never the newest. */
export function countUse(meId: number, key: string): void {
  const use = emojiUse(meId);
  const { [key]: before = 0, ...others } = use.counts;
  const most = Object.entries(others)
    .sort(([, a], [, b]) => b - a)
    .slice(0, KEPT_MAX - 1);
  keep(meId, { ...use, counts: Object.fromEntries([[key, before + 1], ...most]) });
}

function keep(meId: number, use: EmojiUse): void {
  known.set(meId, use);
  try {
    localStorage.setItem(nameOf(meId), JSON.stringify(use));
  } catch {
    // It is known as long as the page lives.
  }
}

/** Those that are picked most, and then the usual ones. */
export function mostUsed<T>(use: EmojiUse, byKey: ReadonlyMap<string, T>, most: number): readonly T[] {
  const own = Object.entries(use.counts)
    .sort(([, a], [, b]) => b - a)
    .map(([key]) => key);
  const keys = new Set([...own, ...USUAL.map((code) => `unicode_emoji ${code}`)]);
  return [...keys].flatMap((key) => byKey.get(key) ?? []).slice(0, most);
}
