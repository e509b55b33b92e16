import type { Filter } from '../read-store.js';

/** Integer keys from the first to the last, both inclusive. */
export interface KeySpan {
  readonly first: number;
  readonly last: number;
}

/** Costs of searches, in units of some 0.2 µs: what one branch, one row of a scan, and one condition on a row take. */
const BRANCH_COST = 100;
const ROW_COST = 10;
/** A scan is one statement, which nothing interrupts. */
const SCANNED_MAX = 8_192;

/** The keys that terms allow which must all hold; undefined unless they name integers for both ends. */
export function keySpan(terms: readonly Filter[]): KeySpan | undefined {
  let [first, last] = [-Infinity, Infinity];
  for (const term of terms) {
    if (!isKeyRange(term)) continue;
    const { gt, gte, lt, lte } = term;
    if (typeof gt === 'number') first = Math.max(first, gt + 1);
    if (typeof gte === 'number') first = Math.max(first, gte);
    if (typeof lt === 'number') last = Math.min(last, lt - 1);
    if (typeof lte === 'number') last = Math.min(last, lte);
  }
  return Number.isSafeInteger(first) && Number.isSafeInteger(last) ? { first, last } : undefined;
}

/** Whether the term is one of those that bound the span. */
export function isKeyRange(term: Filter): term is Filter & { readonly op: 'range' } {
  return term.op === 'range' && term.field === '$key';
}

/**
 * Whether looking at each row of a span of keys costs less than so many searches by index: in few keys, most of these
 * find nothing.
 */
export function isScanCheaper(span: KeySpan, terms: readonly Filter[], branches: number): boolean {
  const rows = span.last - span.first + 1;
  const conditions = terms.reduce((count, term) => count + conditionsIn(term), 0);
  return rows <= SCANNED_MAX && rows * (ROW_COST + conditions) <= branches * BRANCH_COST;
}

/** The terms without listed keys that a range among them excludes. */
export function withoutExcludedKeys(terms: readonly Filter[]): readonly Filter[] {
  if (!terms.some(({ op }) => op === 'in') || !terms.some(({ op }) => op === 'range')) return terms;
  const ranges = terms.filter(isKeyRange);
  if (ranges.length === 0) return terms;
  return terms.map((term) => {
    if (term.op !== 'in' || term.field !== '$key') return term;
    const values = term.values.filter((value) => ranges.every((range) => isIn(range, value)));
    return { ...term, values };
  });
}

function isIn(range: Filter, key: unknown): boolean {
  // Text is compared by the store.
  if (range.op !== 'range' || typeof key !== 'number') return true;
  const { gt, gte, lt, lte } = range;
  return (
    (typeof gt !== 'number' || key > gt) &&
    (typeof gte !== 'number' || key >= gte) &&
    (typeof lt !== 'number' || key < lt) &&
    (typeof lte !== 'number' || key <= lte)
  );
}

/** Any number of values of one list are one condition (`FilterCompiler`). */
function conditionsIn(filter: Filter): number {
  if (filter.op === 'not') return conditionsIn(filter.term);
  if (filter.op !== 'and' && filter.op !== 'or') return 1;
  const lists = new Set<string>();
  let count = 0;
  for (const term of filter.terms) {
    if (filter.op === 'or' && term.op === 'contains') lists.add(term.field);
    else count += conditionsIn(term);
  }
  return count + lists.size;
}
