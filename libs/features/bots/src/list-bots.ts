import { Query } from '@nestjs/cqrs';
import { query } from '#feature';
import { Directory } from '#people';
import type { User } from '#users/model';

/** The viewer's own active bots, by ID (endpoints.md §9). */
export class ListBotsQuery extends Query<readonly User[]> {
  constructor(readonly viewer: User) {
    super();
  }
}

export const listBots = query(ListBotsQuery, { directory: Directory }, ({ viewer }, { directory }) => {
  const own: User[] = [];
  for (const user of directory.bots()) if (user.isActive && user.botOwnerId === viewer.userId) own.push(user);
  return own;
});
