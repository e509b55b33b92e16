import { textsInHtml, wordsInHtml } from '#messages';
import type { SearchMarks } from './search-query.js';

const BEGIN = '<span class="highlight">';
const END = '</span>';

/** Offsets in UTF-16 units, the end exclusive. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Wraps every match in the HTML (endpoints.md §3, `match_content`): phrases as a whole, words one by one. Tags and
 * entities stay unchanged.
 */
export function highlighted(html: string, { words, phrases }: SearchMarks): string {
  const found: Span[] = [];
  if (words.size > 0) for (const span of wordsInHtml(html)) if (words.has(span.word)) found.push(span);
  if (phrases.length > 0) found.push(...phrasesIn(html, phrases));
  let text = '';
  let copied = 0;
  for (const { start, end } of merged(found)) {
    text += html.slice(copied, start) + BEGIN + html.slice(start, end) + END;
    copied = end;
  }
  return text + html.slice(copied);
}

function* phrasesIn(html: string, phrases: readonly RegExp[]): Generator<Span, void, void> {
  for (const { text, start } of textsInHtml(html)) {
    for (const phrase of phrases) {
      for (const { 0: match, index } of text.matchAll(phrase))
        yield { start: start + index, end: start + index + match.length };
    }
  }
}

/** Sorts spans and merges those that overlap. */
function merged(spans: Span[]): readonly Span[] {
  const result: Span[] = [];
  for (const span of spans.sort((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last === undefined || span.start >= last.end) result.push(span);
    else if (span.end > last.end) result[result.length - 1] = { start: last.start, end: span.end };
  }
  return result;
}
