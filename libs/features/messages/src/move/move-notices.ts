import { channelLinkPath, silentMention } from '#markdown';
import type { User } from '#users/model';
import type { ChannelPlace, MessagesMoved, MovedWithWishes } from '../model/messages.events.js';
import { topicKeyOf } from '../model/place.js';
import { isResolution, markOf } from '../model/topic.js';

/** A notice of the notification bot about a move. */
export interface MoveNotice {
  readonly channelId: number;
  readonly topic: string;
  /** Markdown. */
  readonly content: string;
  /**
   * Identifies the notice among those of its move, in the key under which it is sent once. Stored, so the names stay:
   * with another one, a server that finishes a move after an upgrade would post the notice again.
   */
  readonly name: 'new' | 'old' | 'mark';
}

export interface NoticeWishes {
  readonly oldThread: boolean;
  readonly newThread: boolean;
}

/** Data for the notices besides the event itself. */
export interface NoticeAnswers {
  /** Current names of the two channels. */
  readonly names: { readonly from: string; readonly to: string };
  /** A link to a place is rendered alike for all readers, so a place in a private channel is not named. */
  readonly tellsPlace: { readonly old: boolean; readonly new: boolean };
  /** Nothing is left of the old topic that the actor sees. */
  readonly isWhole: boolean;
  /** Number of moved messages. */
  readonly count: number;
}

/**
 * The notices of a move (rules.md §6): for a resolved or unresolved topic always, unless it deletes the notice of the
 * opposite; otherwise as requested, but in the new topic not of a move that only marks it. Where there were messages
 * before, a whole topic is told as the messages that joined them. The old topic never learns of a new place in a channel
 * that its readers might not know.
 */
export function moveNotices(
  { from, to, targetId, entails }: MovedWithWishes,
  actor: User,
  { names, tellsPlace, isWhole, count }: NoticeAnswers,
): readonly MoveNotice[] {
  const by = silentMention(actor);
  const isAlone = isMarkAlone({ from, to });
  // Messages that join another topic under another name find that one as it is.
  const mark = isAlone || !entails.merges ? markOf(from.topic, to.topic) : undefined;
  const notices: MoveNotice[] = [];
  if (mark !== undefined && entails.takesBack === undefined)
    notices.push({ ...to, content: `${by} has marked this topic as ${mark}.`, name: isAlone ? 'new' : 'mark' });
  if (entails.newThread && !isAlone) {
    const origin = tellsPlace.old ? ` from ${topicLink(names.from, from)}` : '';
    const path = channelLinkPath({ id: to.channelId, name: names.to }, { topic: to.topic, nearMessageId: targetId });
    const joins = entails.merges && !isSameTopic(from, to);
    const what =
      isWhole && !joins ? 'This topic was' : count === 1 ? `[A message](${path}) was` : `${count} messages were`;
    notices.push({ ...to, content: `${what} moved here${origin} by ${by}.`, name: 'new' });
  }
  if (entails.oldThread) {
    const target = tellsPlace.new ? ` to ${topicLink(names.to, to)}` : '';
    const what = isWhole ? 'This topic was moved' : `${count === 1 ? 'A message was' : `${count} messages were`} moved`;
    notices.push({
      ...from,
      content: `${what}${isWhole ? '' : ' from this topic'}${target} by ${by}.`,
      name: 'old',
    });
  }
  return notices;
}

/** Whether two places are one topic, in another spelling maybe. */
export function isSameTopic(a: ChannelPlace, b: ChannelPlace): boolean {
  return a.channelId === b.channelId && topicKeyOf(a.topic) === topicKeyOf(b.topic);
}

/** Whether a move only marks the topic. */
export function isMarkAlone({ from, to }: Pick<MessagesMoved['data'], 'from' | 'to'>): boolean {
  return from.channelId === to.channelId && isResolution(from.topic, to.topic);
}

/** Characters that a link to a topic cannot contain. */
const UNLINKABLE = /[*>`[\]\\$&<]/;

function topicLink(channelName: string, { channelId, topic }: ChannelPlace): string {
  if (!UNLINKABLE.test(channelName) && !UNLINKABLE.test(topic)) return `#**${channelName}>${topic}**`;
  const text = `#${channelName} > ${topic}`.replaceAll(/[\\`*_[\]<>$&~@#:|!]/g, (mark) => `\\${mark}`);
  return `[${text}](${channelLinkPath({ id: channelId, name: channelName }, { topic })})`;
}
