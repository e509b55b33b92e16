import { acceptContent, MESSAGE_LENGTH_MAX, normalizeTopic } from '#messages';
import { visible } from './names.js';

/** Messages of one sender in a row that stand for one message of another system. */
const PIECES_MAX = 20;
/** UTF-16 units of a text that are translated: more has no place in the messages that stand for it. */
export const TEXT_LENGTH_MAX = PIECES_MAX * MESSAGE_LENGTH_MAX;

/** How the markup of another system is translated. */
export interface Markup {
  /** Characters of which all of it has one. */
  readonly pattern: RegExp;
  /** Code, in one capturing group. */
  readonly code: RegExp;
  readonly codeOf: (code: string) => string;
  readonly proseOf: (prose: string) => string;
}

/** Translates what is code, and what is not. Overlong text is cut. */
export function translatedMarkup(whole: string, { pattern, code, codeOf, proseOf }: Markup): string {
  const text = whole.slice(0, TEXT_LENGTH_MAX);
  if (!pattern.test(text)) return text;
  return text
    .split(code)
    .map((part, index) => (index % 2 === 1 ? codeOf(part) : proseOf(part)))
    .join('');
}

/** Content in pieces that a message may hold; blank ones are left out. */
export function piecesOf(content: string): string[] {
  const clean = content.includes('\0') ? content.replaceAll('\0', '') : content;
  // Characters are counted only where it matters: no text has more of them than UTF-16 units.
  if (clean.length <= MESSAGE_LENGTH_MAX) return clean.trim() === '' ? [] : [acceptContent(clean)];
  const characters = Array.from(clean);
  const pieces: string[] = [];
  for (let from = 0; from < characters.length && pieces.length < PIECES_MAX; from += MESSAGE_LENGTH_MAX) {
    const piece = characters.slice(from, from + MESSAGE_LENGTH_MAX).join('');
    if (piece.trim() !== '') pieces.push(acceptContent(piece));
  }
  return pieces;
}

/** A topic from the beginning of a text. */
export function topicFrom(text: string, fallback: string): string {
  // Longer than a topic, shorter than a message: only the beginning is looked at.
  const beginning = text.slice(0, 500);
  const words = visible(beginning.replaceAll(/[*_`~#>[\]]/g, '').replaceAll(/\s+/g, ' '), 50);
  try {
    return normalizeTopic(words) || fallback;
  } catch {
    return fallback;
  }
}

/** A link in Markdown. */
export function linkTo(label: string, target: string): string {
  return `[${label.replaceAll(/[[\]\n]/g, ' ')}](${target.replaceAll(')', '%29')})`;
}

/** A card below a message, in the form that several systems have it. */
export interface Card {
  readonly fallback?: string | null | undefined;
  readonly pretext?: string | null | undefined;
  readonly title?: string | null | undefined;
  readonly title_link?: string | null | undefined;
  readonly text?: string | null | undefined;
}

/** The text of a card. */
export function textOfCard({ title, title_link, pretext, text, fallback }: Card): string {
  const heading = isFilled(title) && isFilled(title_link) ? linkTo(title, title_link) : title;
  return [pretext, heading, text].filter(isFilled).join('\n') || (fallback ?? '');
}

function isFilled(text: string | null | undefined): text is string {
  return text !== undefined && text !== null && text !== '';
}
