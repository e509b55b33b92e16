import { stemmer } from 'stemmer';
import { STOP_WORDS } from './stop-words.js';

/** Longer runs are not words; characters beyond this are ignored. UTF-16 units. */
const WORD_LENGTH_MAX = 64;
/** Distinct words cached with their stems: most text consists of few. */
const STEMS_MAX = 20_000;

const ASCII_RUN = /[A-Za-z0-9]+/g;
const RUN = /[\p{L}\p{M}\p{N}]+/gu;
/** HTML tokens: tags, formulas in TeX, entities, and runs of letters, which alone have a group. */
const HTML_RUN = /<annotation\b[^<>]*>[^<]*|<[^<>]*>|&#?\w{1,10};|([\p{L}\p{M}\p{N}]+)/gu;
/** HTML tags, and formulas in TeX. */
const HTML_TAG = /<annotation\b[^<>]*>[^<]*|<[^<>]*>/g;
const MARKS = /\p{M}/gu;
/** Scripts without blanks between words: each character counts as a word. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** The mark of a long vowel belongs to the kana before it, though it is of no one script. */
const UNSPACED_RUN = new RegExp(`${UNSPACED.source}(?:${UNSPACED.source}|ー)*`, 'gu');
const PIECES = new RegExp(`(${UNSPACED.source})|(?:(?!${UNSPACED.source})[^])+`, 'gu');

const stems = new Map<string, string>();

/** A word in its normalised form, and its place: UTF-16 units, the end exclusive. */
export interface Word {
  /** The empty string for a stop word. */
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** The words of a text without stop words. */
export function wordsOf(text: string): Set<string> {
  const found = new Set<string>();
  // Most text is ASCII, and every send pays for this: no scripts to distinguish.
  if (isAscii(text)) for (const run of text.match(ASCII_RUN) ?? []) addWord(found, run);
  else for (const run of text.match(RUN) ?? []) addRun(found, run);
  return found;
}

/** The words of the visible text of HTML, without stop words. */
export function wordsOfHtml(html: string): Set<string> {
  const found = new Set<string>();
  for (const [, run] of html.matchAll(HTML_RUN)) if (run !== undefined) addRun(found, run);
  return found;
}

/** Every word of the visible text of HTML, in order. */
export function* wordsInHtml(html: string): Generator<Word, void, void> {
  for (const match of html.matchAll(HTML_RUN)) {
    const run = match[1];
    if (run === undefined) continue;
    for (const { text, start } of piecesOf(run)) {
      const from = match.index + start;
      yield { word: stemOf(text), start: from, end: from + text.length };
    }
  }
}

/** Every stretch of visible text of HTML, with entities as written. */
export function* textsInHtml(html: string): Generator<{ readonly text: string; readonly start: number }, void, void> {
  let start = 0;
  for (const { 0: tag, index } of html.matchAll(HTML_TAG)) {
    if (index > start) yield { text: html.slice(start, index), start };
    start = index + tag.length;
  }
  if (start < html.length) yield { text: html.slice(start), start };
}

/** Runs of characters of scripts without blanks, which are searched as written. */
export function unspacedRunsOf(text: string): readonly string[] {
  return text.match(UNSPACED_RUN) ?? [];
}

function addRun(found: Set<string>, run: string): void {
  for (const { text } of piecesOf(run)) addWord(found, text);
}

function addWord(found: Set<string>, text: string): void {
  const word = stemOf(text);
  if (word !== '') found.add(word);
}

function piecesOf(run: string): readonly { readonly text: string; readonly start: number }[] {
  if (!UNSPACED.test(run)) return [{ text: run, start: 0 }];
  return Array.from(run.matchAll(PIECES), ({ 0: text, index }) => ({ text, start: index }));
}

/** Normalised form of a word: without case, accents and endings. */
function stemOf(raw: string): string {
  const known = stems.get(raw);
  if (known !== undefined) return known;
  const cut = raw.slice(0, WORD_LENGTH_MAX);
  const plain = isAscii(cut) ? cut.toLowerCase() : cut.normalize('NFKD').replace(MARKS, '').toLowerCase();
  const stem = STOP_WORDS.has(plain) ? '' : /^[a-z]{3,}$/.test(plain) ? stemmer(plain) : plain;
  if (stems.size >= STEMS_MAX) stems.clear();
  stems.set(raw.length > WORD_LENGTH_MAX ? cut : raw, stem);
  return stem;
}

function isAscii(text: string): boolean {
  // eslint-disable-next-line no-control-regex -- the range is meant
  return /^[\x00-\x7f]*$/.test(text);
}
