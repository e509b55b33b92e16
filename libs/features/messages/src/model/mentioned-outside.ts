import type { Directory } from '#people';
import type { MessageDeleted } from './messages.events.js';
import { parseConversation } from './place.js';

export type Mentioned = NonNullable<MessageDeleted['data']['mentioned']>;

/** Of a message's document, the users whom its versions mentioned. */
interface Mentions {
  readonly conversation: string;
  readonly mentions?: readonly number[];
  readonly unmentioned?: readonly number[];
}

/**
 * Users whom a version of the messages mentioned, and who are not subscribed to their channel: what is left of a deleted message
 * is its send event, which does not know whom an edit added.
 */
export function mentionedOutside(
  directory: Directory,
  messages: readonly { readonly id: number; readonly doc: Mentions }[],
): Mentioned {
  return messages.flatMap(({ id, doc }) => {
    const { conversation, mentions = [], unmentioned = [] } = doc;
    const place = parseConversation(conversation);
    if ('participants' in place) return [];
    const userIds = [...mentions, ...unmentioned].filter((userId) => !directory.isSubscribed(userId, place.channelId));
    return userIds.length === 0 ? [] : [{ id, userIds }];
  });
}
