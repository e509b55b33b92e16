import { Query } from '@nestjs/cqrs';
import { query } from '#feature';
import { Directory, knowing } from '#people';
import type { User } from '../model/user.js';

/** All users whom the viewer may know, except the server's own bots, including other bots and deactivated accounts (endpoints.md §9). */
export class ListUsersQuery extends Query<readonly User[]> {
  constructor(
    readonly viewer: User,
    readonly onlyIds: readonly number[] | undefined,
  ) {
    super();
  }
}

export const listUsers = query(ListUsersQuery, { directory: Directory }, ({ viewer, onlyIds }, { directory }) => {
  const wanted = onlyIds === undefined ? undefined : new Set(onlyIds);
  const isKnown = knowing(directory, viewer);
  const users: User[] = [];
  for (const user of directory.users()) {
    if (user.systemBot !== undefined || wanted?.has(user.userId) === false) continue;
    if (isKnown(user)) users.push(user);
  }
  return users;
});
