import { revokedFor } from '#invitations/model';
import { badRequest } from '#kernel';
import type { Directory } from '#people';
import { deadLink } from '#pages';
import { ROLE } from '../model/role.js';
import type { User } from '../model/user.js';
import { checkEmail } from '../email-address.js';
import { type AccountLink, addressMark, passwordMark } from './account-links.js';
import type { AccountEvent } from '../account-event.js';

export interface ResetPassword {
  readonly link: AccountLink;
  readonly passwordHash: string;
  /** Hash of the account's next API key; undefined when the present one stays. */
  readonly apiKeyHash: ((userId: number, generation: number) => string) | undefined;
  readonly at: number;
}

/** The account whose password a link resets; undefined for a link that does not work. */
export function resettable(directory: Directory, { userId, mark }: AccountLink): User | undefined {
  const user = usable(directory, userId);
  if (user === undefined || !takesPasswords(directory)) return undefined;
  return passwordMark(user) === mark ? user : undefined;
}

/**
 * Sets the password of who has lost it. Another password makes the link void, so of two uses at once, one counts.
 * @throws Refusal NOT_FOUND
 */
export function decideReset(
  directory: Directory,
  { link, passwordHash, apiKeyHash, at }: ResetPassword,
): readonly AccountEvent[] {
  const user = resettable(directory, link);
  if (user === undefined) throw deadLink();
  const { userId } = user;
  const generation = (user.apiKey?.generation ?? 0) + 1;
  const hash = apiKeyHash?.(userId, generation);
  return [
    { type: 'user.changed.v1', data: { userId, passwordHash, by: userId, at } },
    ...(hash === undefined
      ? []
      : [{ type: 'user.api-key-issued.v1', data: { userId, generation, hash, at } } satisfies AccountEvent]),
  ];
}

/** The account whose new address a link confirms, with that address; undefined for a link that does not work. */
export function confirmable(
  directory: Directory,
  { userId, since, mark }: AccountLink,
): { readonly user: User; readonly email: string } | undefined {
  const user = usable(directory, userId);
  const email = user?.requestedEmail;
  if (user === undefined || email === undefined || user.emailRequestedAt !== since) return undefined;
  if (directory.settings.email_changes_disabled && user.role > ROLE.administrator) return undefined;
  return addressMark(email) === mark ? { user, email } : undefined;
}

/**
 * Gives an account the address that its user wanted and has access to.
 * @throws Refusal NOT_FOUND; BAD_REQUEST for an address that has been given to somebody else since
 */
export function decideConfirm(directory: Directory, link: AccountLink, at: number): readonly AccountEvent[] {
  const found = confirmable(directory, link);
  if (found === undefined) throw deadLink();
  const { user, email } = found;
  const { userId } = user;
  if (email === user.email) throw badRequest('This is your address already.');
  checkEmail(directory, email, user);
  const entails = { formerEmail: user.email };
  return [
    { type: 'user.changed.v1', data: { userId, email, by: userId, at, entails } },
    ...revokedFor(directory, email, at),
  ];
}

function usable(directory: Directory, userId: number): User | undefined {
  const user = directory.user(userId);
  return user?.isActive === true && user.botType === null && !directory.isDeactivated ? user : undefined;
}

/** Whether people log in with passwords. The method is on until it is turned off. */
export function takesPasswords({ settings }: Directory): boolean {
  return settings.authentication_methods.Email !== false;
}
