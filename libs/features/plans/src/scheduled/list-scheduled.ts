import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { User } from '#organization';
import { ScheduledReader } from './scheduled.reader.js';
import type { WireScheduled } from './wire-scheduled.js';

/** The viewer's scheduled messages that have not been sent, by delivery time. */
export class ListScheduledQuery extends Query<readonly WireScheduled[]> {
  constructor(readonly viewer: User) {
    super();
  }
}

@QueryHandler(ListScheduledQuery)
export class ListScheduledHandler implements IQueryHandler<ListScheduledQuery> {
  constructor(private readonly reader: ScheduledReader) {}

  execute({ viewer: { userId } }: ListScheduledQuery): Promise<readonly WireScheduled[]> {
    return this.reader.of(userId);
  }
}
