import { where, type Collection } from '#read-store';
import { SNIPPETS_MAX } from './snippets.decider.js';
import type { SnippetDocument } from './snippets.projection.js';
import { wireSnippet, type WireSnippet } from './wire-snippet.js';

/** Users' saved snippets as clients see them. */
export class SnippetsReader {
  constructor(private readonly snippets: Collection<SnippetDocument>) {}

  /** All snippets of the user, by ID: at most `SNIPPETS_BYTES_MAX` bytes. */
  async of(userId: number): Promise<readonly WireSnippet[]> {
    const found = await this.snippets.find({ where: where.eq('userId', userId), limit: SNIPPETS_MAX });
    return found.map(({ doc }) => wireSnippet(doc));
  }
}
