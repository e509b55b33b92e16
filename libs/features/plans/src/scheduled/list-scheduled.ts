import { Query } from '@nestjs/cqrs';
import { query } from '#feature';
import type { User } from '#users/model';
import { ScheduledReader } from './scheduled.reader.js';
import type { WireScheduled } from './wire-scheduled.js';

/** The viewer's scheduled messages that have not been sent, by delivery time. */
export class ListScheduledQuery extends Query<readonly WireScheduled[]> {
  constructor(readonly viewer: User) {
    super();
  }
}

export const listScheduled = query(ListScheduledQuery, { reader: ScheduledReader }, ({ viewer }, { reader }) =>
  reader.of(viewer.userId),
);
