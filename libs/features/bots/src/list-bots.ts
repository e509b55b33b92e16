import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Directory, type User } from '#organization';

/** The viewer's own active bots, by ID (endpoints.md §9). */
export class ListBotsQuery extends Query<readonly User[]> {
  constructor(readonly viewer: User) {
    super();
  }
}

@QueryHandler(ListBotsQuery)
export class ListBotsHandler implements IQueryHandler<ListBotsQuery> {
  constructor(private readonly directory: Directory) {}

  execute({ viewer }: ListBotsQuery): Promise<readonly User[]> {
    const own: User[] = [];
    for (const user of this.directory.bots()) if (user.isActive && user.botOwnerId === viewer.userId) own.push(user);
    return Promise.resolve(own);
  }
}
