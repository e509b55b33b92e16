import { where, type Collection } from '#read-store';
import { DRAFTS_MAX } from './drafts.decider.js';
import type { DraftDocument } from './drafts.projection.js';
import { wireDraft, type WireDraft } from './wire-draft.js';

/** Users' drafts as clients see them. */
export class DraftsReader {
  constructor(private readonly drafts: Collection<DraftDocument>) {}

  /** All drafts of the user, the newest edit first: at most `DRAFTS_BYTES_MAX` bytes. */
  async of(userId: number): Promise<readonly WireDraft[]> {
    const found = await this.drafts.find({
      where: where.eq('userId', userId),
      sort: [{ field: 'timestamp', direction: 'descending' }],
      limit: DRAFTS_MAX,
    });
    return found.map(({ doc }) => wireDraft(doc));
  }
}
