import { BSON } from 'mongodb';
import type { Key } from '../../read-store.js';
import type { Content, StoredDocument } from '../document-codec.js';
import type { Operation, PlannedPrune } from './commit-plan.js';
import type { Entry } from './journal.js';

/** Documents that were read or written last. The hot ones (conversations, flags) are far smaller in sum. */
const BYTES_MAX = 16 * 1024 * 1024;
const OVERHEAD_BYTES = 200;

/** What the writer knows of a document. */
type Recent =
  | { readonly kind: 'there'; readonly content: Content; readonly at: number }
  | { readonly kind: 'gone'; readonly at: number }
  /** Written without a look at what was there before: the server knows, once the entry is applied. */
  | { readonly kind: 'unsure'; readonly at: number };

interface Kept {
  readonly physical: string;
  readonly key: Key;
  readonly recent: Recent;
  /** Entry whose application it has to wait for; 0 for none. */
  readonly number: number;
  readonly bytes: number;
}

/** Answer for one key: a document, none, or the entry to wait for before the server is asked. */
export type Recalled =
  | { readonly kind: 'there'; readonly content: Content }
  | { readonly kind: 'gone' }
  | { readonly kind: 'ask'; readonly after: number };

/**
 * Documents as the newest decided entry leaves them, for the process that writes them: it does not read from the server
 * what it has read or written a moment ago, and sees what is not applied yet. Bounded in bytes; what is not applied stays.
 */
export class RecentDocuments {
  /** In order of use. */
  readonly #kept = new Map<string, Kept>();
  /** By collection: the last entry that removed a range of keys. */
  readonly #pruned = new Map<string, number>();
  #bytes = 0;
  #applied = 0;
  #dropped = 0;

  /** Number of documents dropped so far: what a read that began before the last one says of them may be outdated. */
  get dropped(): number {
    return this.#dropped;
  }

  recall(physical: string, key: Key): Recalled {
    const id = idOf(physical, key);
    const kept = this.#kept.get(id);
    if (kept === undefined) return { kind: 'ask', after: this.#pruned.get(physical) ?? 0 };
    this.#kept.delete(id);
    this.#kept.set(id, kept);
    const { recent, number } = kept;
    return recent.kind === 'unsure' ? { kind: 'ask', after: number } : recent;
  }

  has(physical: string, key: Key): boolean {
    return this.#kept.get(idOf(physical, key))?.recent.kind === 'there';
  }

  /**
   * Takes in documents that were read from the server, unless they were written since.
   * @param since number of documents that had been dropped when they were asked for
   */
  loaded(physical: string, documents: readonly StoredDocument[], since: number): void {
    if (since !== this.#dropped) return;
    for (const { _id: key, p: at, gone, d, b } of documents) {
      const before = this.#kept.get(idOf(physical, key));
      const isOutdated = before !== undefined && (before.number > this.#applied || before.recent.at > at);
      if (gone !== undefined || before?.recent.kind === 'gone' || isOutdated) continue;
      this.#keep(physical, key, { kind: 'there', content: contentOf({ d, b }), at }, 0);
    }
    this.#evict();
  }

  /** Takes in the writes of a decided entry. */
  wrote({ number, position, groups, prunes }: Pick<Entry, 'number' | 'position' | 'groups' | 'prunes'>): void {
    for (const { physical, operations } of groups) {
      for (const operation of operations) this.#wrote(physical, operation, position, number);
    }
    for (const prune of prunes) this.#prune(prune, number);
    this.#evict();
  }

  /** The entries up to a number are applied: their documents may be dropped. */
  applied(number: number): void {
    this.#applied = number;
    for (const [physical, last] of this.#pruned) if (last <= number) this.#pruned.delete(physical);
    this.#evict();
  }

  clear(): void {
    this.#dropped++;
    this.#kept.clear();
    this.#pruned.clear();
    this.#bytes = 0;
  }

  #wrote(physical: string, { k: key, f, gone, d, b }: Operation, at: number, number: number): void {
    const before = this.#kept.get(idOf(physical, key));
    const known = before?.recent;
    if (known !== undefined && known.kind !== 'unsure' && known.at > at) return;
    const isSure = f === true || (known !== undefined && known.kind !== 'unsure');
    if (!isSure) this.#keep(physical, key, { kind: 'unsure', at: Math.max(at, known?.at ?? at) }, number);
    else if (gone !== undefined) this.#keep(physical, key, { kind: 'gone', at }, number);
    else this.#keep(physical, key, { kind: 'there', content: contentOf({ d, b }), at }, number);
  }

  #keep(physical: string, key: Key, recent: Recent, number: number): void {
    const id = idOf(physical, key);
    this.#drop(id);
    const size = recent.kind === 'there' ? BSON.calculateObjectSize(recent.content) : 0;
    const bytes = size + OVERHEAD_BYTES;
    this.#bytes += bytes;
    this.#kept.set(id, { physical, key, recent, number, bytes });
  }

  #prune({ physical, from, below }: PlannedPrune, number: number): void {
    this.#pruned.set(physical, number);
    this.#dropped++;
    for (const [id, kept] of this.#kept) {
      if (kept.physical === physical && mayBeIn(kept.key, from, below)) this.#drop(id);
    }
  }

  #drop(id: string): void {
    const kept = this.#kept.get(id);
    if (kept === undefined) return;
    this.#bytes -= kept.bytes;
    this.#kept.delete(id);
  }

  #evict(): void {
    if (this.#bytes <= BYTES_MAX) return;
    for (const [id, { number }] of this.#kept) {
      if (this.#bytes <= BYTES_MAX) return;
      if (number > this.#applied) continue;
      this.#drop(id);
      this.#dropped++;
    }
  }
}

/** Servers order texts by code point, JavaScript does not: any text may be in a range. */
function mayBeIn(key: Key, from: Key | undefined, below: Key): boolean {
  if (typeof key === 'string') return true;
  return key < Number(below) && (from === undefined || key >= Number(from));
}

function idOf(physical: string, key: Key): string {
  return typeof key === 'number' ? `${physical} ${key}` : `${physical}:${key}`;
}

function contentOf({ d, b }: { readonly d: Content['d']; readonly b: Content['b'] }): Content {
  return { ...(d !== undefined && { d }), ...(b !== undefined && { b }) };
}
