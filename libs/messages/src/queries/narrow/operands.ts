import type { Channel, Directory, User } from '#organization';
import { badNarrow, type NarrowOperand } from './narrow-terms.js';

const ID = /^\d{1,15}$/;

/** By ID or name. An ID may come as text, where no channel has that name. */
export function channelOf(directory: Directory, operand: NarrowOperand): Channel | undefined {
  if (typeof operand === 'number') return directory.channel(operand);
  if (typeof operand !== 'string') return undefined;
  const named = directory.channelByName(operand.trim());
  return named ?? (ID.test(operand) ? directory.channel(Number(operand)) : undefined);
}

/** By ID or e-mail address. @throws Refusal BAD_NARROW */
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

/** One or several, in a list or joined by commas. @throws Refusal BAD_NARROW */
export function usersOf(directory: Directory, operand: NarrowOperand): readonly User[] {
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
