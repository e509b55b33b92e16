import { openTag } from '../html.js';
import { EMOJI_LINES } from './emoji.generated.js';

const codeByName = new Map<string, string>();
const namesByCode: Record<string, readonly string[]> = Object.create(null) as Record<string, readonly string[]>;
const groups: { readonly name: string; readonly codes: string[] }[] = [];
for (const line of EMOJI_LINES.trim().split('\n')) {
  const [code = '', ...names] = line.split(' ');
  if (code === '#') {
    groups.push({ name: names[0] ?? '', codes: [] });
    continue;
  }
  groups.at(-1)?.codes.push(code);
  namesByCode[code] = names;
  for (const name of names) codeByName.set(name, code);
}

/**
 * All Unicode emoji: code (dash-joined lower-case hexadecimal code points, variation selectors dropped) to names, canonical first.
 * This is the `code_to_names` of the file at `server_emoji_data_url`.
 */
export const emojiNamesByCode: Readonly<Record<string, readonly string[]>> = Object.freeze(namesByCode);

/** Codes of all Unicode emoji in Unicode's order, by its groups: `smileys`, `people`, …, `flags`. */
export const emojiGroups: readonly { readonly name: string; readonly codes: readonly string[] }[] = groups;

/** The code of a Unicode emoji by any of its names: `emojiByName('tada') === '1f389'`. */
export function emojiByName(name: string): string | undefined {
  return codeByName.get(name);
}

/** `<span aria-label="slight smile" class="emoji emoji-1f642" role="img" title="slight smile">:slight_smile:</span>` */
export function emojiHtml(code: string, name: string): string {
  const label = name.replaceAll('_', ' ');
  return `${openTag('span', { 'aria-label': label, class: `emoji emoji-${code}`, role: 'img', title: label })}:${name}:</span>`;
}

/** `<img alt=":name:" class="emoji" src="…" title="name">` */
export function customEmojiHtml(name: string, url: string): string {
  return openTag('img', { alt: `:${name}:`, class: 'emoji', src: url, title: name.replaceAll('_', ' ') });
}

const PART = String.raw`\p{Extended_Pictographic}(?:\uFE0F|\p{Emoji_Modifier})?(?:[\u{E0020}-\u{E007F}]{1,8})?`;

/** One emoji as a reader sees it: a flag, a keycap, or pictographs joined by zero-width joiners. */
export const EMOJI_SEQUENCE = new RegExp(
  String.raw`\p{Regional_Indicator}{2}|[#*0-9]\uFE0F?\u20E3|${PART}(?:\u200D${PART}){0,8}`,
  'gu',
);

/** Quick check before `EMOJI_SEQUENCE`: nothing below U+203C begins one, except keycaps. */
export const MAYBE_EMOJI = /[\u203c-\u2bff\u3030-\u303d\u3297-\u3299\ud83c-\ud83e]|\u20e3/;

/**
 * The code of an emoji found in text; `undefined` for those that stay text: unknown ones, ones with a skin tone (whose
 * code does not contain the tone), and arrows or letter-like signs that are rarely meant as pictures.
 */
export function codeOfCharacters(sequence: string): string | undefined {
  const points = Array.from(sequence, (char) => char.codePointAt(0) ?? 0);
  const [first, second] = points;
  if (second === undefined && first !== undefined && first < 0x2300) return undefined;
  const code = points
    .filter((point) => point !== 0xfe0f)
    .map((point) => point.toString(16).padStart(4, '0'))
    .join('-');
  return namesByCode[code] === undefined ? undefined : code;
}

const EMOTICONS = new Map([
  [':)', '1f642'],
  ['(:', '1f642'],
  [':(', '1f641'],
  ['<3', '2764'],
  [':|', '1f610'],
  [':/', '1f615'],
  [';)', '1f609'],
  [':D', '1f600'],
  [':o', '1f62e'],
  [':O', '1f62e'],
  [':p', '1f61b'],
  [':P', '1f61b'],
]);

/** Emoticons between blanks, brackets, quotes and punctuation. */
export const EMOTICON = /(?<![^\s,.;?!()[\]"'])(?::[)(|/DoOpP]|\(:|<3|;\))(?![^\s,.;?!()[\]"'])/g;

/** The code of an emoticon matched by `EMOTICON`. */
export function codeOfEmoticon(emoticon: string): string | undefined {
  return EMOTICONS.get(emoticon);
}
