import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Directory, knowing, type User } from '#organization';

/** All users whom the viewer may know, except the server's own bots, including other bots and deactivated accounts (endpoints.md §9). */
export class ListUsersQuery extends Query<readonly User[]> {
  constructor(
    readonly viewer: User,
    readonly onlyIds: readonly number[] | undefined,
  ) {
    super();
  }
}

@QueryHandler(ListUsersQuery)
export class ListUsersHandler implements IQueryHandler<ListUsersQuery> {
  constructor(private readonly directory: Directory) {}

  execute({ viewer, onlyIds }: ListUsersQuery): Promise<readonly User[]> {
    const wanted = onlyIds === undefined ? undefined : new Set(onlyIds);
    const isKnown = knowing(this.directory, viewer);
    const users: User[] = [];
    for (const user of this.directory.users()) {
      if (user.systemBot !== undefined || wanted?.has(user.userId) === false) continue;
      if (isKnown(user)) users.push(user);
    }
    return Promise.resolve(users);
  }
}
