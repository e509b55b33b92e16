import { Injectable } from '@nestjs/common';
import { DraftsReader } from './drafts/drafts.reader.js';
import { ScheduledReader } from './scheduled/scheduled.reader.js';
import { SnippetsReader } from './snippets/snippets.reader.js';

/** What a user may send later, for features that look for references in it. */
@Injectable()
export class PlannedContents {
  constructor(
    private readonly drafts: DraftsReader,
    private readonly scheduled: ScheduledReader,
    private readonly snippets: SnippetsReader,
  ) {}

  /** Markdown of the user's drafts, scheduled messages and saved snippets. */
  async of(userId: number): Promise<readonly string[]> {
    const scheduled = await this.scheduled.of(userId);
    const contents = [...(await this.drafts.of(userId)), ...(await this.snippets.of(userId))].map(
      ({ content }) => content,
    );
    return [...contents, ...scheduled.map(({ content }) => content)];
  }
}
