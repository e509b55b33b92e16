import { Query } from '@nestjs/cqrs';
import { query } from '#feature';
import { badRequest } from '#kernel';
import { Directory, mayKnowUser } from '#people';
import type { User } from '../model/user.js';
import { userByIdOrAddress } from '../model/email.access.js';

/** One user, by ID, by e-mail address, or the caller as `me` (endpoints.md §9, GET /users/{user_id}). */
export class GetUserQuery extends Query<User> {
  constructor(
    readonly viewer: User,
    readonly idOrEmail: string,
  ) {
    super();
  }
}

export const getUser = query(GetUserQuery, { directory: Directory }, ({ viewer, idOrEmail }, { directory }) => {
  const user = idOrEmail === 'me' ? directory.user(viewer.userId) : userByIdOrAddress(directory, viewer, idOrEmail);
  if (user === undefined || !mayKnowUser(directory, viewer, user)) throw badRequest('No such user');
  return user;
});
