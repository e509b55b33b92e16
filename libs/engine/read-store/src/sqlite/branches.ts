import type { CollectionSchema, Filter } from '../read-store.js';

/** Beyond this many branches, one search over the whole is cheaper than one each. */
const BRANCHES_MAX = 10_000;

/**
 * Splits a filter into searches that each find their documents in key order on an index, so that "the newest 100 of my
 * 300 channels" reads 300 index ranges only as deep as needed, instead of sorting all their messages. Each branch is a
 * list of terms that must all hold; a document may be in several. Undefined when some branch has no such index.
 */
export function orderedBranches(schema: CollectionSchema, filter: Filter): readonly (readonly Filter[])[] | undefined {
  // Only these terms decide how to split; a hundred others are not looked at again for each of thousands of branches.
  const terms = conjunction(filter);
  const branches = split(schema, terms.filter(isDecisive));
  const others = terms.filter((term) => !isDecisive(term));
  return others.length === 0 ? branches : branches?.map((branch) => [...branch, ...others]);
}

function isDecisive({ op }: Filter): boolean {
  return op !== 'not' && op !== 'range';
}

/** The terms of a filter that must all hold. A single alternative must hold as well. */
export function conjunction(filter: Filter): readonly Filter[] {
  const mustAllHold = filter.op === 'and' || (filter.op === 'or' && filter.terms.length === 1);
  return mustAllHold ? filter.terms.flatMap(conjunction) : [filter];
}

/** Whether the terms are a look-up by key, which needs no index. */
export function findsByKey(terms: readonly Filter[]): boolean {
  return terms.some((term) => (term.op === 'eq' || term.op === 'in') && term.field === '$key');
}

function split(schema: CollectionSchema, terms: readonly Filter[]): readonly (readonly Filter[])[] | undefined {
  if (findsByKey(terms) || inKeyOrder(schema, terms)) return [terms];
  for (const term of terms) {
    const alternatives = alternativesOf(schema, term);
    if (alternatives === undefined) continue;
    const rest = terms.filter((other) => other !== term);
    const branches: (readonly Filter[])[] = [];
    const complete = alternatives.every((alternative) => {
      const found = split(schema, [...conjunction(alternative), ...rest]);
      if (found === undefined || branches.length + found.length > BRANCHES_MAX) return false;
      for (const branch of found) branches.push(branch);
      return true;
    });
    if (complete) return branches;
  }
  return undefined;
}

/** Whether some index has only fields that the terms fix, so that the key comes next in it. */
function inKeyOrder(schema: CollectionSchema, terms: readonly Filter[]): boolean {
  if (terms.some((term) => term.op === 'contains')) return true;
  const fixed = new Set(terms.map((term) => (term.op === 'eq' ? term.field : '')));
  return schema.indexes.some((fields) => fields.length > 0 && fields.every((field) => fixed.has(field)));
}

function alternativesOf(schema: CollectionSchema, term: Filter): readonly Filter[] | undefined {
  if (term.op === 'or') return term.terms;
  if (term.op !== 'in' || term.values.length > BRANCHES_MAX) return undefined;
  if (!schema.indexes.some((fields) => fields.includes(term.field))) return undefined;
  return term.values.map((value) => ({ op: 'eq', field: term.field, value }));
}
