import type { Channel, Directory, User } from '#organization';
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
 * User by ID or e-mail address.
 * @throws Refusal BAD_NARROW
 */
export function userOf(directory: Directory, operand: NarrowOperand): User {
  const user = findUser(directory, operand);
  if (user === undefined) throw badNarrow('unknown user');
  return user;
}

function findUser(directory: Directory, operand: NarrowOperand): User | undefined {
  if (typeof operand === 'number') return directory.user(operand);
  if (typeof operand !== 'string') return undefined;
  return ID.test(operand) ? directory.user(Number(operand)) : directory.userByEmail(operand.trim());
}

/**
 * One or several users: a list of IDs, or e-mail addresses joined by commas (endpoints.md §3, `dm`).
 * @throws Refusal BAD_NARROW
 */
export function usersOf(directory: Directory, operand: NarrowOperand): readonly User[] {
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
  return asked.map((one) => userOf(directory, one));
}

/** @throws Refusal BAD_NARROW */
export function messageIdOf(operand: NarrowOperand): number {
  const id = typeof operand === 'string' && ID.test(operand) ? Number(operand) : operand;
  if (typeof id !== 'number' || id < 0) throw badNarrow('invalid message ID');
  return id;
}
