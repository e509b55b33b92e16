/** A run of letters and digits, or one other character that is not a blank. */
const TOKEN = /[\p{L}\p{M}\p{N}_]+|\S/gu;
const WORD_CHARACTER = /[\p{L}\p{M}\p{N}_]/u;

/**
 * Finds the users whose alert words a text contains: at word boundaries, regardless of case (rules.md §7). Words are
 * indexed by their first token, so the cost grows with the text's length and not with the number of alert words.
 */
export class AlertWordIndex {
  /** By first token and then by word, both in lower case. */
  readonly #byToken = new Map<string, Map<string, Set<number>>>();

  /** @param word in lower case */
  add(userId: number, word: string): void {
    const token = firstToken(word);
    let words = this.#byToken.get(token);
    if (words === undefined) this.#byToken.set(token, (words = new Map<string, Set<number>>()));
    const users = words.get(word);
    if (users === undefined) words.set(word, new Set([userId]));
    else users.add(userId);
  }

  remove(userId: number, word: string): void {
    const token = firstToken(word);
    const words = this.#byToken.get(token);
    const users = words?.get(word);
    if (words === undefined || users === undefined) return;
    users.delete(userId);
    if (users.size === 0) words.delete(word);
    if (words.size === 0) this.#byToken.delete(token);
  }

  usersAlertedBy(text: string): ReadonlySet<number> {
    if (this.#byToken.size === 0) return NOBODY;
    const lower = text.toLowerCase();
    const alerted = new Set<number>();
    const found = new Set<ReadonlySet<number>>();
    for (const { 0: token, index } of lower.matchAll(TOKEN)) {
      for (const [word, users] of this.#byToken.get(token) ?? []) {
        if (found.has(users) || !lower.startsWith(word, index)) continue;
        if (isWordCharacterBefore(lower, index) || isWordCharacterAt(lower, index + word.length)) continue;
        found.add(users);
        for (const userId of users) alerted.add(userId);
      }
    }
    return alerted;
  }
}

const NOBODY: ReadonlySet<number> = new Set();

function firstToken(word: string): string {
  return word.match(TOKEN)?.[0] ?? word;
}

function isWordCharacterAt(text: string, index: number): boolean {
  const code = text.codePointAt(index);
  return code !== undefined && WORD_CHARACTER.test(String.fromCodePoint(code));
}

function isWordCharacterBefore(text: string, index: number): boolean {
  if (index === 0) return false;
  // Second half of a character beyond the BMP: the character begins one unit earlier.
  const isLowHalf = (text.charCodeAt(index - 1) & 0xfc00) === 0xdc00;
  return isWordCharacterAt(text, index - (isLowHalf && index > 1 ? 2 : 1));
}
