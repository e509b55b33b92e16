import { isDeepStrictEqual } from 'node:util';
import type { CollectionSchema, WordField } from '../read-store.js';
import { checkedName } from '../schema.js';
import type { KeySpan } from './key-span.js';
import type { Sql, SqliteDatabase } from './sqlite-database.js';
import { quoted } from './sqlite-database.js';

type Document = Readonly<Record<string, unknown>>;

/**
 * Characters that the tokenizer does not treat as parts of words, and the one that escapes them; it folds the case of ASCII letters, so
 * capitals are among them.
 */
const SPELT = /[^a-z0-9\u{80}-\u{d7ff}\u{e000}-\u{10ffff}]/gu;

/**
 * Changes after which parts of the index are merged: one page for every second one, which takes a millisecond or two, or as
 * long as the most frequent word takes, which is merged in one piece. By itself, FTS5 writes hundreds of pages at once, after
 * some two thousand changes.
 */
const CHANGES_PER_MERGE = 32;

/** Fewer documents are inserted one by one. For more, one statement for all of them takes half of the time. */
const ROWS_TOGETHER_MIN = 8;
/** Characters that one statement inserts: many documents, and no large copies of their words. */
const LENGTH_TOGETHER_MAX = 262_144;

/** Words of a document that are to be inserted, as tokens. */
export type AddedWords = readonly [key: number, text: string];

/** Documents with a rare word: FTS5 looks each up in the lists of the other words, some microseconds each. */
const RARE_MAX = 500;

/**
 * Full-text index (FTS5) of documents, without text or word positions: about two bytes per word of a document, against
 * twenty for a row of a `ListTable`. It returns the keys of matching documents in key order.
 */
export class WordTable {
  readonly table: string;
  readonly field: string;
  readonly #insertOne: string;
  readonly #insertMany: string;
  readonly #remove: string;
  readonly #keepFromMerging: string;
  readonly #mergePages: (pages: number) => string;
  #changes = 0;
  #isConfigured = false;

  constructor(
    private readonly db: SqliteDatabase,
    schema: CollectionSchema,
    private readonly words: WordField,
    owner: string,
  ) {
    if (schema.key !== 'integer') throw new Error(`${schema.name} has words, and so needs integer keys.`);
    this.field = words.field;
    this.table = quoted(`${owner}__${checkedName(words.field, 'field')}`);
    this.#insertOne = `INSERT INTO ${this.table} (rowid, words) VALUES (?, ?)`;
    // One parameter for all of them: an object whose names are the keys.
    this.#insertMany = `INSERT INTO ${this.table} (rowid, words) SELECT CAST(key AS INTEGER), value FROM json_each(?)`;
    this.#remove = `INSERT INTO ${this.table} (${this.table}, rowid, words) VALUES ('delete', ?, ?)`;
    const setting = `INSERT INTO ${this.table} (${this.table}, rank)`;
    this.#keepFromMerging = `${setting} VALUES ('automerge', 0)`;
    this.#mergePages = (pages) => `${setting} VALUES ('merge', ${pages})`;
  }

  create(): void {
    const options = `content='', columnsize=0, detail=none, tokenize="ascii tokenchars '_'"`;
    this.db.exec(`CREATE VIRTUAL TABLE ${this.table} USING fts5 (words, ${options})`);
  }

  drop(): void {
    this.db.exec(`DROP TABLE IF EXISTS ${this.table}`);
  }

  /** Pattern of the documents that have all these words. */
  match(words: readonly string[]): string {
    return words.map((word) => `"${spelt(word)}"`).join(' AND ');
  }

