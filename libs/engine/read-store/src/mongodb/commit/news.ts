import type { Commit, Stored } from '../../read-store.js';
import { encodeName } from '../document-codec.js';
import type { StoreState } from './store-state.js';

/**
 * What a commit tells the processes that read: how far the writer has come, and the documents that they would read next.
 * So they go on without asking, and before the documents are written.
 */
export interface News {
  readonly number: number;
  readonly writer: string;
  readonly revision: number;
  /** Position that was passed before. */
  readonly after: number;
  readonly passed: number;
  /** Number of the last entry whose documents are written. */
  readonly applied: number;
  /** Documents of `TOLD`, as JSON; undefined when they are too many. */
  readonly text: string | undefined;
}

/** The collection whose new documents readers follow. */
export const TOLD = 'feed';

/** The collection of signals is bounded. More is read. */
const TEXT_LENGTH_MAX = 32_000;

/** @param writes undefined when no documents are told */
export function newsOf(
  before: StoreState,
  next: StoreState,
  writes: Commit['writes'] | undefined,
): Omit<News, 'applied'> {
  return {
    number: before.number + 1,
    writer: before.writer,
    revision: next.revision,
    after: before.passed,
    passed: next.passed,
    text: writes !== undefined && isWhole(before, next) ? textOf(writes) : undefined,
  };
}

/** Whether the documents of the commit are all that are new since the position that was passed before. */
function isWhole(before: StoreState, next: StoreState): boolean {
  const of = ({ checkpoints }: StoreState): number | undefined => checkpoints[encodeName(TOLD)]?.position;
  return of(before) === before.passed && of(next) === next.passed;
}

function textOf(writes: Commit['writes']): string | undefined {
  const told: Stored<object>[] = [];
  for (const { collection, key, doc } of writes) {
    if (collection === TOLD && doc !== undefined) told.push({ key, doc });
  }
  const text = JSON.stringify(told);
  return text.length > TEXT_LENGTH_MAX ? undefined : text;
}

/** @returns undefined for what is not there, or is no such list */
export function toldDocuments(text: string | undefined): readonly Stored<object>[] | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as readonly Stored<object>[]);
}
