import type { MessagesReader } from '#messages';
import { where, type Filter } from '#read-store';
import type { Direction, MessageSource } from './message-window.js';

/** IDs that the first read covers. Even if each is compared with a hundred operands, that takes a few milliseconds. */
const FIRST_SPAN = 4_096;
/**
 * Matches may be dense after a long gap, so what earlier reads took says little of the next one: even if it has to look at
 * each message of the longest span, it takes less than 50 ms.
 */
const SPAN_MAX = 32_768;
/** Span of message IDs to search for one word: more than any server has, and exact when added to an ID. An index finds the next document with a word. */
const SPAN_MAX_BY_WORD = 2 ** 40;
/** Span of message IDs to search for several words: each may be in every document without any document having all of them. */
const SPAN_MAX_BY_WORDS = 131_072;
/**
 * Target time of a read beyond the shortest one, which any span takes: after a faster one the next span is longer, after a
 * slower one shorter. Where the shortest takes long, so do its variations: they are within shares of it.
 */
const SOON_MS = 4;
const LATE_MS = 12;
const SOON_SHARE = 0.25;
const LATE_SHARE = 1;
const FACTOR = 3;

/**
 * Searches the store one span of IDs at a time. A filter does not tell how much the store has to scan until something
 * matches, and the scan is not interruptible: so each read is bounded by a span of IDs that takes little time.
 */
export class BoundedSearch implements MessageSource {
  readonly #spanMax: number;
  #shortestMs = Infinity;
  #newest: Promise<number> | undefined;

  constructor(
    private readonly messages: MessagesReader,
    private readonly filter: Filter,
    /** IDs that the next read covers. */
    private span = FIRST_SPAN,
  ) {
    const terms = filter.op === 'and' ? filter.terms : [];
    const words = terms.filter((term) => term.op === 'contains' && term.field === 'words').length;
    this.#spanMax = words === 0 ? SPAN_MAX : words === 1 ? SPAN_MAX_BY_WORD : SPAN_MAX_BY_WORDS;
  }

  async page(bound: number, direction: Direction, limit: number): ReturnType<MessageSource['page']> {
    const newest = await (this.#newest ??= this.messages.newestId());
    const isUp = direction === 'ascending';
    const near = isUp ? bound : Math.min(bound, newest + 1);
    const far = isUp ? near + this.span : Math.max(0, near - this.span);
    const range = where.range('$key', isUp ? { gt: near, lte: far } : { gte: far, lt: near });
    const filter = where.and(this.filter, range);
    const beganMs = performance.now();
    const { rows, isLast, reached } = await this.messages.page(filter, direction, limit);
    const end = isLast ? far : (reached ?? far);
    this.#adapt(performance.now() - beganMs, Math.abs(near - end));
    if (!isLast && reached !== undefined) return { rows, isLast: false, reached };
    return { rows, isLast: isUp ? far >= newest : far <= 1, reached: far };
  }

  /** @param passed IDs that the read covered: it ends early where enough matches, which tells nothing about what lies beyond */
  #adapt(tookMs: number, passed: number): void {
    this.#shortestMs = Math.min(this.#shortestMs, tookMs);
    const moreMs = tookMs - this.#shortestMs;
    const known = Math.min(this.span, Math.max(passed, FIRST_SPAN));
    if (moreMs < Math.max(SOON_MS, this.#shortestMs * SOON_SHARE)) this.span = Math.min(known * FACTOR, this.#spanMax);
    else if (moreMs > Math.max(LATE_MS, this.#shortestMs * LATE_SHARE))
      this.span = Math.max(1, Math.floor(this.span / FACTOR));
  }
}
