import { type Collection, where } from '#read-store';
import type { DeletionDocument } from './wordings.projection.js';

const PAGE = 500;

/** Reads which messages are deleted. */
export class DeletionsReader {
  constructor(private readonly deletions: Collection<DeletionDocument>) {}

  /** IDs of deleted messages above one and up to another, ascending, page by page. */
  async *ids(above = 0, last = Number.MAX_SAFE_INTEGER): AsyncGenerator<readonly number[], void, void> {
    for (let after = above; ;) {
      const range = where.range('$key', { gt: after, lte: last });
      const page = await this.deletions.findFields({ where: range, limit: PAGE }, []);
      yield page.map(({ key }) => key as number);
      const reached = page.at(-1);
      if (reached === undefined || page.length < PAGE) return;
      after = reached.key as number;
    }
  }
}
