import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Directory, type User } from '#organization';
import { synchronizesDrafts } from './drafts.access.js';
import { assertSynchronized } from './drafts.decider.js';
import { DraftsReader } from './drafts.reader.js';
import type { WireDraft } from './wire-draft.js';

/** The viewer's drafts, the newest edit first. @throws Refusal BAD_REQUEST without synchronization */
export class ListDraftsQuery extends Query<readonly WireDraft[]> {
  constructor(readonly viewer: User) {
    super();
  }
}

@QueryHandler(ListDraftsQuery)
export class ListDraftsHandler implements IQueryHandler<ListDraftsQuery> {
  constructor(
    private readonly directory: Directory,
    private readonly reader: DraftsReader,
  ) {}

  async execute({ viewer }: ListDraftsQuery): Promise<readonly WireDraft[]> {
    assertSynchronized(synchronizesDrafts(this.directory, viewer));
    return this.reader.of(viewer.userId);
  }
}
