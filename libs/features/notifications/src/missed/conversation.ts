import { createHash } from 'node:crypto';
import { topicKeyOf } from '#preferences/model';
import type { WaitingMessage } from '#reading';
import type { Directory } from '#people';
import { REALM_CONSTANTS } from '#realm/model';

/** Name of the thread of a conversation: its mails are shown together. */
export function threadOf({ place, topic }: Pick<WaitingMessage, 'place' | 'topic'>): string {
  const name =
    'participants' in place ? `d:${place.participants.join(',')}` : `c:${place.channelId}:${topicKeyOf(topic)}`;
  return createHash('sha256').update(name).digest('hex').slice(0, 32);
}

/** Title of a conversation for one of its readers. */
export function titleOf(
  directory: Directory,
  userId: number,
  { place, topic }: Pick<WaitingMessage, 'place' | 'topic'>,
): string {
  if (!('participants' in place)) {
    const name = directory.channel(place.channelId)?.name ?? '';
    return `#${name} > ${topic === '' ? REALM_CONSTANTS.empty_topic_display_name : topic}`;
  }
  const others = place.participants.filter((id) => id !== userId);
  const names = others.map((id) => directory.user(id)?.fullName ?? '');
  if (names.length === 0) return 'Messages with yourself';
  return names.length === 1 ? `Direct messages with ${names[0] ?? ''}` : `Group direct messages with ${listed(names)}`;
}

function listed(names: readonly string[]): string {
  const [last = '', ...others] = names.toReversed();
  return `${others.toReversed().join(', ')} and ${last}`;
}
