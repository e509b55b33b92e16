import { isImagePath } from '#markdown';
import { wordsOf, wordsOfHtml } from './words.js';

/** Properties of a message for `has:` narrows. */
export type Trait = 'link' | 'image' | 'attachment' | 'reaction';

/** External links: those to channels and messages of the organization are only names. */
const LINK = /<a (?![^>]*\bclass="(?:stream|stream-topic|message-link)")[^>]*\bhref="/;
const IMAGE = /<div class="message_inline_image"|<img (?![^>]*\bclass="emoji")[^>]*>/;
const ADDRESS = /<a [^>]*\bhref="([^"]*)"/g;

/** Properties of the rendered content, for `has:` (endpoints.md §3). Attachments are known from the event. */
export function traitsOf(html: string | undefined): readonly Trait[] {
  if (html === undefined) return [];
  const traits: Trait[] = [];
  if (LINK.test(html)) traits.push('link');
  if (IMAGE.test(html) || linksToImage(html)) traits.push('image');
  return traits;
}

/** External images are links: whether they show a picture is judged by the address alone. */
function linksToImage(html: string): boolean {
  for (const [, address = ''] of html.matchAll(ADDRESS)) if (isImagePath(address)) return true;
  return false;
}

/** Fields from which the words of a message are derived. */
export const WORD_FIELDS = ['content', 'rendered', 'topic', 'senderId'] as const;

interface Worded {
  readonly content: string;
  readonly rendered?: string;
  readonly topic?: string;
}

/** Cached, because each term of a narrow asks for the words of the same message. */
let asked: { readonly doc: Worded; readonly words: ReadonlySet<string> } | undefined;

/** All words of a message, in normalised form: of its visible content, and its topic. */
export function messageWords(doc: Worded): ReadonlySet<string> {
  if (asked?.doc !== doc) asked = { doc, words: wordsOfMessage(doc) };
  return asked.words;
}

function wordsOfMessage(doc: Worded): Set<string> {
  const words = new Set(contentWords(doc));
  if (doc.topic !== undefined && doc.topic !== '') for (const word of wordsOf(doc.topic)) words.add(word);
  return words;
}

/** Cached, because a move asks for the words before and after: the content is parsed once. */
let latest: { readonly text: string; readonly isHtml: boolean; readonly words: ReadonlySet<string> } | undefined;

function contentWords({ content, rendered }: Worded): ReadonlySet<string> {
  const isHtml = rendered !== undefined;
  const text = rendered ?? content;
  if (latest?.text !== text || latest.isHtml !== isHtml)
    latest = { text, isHtml, words: isHtml ? wordsOfHtml(text) : wordsOf(text) };
  return latest.words;
}

/**
 * The index entries of a message: its words, and its sender, so that a search by sender and words need not scan all
 * messages with these words.
 */
export function indexedWords(doc: Worded & { readonly senderId: number }): ReadonlySet<string> {
  return wordsOfMessage(doc).add(senderWord(doc.senderId));
}

/** Index entry of a sender, which no word can equal. */
export function senderWord(userId: number): string {
  return `@${userId}`;
}
