import { hiddenCharacterIn, nameKey, normalizedName } from '#users/model';
import { LIMITS } from '#realm/model';
import { checkFullName } from '#users';

/** Characters that names of people cannot have, since mentions would end at them. */
const FORBIDDEN_IN_NAMES = /[*`\\>"@]/g;
const CONTROL = /[\p{Cc}\p{Cs}]/gu;

/** Converts names of another system to valid, unique names. */
export class Names {
  readonly #taken = new Set<string>();

  /** @param wishes the first that can be made valid counts */
  person(wishes: readonly string[], fallback: string): string {
    for (const wish of wishes) {
      const name = visible(wish.replaceAll(FORBIDDEN_IN_NAMES, ' ').replaceAll(/\s+/g, ' '), 100);
      if (isValidName(name)) return name;
    }
    return fallback;
  }

  /** A channel's name, with a number when there is another of that name. */
  channel(wish: string, fallback: string): string {
    const name = visible(wish, LIMITS.max_stream_name_length - 5) || fallback;
    for (let number = 1; ; number++) {
      const candidate = number === 1 ? name : `${name} (${number})`;
      const key = nameKey(candidate);
      if (this.#taken.has(key)) continue;
      this.#taken.add(key);
      return candidate;
    }
  }
}

/** One line without invisible characters, of at most so many characters. */
export function visible(text: string, lengthMax: number): string {
  const line = normalizedName(text.replaceAll(CONTROL, ' '));
  const shown =
    hiddenCharacterIn(line) === -1
      ? line
      : Array.from(line)
          .filter((one) => hiddenCharacterIn(one) === -1)
          .join('');
  return Array.from(shown).slice(0, lengthMax).join('').trim();
}

function isValidName(name: string): boolean {
  try {
    return checkFullName(name) === name;
  } catch {
    return false;
  }
}