  /**
   * Of words that must all occur in a span, those that FTS5 should match: all when one is rare, else the one with the fewest
   * documents there. FTS5 looks for the first document with all words in the whole index, wherever the span is; with a rare
   * word that takes few steps, and with frequent ones that are never together, as many as there are documents.
   */
  matchedTogether(wanted: readonly string[], span: KeySpan): readonly string[] {
    if (wanted.length === 1 || wanted.some((word) => this.#count(this.keysOf(word)) <= RARE_MAX)) return wanted;
    const counts = wanted.map((word) => this.#count(this.keysOf(word, span)));
    return [wanted[counts.indexOf(Math.min(...counts))] ?? ''];
  }

  /** Statement that finds the keys of documents with the word; within the span, when given. */
  keysOf(word: string, span?: KeySpan): Sql {
    const found = `SELECT rowid FROM ${this.table} WHERE ${this.table} MATCH ?`;
    const params = [this.match([word])];
    if (span === undefined) return { text: found, params };
    const within = this.inSpan('rowid', span);
    return { text: `${found} AND ${within.text}`, params: [...params, ...within.params] };
  }

  /**
   * Condition that a row of the index is in the span, which is then all that is read of it. FTS5 reads everything unless
   * the bounds are integers, and numbers are bound as real ones.
   */
  inSpan(column: string, { first, last }: KeySpan): Sql {
    return { text: `${column} BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)`, params: [first, last] };
  }

  /**
   * Removes what a document's new content no longer has; undefined means no document. Additions are returned, so that those of many
   * documents can be inserted together.
   */
  replace(key: number, before: Document | undefined, after: Document | undefined): AddedWords | undefined {
    // Most writes, such as a reaction, change no field with words, and indexing words costs more than all the rest.
    if (before !== undefined && after !== undefined && this.#saysTheSame(before, after)) return undefined;
    const old = this.#textOf(before);
    const now = this.#textOf(after);
    if (old === now) return undefined;
    // The index keeps no text, so a removal must name the old words.
    if (old !== '') this.db.run(this.#remove, [key, old]);
    this.#changes++;
    return now === '' ? undefined : [key, now];
  }

  insert(added: readonly AddedWords[]): void {
    if (added.length < ROWS_TOGETHER_MIN) {
      for (const one of added) this.db.run(this.#insertOne, one);
      return;
    }
    let members = '';
    for (const [key, text] of added) {
      // Tokens have no character that JSON escapes.
      members += `${members === '' ? '' : ','}"${key}":"${text}"`;
      if (members.length < LENGTH_TOGETHER_MAX) continue;
      this.db.run(this.#insertMany, [`{${members}}`]);
      members = '';
    }
    if (members !== '') this.db.run(this.#insertMany, [`{${members}}`]);
  }

  /**
   * Whether the documents, in the order of their keys, are found by each of their words. By one word at a time, within their span: for
   * several together, FTS5 goes through all documents before them that have these words.
   */
  hasAll(documents: readonly (readonly [key: number, doc: Document])[]): boolean {
    const keys = new Map<string, number[]>();
    for (const [key, doc] of documents)
      for (const word of this.words.of(doc)) {
        const named = keys.get(word);
        if (named === undefined) keys.set(word, [key]);
        else named.push(key);
      }
    const span = { first: documents[0]?.[0] ?? 0, last: documents.at(-1)?.[0] ?? 0 };
    for (const [word, named] of keys) {
      const { text, params } = this.keysOf(word, span);
      const found = new Set(this.db.rows(text, params).map(([key]) => key));
      if (!named.every((key) => found.has(key))) return false;
    }
    return true;
  }

  /** Number of keys; where there are more than some, only that. */
  #count({ text, params }: Sql): number {
    const [row] = this.db.rows(`SELECT count(*) FROM (${text} LIMIT ${RARE_MAX + 1})`, params);
    return row?.[0] as number;
  }

  /** Merges as much as has changed, at most once for all changes of a step. */
  merge(): void {
    if (this.#changes < CHANGES_PER_MERGE) return;
    // The setting is kept in the file; one from before does not have it.
    if (!this.#isConfigured) this.db.run(this.#keepFromMerging, []);
    this.#isConfigured = true;
    // Powers of two, for few statements.
    this.db.run(this.#mergePages(2 ** Math.floor(Math.log2(this.#changes / 2))), []);
    this.#changes = 0;
  }

  #saysTheSame(before: Document, after: Document): boolean {
    return this.words.from.every((field) => isDeepStrictEqual(before[field], after[field]));
  }

  #textOf(doc: Document | undefined): string {
    if (doc === undefined) return '';
    let text = '';
    // A word that is given twice is indexed once by FTS5.
    for (const word of this.words.of(doc)) text += text === '' ? spelt(word) : ` ${spelt(word)}`;
    return text;
  }
}

/** Encodes any word as one token of the index. */
function spelt(word: string): string {
  if (isPlain(word)) return word;
  if (word === '') return '_';
  return word.replace(SPELT, (char) => `_${(char.codePointAt(0) ?? 0).toString(16)}_`);
}

/** Whether nothing of a word is escaped. Every word of every message passes here: a loop takes a quarter of a pattern's time. */
function isPlain(word: string): boolean {
  for (let at = 0; at < word.length; at++) {
    const unit = word.charCodeAt(at);
    const isKept = (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39) || (unit >= 0x80 && unit < 0xd800);
    if (!isKept) return false;
  }
  return word !== '';
}
