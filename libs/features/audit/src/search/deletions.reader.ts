import { type Collection, where } from '#read-store';
import type { DeletionDocument } from './wordings.projection.js';

const PAGE = 500;

/** Reads which messages are deleted. */
export class DeletionsReader {
  constructor(private readonly deletions: Collection<DeletionDocument>) {}

  /** IDs of deleted messages, ascending, page by page. */
  async *ids(): AsyncGenerator<readonly number[], void, void> {
    for (let after = 0; ;) {
      const page = await this.deletions.findFields({ where: where.range('$key', { gt: after }), limit: PAGE }, []);
      yield page.map(({ key }) => key as number);
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return;
      after = last.key as number;
    }
  }
}
