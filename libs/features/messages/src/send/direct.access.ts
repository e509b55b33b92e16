import type { Directory } from '#people';
import type { User } from '#users/model';

/**
 * Access to sending direct messages (rules.md §4).
 * @param others the recipients, with or without the sender
 */
export function mayWriteDirectly(directory: Directory, sender: User, others: readonly User[]): boolean {
  if (isWithBots(sender, others)) return true;
  const permission = directory.permission('direct_message_permission_group');
  if (directory.holds(sender, permission)) return true;
  return others.some((other) => directory.holds(other, permission));
}

/** Whether the sender may write to users with whom they share no message yet. */
export function mayBeginConversations(directory: Directory, sender: User, others: readonly User[]): boolean {
  if (isWithBots(sender, others)) return true;
  return directory.holds(sender, directory.permission('direct_message_initiator_group'));
}

/** Messages of bots, messages only to bots, and notes to oneself need no permission. */
function isWithBots(sender: User, others: readonly User[]): boolean {
  if (sender.botType !== null) return true;
  return others.every(({ userId, botType }) => userId === sender.userId || botType !== null);
}
