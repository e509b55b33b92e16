import { badRequest } from '#kernel';
import { type Directory, mayKnowUser } from '#people';
import { type User, userByAddress } from '#users/model';

/**
 * Each pair is checked, and named in an event, in one turn of some 20 ms: either list may be long, but not both. All events
 * are one append, which could hold a third more.
 */
const SUBSCRIPTIONS_PER_REQUEST_MAX = 20_000;

/** From this number on, parsing a request takes some milliseconds, so the decision waits for the next turn of the event loop. */
export const MANY_PRINCIPALS = 1_000;

/**
 * The users that a request is for: those it names by ID or e-mail address, or the caller.
 * @throws Refusal BAD_REQUEST, alike for users who do not exist and those whom the actor may not know
 */
export function findPrincipals(
  directory: Directory,
  actor: User,
  principals: readonly (number | string)[] | undefined,
): User[] {
  if (principals === undefined || principals.length === 0) return [actor];
  const found = new Map<number, User>();
  for (const principal of principals) {
    const user = typeof principal === 'number' ? directory.user(principal) : userByAddress(directory, actor, principal);
    if (user?.isActive !== true || user.systemBot !== undefined || !mayKnowUser(directory, actor, user))
      throw badRequest(`No such user: ${principal}`);
    found.set(user.userId, user);
  }
  return [...found.values()].sort((a, b) => a.userId - b.userId);
}

/** @throws Refusal BAD_REQUEST */
export function assertNotTooMany(channels: readonly unknown[], users: readonly User[]): void {
  if (channels.length * users.length > SUBSCRIPTIONS_PER_REQUEST_MAX)
    throw badRequest(
      `Too many subscriptions at once (limit: ${SUBSCRIPTIONS_PER_REQUEST_MAX}). Name fewer channels or users.`,
    );
}
