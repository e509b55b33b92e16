import { Query } from '@nestjs/cqrs';
import { query } from '#feature';
import { Directory } from '#people';
import type { User } from '#users/model';
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

export const listDrafts = query(
  ListDraftsQuery,
  { directory: Directory, reader: DraftsReader },
  ({ viewer }, { directory, reader }) => {
    assertSynchronized(synchronizesDrafts(directory, viewer));
    return reader.of(viewer.userId);
  },
);
