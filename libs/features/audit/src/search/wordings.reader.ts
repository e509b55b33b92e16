import { type Collection, type Filter, where } from '#read-store';
import type { WordingDocument } from './wordings.projection.js';

/** Messages that are so close together, on average, are looked up by their range. */
const GAP_MAX = 16;
/** Rows of one read, without the wordings. */
const PAGE = 500;

/** A wording that an edit at this position has replaced. */
export interface FoundWording {
  readonly position: number;
  readonly messageId: number;
}

/** Finds former wordings by their words. */
export class WordingsReader {
  constructor(private readonly wordings: Collection<WordingDocument>) {}

  with(words: readonly string[]): AsyncGenerator<FoundWording, void, void> {
    return this.#matching(where.and(...words.map((word) => where.contains('words', word))));
  }

  /** Messages whose content was edited, ever: those of the asked ones, and perhaps others between them. @param messageIds ascending */
  async edited(messageIds: readonly number[]): Promise<ReadonlySet<number>> {
    const found = new Set<number>();
    const [first = 0, last = 0] = [messageIds[0], messageIds.at(-1)];
    const isDense = last - first < messageIds.length * GAP_MAX;
    const these = isDense ? where.range('messageId', { gte: first, lte: last }) : where.in('messageId', messageIds);
    for await (const { messageId } of this.#matching(these)) found.add(messageId);
    return found;
  }

  /** In the order of the log, page by page. Reads no documents. */
  async *#matching(filter: Filter): AsyncGenerator<FoundWording, void, void> {
    for (let after = 0; ;) {
      const range = where.range('$key', { gt: after });
      const page = await this.wordings.findFields({ where: where.and(filter, range), limit: PAGE }, ['messageId']);
      for (const { key, fields } of page) yield { position: key as number, messageId: fields['messageId'] ?? 0 };
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return;
      after = last.key as number;
    }
  }
}
