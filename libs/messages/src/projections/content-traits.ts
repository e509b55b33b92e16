import { wordsOf, wordsOfHtml } from '../search/words.js';

/** What a message may have, for `has:` narrows. */
export type Trait = 'link' | 'image' | 'attachment' | 'reaction';

/** Links that a reader would follow: those to channels and messages of our own are no more than names. */
const LINK = /<a (?![^>]*\bclass="(?:stream|stream-topic|message-link)")[^>]*\bhref="/;
const IMAGE = /<div class="message_inline_image"|<img (?![^>]*\bclass="emoji")[^>]*>/;
const UPLOAD = /\b(?:href|src|data-original-src)="\/user_uploads\//;

/** What the rendered content has, for `has:` (endpoints.md §3). */
export function traitsOf(html: string | undefined): readonly Trait[] {
  if (html === undefined) return [];
  const traits: Trait[] = [];
  if (LINK.test(html)) traits.push('link');
  if (IMAGE.test(html)) traits.push('image');
  if (UPLOAD.test(html)) traits.push('attachment');
  return traits;
}

/** All words of a message, as searches compare them: what can be read of its content, and its topic. */
export function messageWords(doc: {
  readonly content: string;
  readonly rendered?: string;
  readonly topic?: string;
}): Set<string> {
  const words = doc.rendered === undefined ? wordsOf(doc.content) : wordsOfHtml(doc.rendered);
  if (doc.topic !== undefined && doc.topic !== '') for (const word of wordsOf(doc.topic)) words.add(word);
  return words;
}

/** What the index of words holds of a message: by its sender too, so that what somebody said of a thing is found without going through all that was said of it. */
export function indexedWords(
  doc: Parameters<typeof messageWords>[0] & { readonly senderId: number },
): ReadonlySet<string> {
  return messageWords(doc).add(senderWord(doc.senderId));
}

/** Stands among the words, and is none that a text could have. */
export function senderWord(userId: number): string {
  return `@${userId}`;
}
