import type { DirectoryParts } from '#directory';
import { ROLE } from './role.js';
import { isSpectator } from './spectator.js';
import type { User } from './user.js';
import { usersPart } from './users.part.js';

/** Values of the personal setting `email_address_visibility`: who sees the real address. */
export const EMAIL_VISIBILITY = { everyone: 1, members: 2, administrators: 3, nobody: 4, moderators: 5 } as const;

export function emailVisibilityOf({ emailVisibility }: Pick<User, 'emailVisibility'>): number {
  return emailVisibility ?? EMAIL_VISIBILITY.everyone;
}

/** The address by which everyone knows the user (rules.md §3, "API e-mail"): the real one, unless it is hidden from anybody. */
export function apiEmail(user: Pick<User, 'email' | 'apiEmail'>): string {
  return user.apiEmail ?? user.email;
}

/** Whether the setting shows the real addresses of others to users of this role. */
export function isEmailShownTo(role: number, visibility: number): boolean {
  switch (visibility) {
    case EMAIL_VISIBILITY.everyone:
      return true;
    case EMAIL_VISIBILITY.members:
      return role < ROLE.guest;
    case EMAIL_VISIBILITY.moderators:
      return role <= ROLE.moderator;
    case EMAIL_VISIBILITY.administrators:
      return role <= ROLE.administrator;
    default:
      return false;
  }
}

/** Whether the viewer may know the user's real address. */
export function mayKnowEmail(viewer: User, user: User): boolean {
  if (user.isUnknown === true || isSpectator(viewer)) return false;
  if (viewer.userId === user.userId) return true;
  return isEmailShownTo(viewer.role, emailVisibilityOf(user));
}

/** The user of this address, regardless of case: by the address that everyone knows, or a real one that the viewer may know. */
export function userByAddress(directory: DirectoryParts, viewer: User, address: string): User | undefined {
  const known = directory.of(usersPart).byApiEmail(address);
  if (known !== undefined) return known;
  const user = directory.of(usersPart).byEmail(address);
  if (user === undefined) return undefined;
  return user.apiEmail === undefined || mayKnowEmail(viewer, user) ? user : undefined;
}

/**
 * The user whom a path names: by ID, as `userByAddress`, or by what would stand for their address if they hid it, which names the ID
 * (endpoints.md §9, "dummy").
 */
export function userByIdOrAddress(directory: DirectoryParts, viewer: User, idOrAddress: string): User | undefined {
  return /^\d{1,15}$/.test(idOrAddress)
    ? directory.of(usersPart).get(Number(idOrAddress))
    : (userByAddress(directory, viewer, idOrAddress) ?? userByStandIn(directory, idOrAddress));
}

function userByStandIn(directory: DirectoryParts, address: string): User | undefined {
  const [, userId] = /^user(\d{1,15})@/i.exec(address) ?? [];
  return userId !== undefined && isHiddenAddress(directory, address)
    ? directory.of(usersPart).get(Number(userId))
    : undefined;
}

/** What stands for the address of a user who hides it, and is nobody's real address. Nobody gets mail there. */
export function hiddenAddress(directory: DirectoryParts, userId: number): string {
  const domain = domainOf(directory);
  for (let number = 1; ; number++) {
    const address = `user${userId}${number === 1 ? '' : `.${number}`}@${domain}`;
    if (directory.of(usersPart).byEmail(address) === undefined) return address;
  }
}

/** Whether the address stands for a hidden one, now or later, so that it can be nobody's real address. */
export function isHiddenAddress(directory: DirectoryParts, address: string): boolean {
  const [, domain] = /^user\d+(?:\.\d+)?@(.+)$/i.exec(address) ?? [];
  if (domain === undefined) return false;
  return domain.toLowerCase() === domainOf(directory).toLowerCase();
}

/** The server's own bots have their addresses there, and keep them when the server moves. */
function domainOf(directory: DirectoryParts): string {
  const { email } = directory.of(usersPart).systemBot('notification');
  return email.slice(email.lastIndexOf('@') + 1);
}
