import type { Channel } from '#channels/model';
import { type Directory, mayKnowUser } from '#people';
import { type User, userByAddress } from '#users/model';
import { badNarrow, type NarrowOperand } from './narrow-terms.js';

const ID = /^\d{1,15}$/;

/** Channel by ID or name. An ID may be text, unless a channel has that name. */
export function channelOf(directory: Directory, operand: NarrowOperand): Channel | undefined {
  if (typeof operand === 'number') return directory.channel(operand);
  if (typeof operand !== 'string') return undefined;
  const named = directory.channelByName(operand.trim());
  return named ?? (ID.test(operand) ? directory.channel(Number(operand)) : undefined);
}

/**
 * User whom the viewer may know, by ID or by an e-mail address that they may know.
 * @throws Refusal BAD_NARROW
 */
export function userOf(directory: Directory, viewer: User, operand: NarrowOperand): User {
  const user = findUser(directory, viewer, operand);
  if (user === undefined) throw badNarrow('unknown user');
  return user;
}

function findUser(directory: Directory, viewer: User, operand: NarrowOperand): User | undefined {
  const user = namedUser(directory, viewer, operand);
  return user === undefined || mayKnowUser(directory, viewer, user) ? user : undefined;
}

function namedUser(directory: Directory, viewer: User, operand: NarrowOperand): User | undefined {
  if (typeof operand === 'number') return directory.user(operand);
  if (typeof operand !== 'string') return undefined;
  return ID.test(operand) ? directory.user(Number(operand)) : userByAddress(directory, viewer, operand.trim());
}

/**
 * One or several users: a list of IDs, or e-mail addresses joined by commas (endpoints.md §3, `dm`).
 * @throws Refusal BAD_NARROW
 */
export function usersOf(directory: Directory, viewer: User, operand: NarrowOperand): readonly User[] {
  if (typeof operand === 'object' && operand.some((one) => typeof one !== 'number'))
    throw badNarrow('a list of users is a list of IDs');
  const asked =
    typeof operand === 'string'
      ? operand
          .split(',')
          .map((part) => part.trim())
          .filter((part) => part !== '')
      : typeof operand === 'number'
        ? [operand]
        : operand;
  return asked.map((one) => userOf(directory, viewer, one));
}

/** @throws Refusal BAD_NARROW */
export function messageIdOf(operand: NarrowOperand): number {
  const id = typeof operand === 'string' && ID.test(operand) ? Number(operand) : operand;
  if (typeof id !== 'number' || id < 0) throw badNarrow('invalid message ID');
  return id;
}
