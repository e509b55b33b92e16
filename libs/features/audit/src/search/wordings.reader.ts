import { type Collection, where } from '#read-store';
import type { WordingDocument } from './wordings.projection.js';

/** Each has up to 200 kB. */
const PAGE = 16;

/** A wording that an edit at this position has replaced. */
export interface FoundWording {
  readonly position: number;
  readonly messageId: number;
}

/** Finds former wordings by their words. */
export class WordingsReader {
  constructor(private readonly wordings: Collection<WordingDocument>) {}

  async *with(words: readonly string[]): AsyncGenerator<FoundWording, void, void> {
    const all = words.map((word) => where.contains('words', word));
    for (let after = 0; ;) {
      const page = await this.wordings.find({
        where: where.and(...all, where.range('$key', { gt: after })),
        limit: PAGE,
      });
      for (const { key, doc } of page) yield { position: key as number, messageId: doc.messageId };
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return;
      after = last.key as number;
    }
  }
}
