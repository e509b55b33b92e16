import type { QueueSettings } from '#feed';
import { isResolved, namedTopic, type SentData, topicKeyOf } from '#messages';
import type { Directory } from '#people';
import { apiEmail } from '#users/model';

/** Message that is tested against a queue's narrow. */
export interface Narrowed {
  readonly data: Pick<SentData, 'channelId' | 'topic' | 'to' | 'senderId'>;
  /** Flags of the recipient. */
  readonly flags: readonly string[];
}

/**
 * Whether a message passes all conditions of a queue's narrow (endpoints.md, after "Narrow terms"). Unknown conditions
 * match nothing.
 */
export function passesNarrow(directory: Directory, narrow: QueueSettings['narrow'], message: Narrowed): boolean {
  return narrow.every(
    ([operator, operand, isNegated = false]) => passesTerm(directory, operator, operand, message) !== isNegated,
  );
}

function passesTerm(directory: Directory, operator: string, operand: string, { data, flags }: Narrowed): boolean {
  switch (operator) {
    case 'channel':
    case 'stream':
      if (data.channelId === undefined) return false;
      return directory.channelByName(operand)?.channelId === data.channelId;
    case 'topic':
      return data.topic !== undefined && topicKeyOf(data.topic) === topicKeyOf(namedTopic(operand));
    case 'sender':
      return isSender(directory, data.senderId, operand);
    case 'is':
      return passesIs(operand, data, flags);
    default:
      return false;
  }
}

/** @param operand an ID, or the address of nobody whom the client knew when it registered */
function isSender(directory: Directory, senderId: number, operand: string): boolean {
  if (operand === String(senderId)) return true;
  const sender = directory.user(senderId);
  return sender !== undefined && apiEmail(sender).toLowerCase() === operand.toLowerCase();
}

function passesIs(operand: string, data: Narrowed['data'], flags: readonly string[]): boolean {
  switch (operand) {
    case 'dm':
    case 'private':
      return data.to !== undefined;
    case 'starred':
      return flags.includes('starred');
    case 'unread':
      return !flags.includes('read');
    case 'mentioned':
    case 'alerted':
      return flags.includes('mentioned') || flags.includes('wildcard_mentioned') || flags.includes('has_alert_word');
    case 'resolved':
      return data.topic !== undefined && isResolved(data.topic);
    default:
      return false;
  }
}
