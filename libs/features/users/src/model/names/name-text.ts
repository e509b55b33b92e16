/** Emoji sequences, whose variation selectors and joiners are allowed. */
const EMOJI =
  /(?:\p{Extended_Pictographic}\uFE0F?[\u{1F3FB}-\u{1F3FF}]?(?:\u200D\p{Extended_Pictographic}\uFE0F?[\u{1F3FB}-\u{1F3FF}]?)*|[0-9#*]\uFE0F?\u20E3)/gu;

/**
 * Invisible code points: controls, formats (zero-width, bidirectional), surrogates, private and unassigned ones, line and
 * paragraph separators, default-ignorable ones (fillers, variation selectors, tags), and the Braille blank.
 */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

const SPACES = /\p{Zs}/gu;
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;
const PRINTABLE_ASCII = /^[ -~]*$/;

/** Normalises a name of a user, channel, group or organization for storage: NFC, ASCII spaces, trimmed. */
export function normalizedName(raw: string): string {
  return raw.normalize('NFC').replace(SPACES, ' ').trim();
}

/** Index, in code points, of the first invisible one; -1 for none. Names that differ only in such look the same. */
export function hiddenCharacterIn(name: string): number {
  const drawn = name.replace(EMOJI, (emoji) => 'x'.repeat(Array.from(emoji).length));
  return Array.from(drawn).findIndex((character) => HIDDEN.test(character));
}

/**
 * Key of a name that has to be nobody else's (`require_unique_names`): also regardless of compatibility forms, such as
 * ligatures and full width, and by full case folding, which two conversions amount to.
 */
export function uniqueNameKey(name: string): string {
  return nameKey(name.normalize('NFKC').toUpperCase());
}

/** Lookup and uniqueness key of a name: regardless of case, Unicode composition, kind of space and invisible code points. */
export function nameKey(name: string): string {
  if (PRINTABLE_ASCII.test(name)) return name.toLowerCase();
  return name.normalize('NFC').replace(SPACES, ' ').replace(IGNORABLE, '').toLowerCase();
}
