import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { badRequest } from '#kernel';
import { Directory, mayKnowUser, type User, userByAddress } from '#organization';

/** One user, by ID, by e-mail address, or the caller as `me` (specification, GET /users/{user_id}). */
export class GetUserQuery extends Query<User> {
  constructor(
    readonly viewer: User,
    readonly idOrEmail: string,
  ) {
    super();
  }
}

@QueryHandler(GetUserQuery)
export class GetUserHandler implements IQueryHandler<GetUserQuery> {
  constructor(private readonly directory: Directory) {}

  execute({ viewer, idOrEmail }: GetUserQuery): Promise<User> {
    const user = this.#find(viewer, idOrEmail);
    if (user === undefined || !mayKnowUser(this.directory, viewer, user)) throw badRequest('No such user');
    return Promise.resolve(user);
  }

  #find(viewer: User, idOrEmail: string): User | undefined {
    if (idOrEmail === 'me') return this.directory.user(viewer.userId);
    if (/^\d{1,15}$/.test(idOrEmail)) return this.directory.user(Number(idOrEmail));
    return userByAddress(this.directory, viewer, idOrEmail);
  }
}
