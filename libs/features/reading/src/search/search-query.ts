import { escapeText } from '#markdown';
import { unspacedRunsOf, wordsOf } from '#messages';

const PART = /"([^"]+)"|\S+/g;
/** A web address with or without its scheme, a host, a file name, or an e-mail address: found and marked as written. */
const ADDRESS =
  /^(?:[a-z][a-z0-9+.-]{0,20}:\/\/[^\s"]{1,200}|[^\s"@]{1,64}@[^\s"@]{1,200}|(?:[\p{L}\p{N}_-]{1,63}\.){1,10}[\p{L}\p{N}]{2,63}(?:[/?#:][^\s"]{0,200})?)$/iu;
/** Characters that may follow an address in a sentence without belonging to it. */
const PUNCTUATION_AFTER = `.,;:!?'")]}>`;
const LETTER = '[\\p{L}\\p{M}\\p{N}]';
/** Each is searched in the whole message. */
const MARKED_PHRASES_MAX = 50;
/** Longer phrases are not marked: the search could take time in proportion to their length at each character. */
const MARKED_LENGTH_MAX = 200;

/** Parts of a message that a search uses. */
export interface Searched {
  /** All words of content and topic. */
  readonly words: () => ReadonlySet<string>;
  readonly content: string;
  readonly topic: string;
}

/** Matches of a search to mark in HTML. */
export interface SearchMarks {
  /** In their normalised form. */
  readonly words: ReadonlySet<string>;
  /** Phrases to mark as a whole, as patterns on HTML. */
  readonly phrases: readonly RegExp[];
}

/**
 * A parsed `search` term (endpoints.md §3): all words, in any form, and each quoted phrase, each address and each run
 * of a script without blanks as written.
 */
export class SearchQuery {
  /** In their normalised form; empty when there are only stop words. */
  readonly words: ReadonlySet<string>;
  readonly marks: SearchMarks;
  /** In lower case. */
  readonly #phrases: readonly string[];

  constructor(text: string) {
    this.words = wordsOf(text);
    const phrases: string[] = [];
    const marked: string[] = [];
    const addresses: string[] = [];
    let others = '';
    for (const [part, quoted] of text.matchAll(PART)) {
      const address = withoutPunctuation(part);
      if (quoted === undefined && ADDRESS.test(address)) {
        addresses.push(address);
        continue;
      }
      // A single character counts as a word; longer runs are marked as runs.
      const runs = unspacedRunsOf(part).filter((run) => run.length > 1);
      marked.push(...runs);
      others += ` ${runs.reduce((rest, run) => rest.replace(run, ' '), part)}`;
      if (quoted === undefined) phrases.push(...runs);
      else phrases.push(quoted);
    }
    this.#phrases = [...phrases, ...addresses].map((phrase) => phrase.toLowerCase());
    this.marks = {
      words: wordsOf(others),
      phrases: [...patternsOf(marked, ''), ...patternsOf(addresses, LETTER)].slice(0, MARKED_PHRASES_MAX),
    };
  }

  /** There are only stop words, none of them quoted. Nothing matches. */
  get isEmpty(): boolean {
    return this.words.size === 0 && this.#phrases.length === 0;
  }

  matches({ words, content, topic }: Searched): boolean {
    if (this.isEmpty) return false;
    const there = words();
    for (const word of this.words) if (!there.has(word)) return false;
    if (this.#phrases.length === 0) return true;
    const [lowerContent, lowerTopic] = [content.toLowerCase(), topic.toLowerCase()];
    return this.#phrases.every((phrase) => lowerContent.includes(phrase) || lowerTopic.includes(phrase));
  }
}

function withoutPunctuation(part: string): string {
  let end = part.length;
  while (end > 0 && PUNCTUATION_AFTER.includes(part.charAt(end - 1))) end--;
  return part.slice(0, end);
}

/** @param bound pattern that must not occur right before or after; no restriction when empty */
function patternsOf(phrases: readonly string[], bound: string): readonly RegExp[] {
  return [...new Set(phrases)]
    .filter(({ length }) => length <= MARKED_LENGTH_MAX)
    .map((phrase) => {
      const literal = escapeText(phrase).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
      return new RegExp(bound === '' ? literal : `(?<!${bound})${literal}(?!${bound})`, 'giu');
    });
}
