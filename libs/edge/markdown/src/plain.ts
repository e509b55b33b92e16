/**
 * Most messages are a few words without markup. Content of characters without a meaning for Markdown, links, emoji and
 * mentions is recognised in one pass, so that it needs no parser and its HTML need not be stored. The test is
 * one-sided: it may reject harmless content, but never accepts other content (a property test compares it with the full
 * parser).
 */

const NEVER = 0;
/** No meaning anywhere, including the start of a line. */
const ANYWHERE = 1;
/** A meaning only at the start of a line, where it could begin a list, a rule or a heading. */
const INSIDE_LINE = 2;
/** No meaning before a blank or the end: otherwise it could be part of a link or an emoji. */
const BEFORE_BLANK = 3;
/** No meaning anywhere, but a line may not be a number followed by a list marker. */
const DIGIT = 4;

const ASCII = new Uint8Array(128).fill(NEVER);
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"\'(/,;?!%')
  ASCII[char.charCodeAt(0)] = ANYWHERE;
for (const char of ' )-+=_#') ASCII[char.charCodeAt(0)] = INSIDE_LINE;
for (const char of '.:') ASCII[char.charCodeAt(0)] = BEFORE_BLANK;
for (const char of '0123456789') ASCII[char.charCodeAt(0)] = DIGIT;

const NEWLINE = 10;
const SPACE = 32;

/** Letters of the common scripts and typographic punctuation, in ranges without emoji, blanks and controls. */
function isPlainBeyondAscii(code: number): boolean {
  return (
    (code >= 0xc0 && code <= 0x167f) || // Latin, Greek, Cyrillic, Armenian, Hebrew, Arabic, Indic, Ethiopic, …
    (code >= 0x1e00 && code <= 0x1fff) ||
    (code >= 0x2010 && code <= 0x2027) || // dashes, quotation marks, bullets, ellipsis
    (code >= 0x3041 && code <= 0x30ff) || // kana
    (code >= 0x3400 && code <= 0x4dbf) ||
    (code >= 0x4e00 && code <= 0x9fff) ||
    (code >= 0xac00 && code <= 0xd7a3)
  );
}

/** Whether rendering `content` (normalized, see `normalizeContent`) certainly changes only its line ends. */
export function isPlain(content: string): boolean {
  const length = content.length;
  if (length === 0) return false;
  let atLineStart = true;
  let numberAtLineStart = false;
  for (let index = 0; index < length; index++) {
    const code = content.charCodeAt(index);
    if (code === NEWLINE) {
      if (atLineStart || content.charCodeAt(index - 1) === SPACE) return false;
      atLineStart = true;
      continue;
    }
    const kind = code < 128 ? ASCII[code] : isPlainBeyondAscii(code) ? ANYWHERE : NEVER;
    if (kind === NEVER) return false;
    if (atLineStart) {
      if (kind === INSIDE_LINE || kind === BEFORE_BLANK) return false;
      numberAtLineStart = kind === DIGIT;
      atLineStart = false;
    } else if (kind === BEFORE_BLANK) {
      if (numberAtLineStart) return false;
      const next = index + 1 < length ? content.charCodeAt(index + 1) : SPACE;
      if (next !== SPACE && next !== NEWLINE) return false;
    } else if (kind !== DIGIT) {
      if (numberAtLineStart && code === 41) return false;
      numberAtLineStart = false;
    }
  }
  return !atLineStart && content.charCodeAt(length - 1) !== SPACE;
}

/** The HTML of plain content, equal to the result of `render`. Only for content that `isPlain`. */
export function plainHtml(content: string): string {
  return content.includes('\n') ? `<p>${content.replaceAll('\n', '<br>\n')}</p>` : `<p>${content}</p>`;
}
