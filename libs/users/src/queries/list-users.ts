import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Directory, type User } from '#organization';

/** All users except the server's own bots, including other bots and deactivated accounts (endpoints.md §9). */
export class ListUsersQuery extends Query<readonly User[]> {
  constructor(readonly onlyIds: readonly number[] | undefined) {
    super();
  }
}

@QueryHandler(ListUsersQuery)
export class ListUsersHandler implements IQueryHandler<ListUsersQuery> {
  constructor(private readonly directory: Directory) {}

  execute({ onlyIds }: ListUsersQuery): Promise<readonly User[]> {
    const wanted = onlyIds === undefined ? undefined : new Set(onlyIds);
    const users: User[] = [];
    for (const user of this.directory.users()) {
      if (user.systemBot === undefined && (wanted === undefined || wanted.has(user.userId))) users.push(user);
    }
    return Promise.resolve(users);
  }
}
