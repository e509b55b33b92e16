import { unspacedRunsOf, wordsOf } from './words.js';

const PART = /"([^"]+)"|\S+/g;

/** What a search sees of a message. */
export interface Searched {
  /** All words of content and topic. */
  readonly words: () => ReadonlySet<string>;
  readonly content: string;
  readonly topic: string;
}

/** What a `search` term asks for (endpoints.md §3): all words, whatever their form, and each quoted phrase as it is written. */
export class SearchQuery {
  /** In the form in which words are compared; none when there were only stop words. */
  readonly words: ReadonlySet<string>;
  /** In lower case. */
  readonly #phrases: readonly string[];

  constructor(text: string) {
    this.words = wordsOf(text);
    const phrases: string[] = [];
    for (const [part, quoted] of text.matchAll(PART)) {
      if (quoted !== undefined) phrases.push(quoted.toLowerCase());
      else phrases.push(...unspacedRunsOf(part).filter((run) => run.length > 1));
    }
    this.#phrases = phrases;
  }

  /** Nothing to look for: there were only stop words, and none of them quoted. Nothing matches. */
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
