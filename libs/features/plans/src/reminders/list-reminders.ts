import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { User } from '#organization';
import { RemindersReader } from './reminders.reader.js';
import type { WireReminder } from './wire-reminder.js';

/** The viewer's reminders that have not been delivered, by delivery time. */
export class ListRemindersQuery extends Query<readonly WireReminder[]> {
  constructor(readonly viewer: User) {
    super();
  }
}

@QueryHandler(ListRemindersQuery)
export class ListRemindersHandler implements IQueryHandler<ListRemindersQuery> {
  constructor(private readonly reader: RemindersReader) {}

  execute({ viewer: { userId } }: ListRemindersQuery): Promise<readonly WireReminder[]> {
    return this.reader.of(userId);
  }
}
