import { idsIn } from '#kernel';
import { channelLinkPath, silentMention } from '#markdown';
import type { User } from '#organization';
import type { ChannelPlace, MessagesMoved } from './messages.events.js';
import { isResolution, isResolved } from './topic.js';

/** A message that the notification bot sends about a move. */
export interface MoveNotice {
  readonly channelId: number;
  readonly topic: string;
  /** Markdown. */
  readonly content: string;
  readonly thread: 'old' | 'new';
}

export interface NoticeWishes {
  readonly oldThread: boolean;
  readonly newThread: boolean;
}

/** What is said of a move besides the fact itself. */
export interface NoticeAnswers {
  /** Of the two channels, now. */
  readonly names: { readonly from: string; readonly to: string };
  /** The link to a place is rendered for everybody alike, so a place in a private channel is not told. */
  readonly tellsPlace: { readonly old: boolean; readonly new: boolean };
  /** Nothing is left of the old topic. */
  readonly isWhole: boolean;
}

/**
 * What the topics concerned are told (rules.md §6): a topic that was resolved or unresolved always, the others as wished.
 * The old topic never learns of a new place in a channel that its readers might not know.
 */
export function moveNotices(
  { ids, from, to, targetId }: MessagesMoved['data'],
  actor: User,
  wishes: NoticeWishes,
  { names, tellsPlace, isWhole }: NoticeAnswers,
): readonly MoveNotice[] {
  const by = silentMention(actor);
  const mark = resolutionOf({ from, to });
  if (mark !== undefined) return [{ ...to, content: `${by} has marked this topic as ${mark}.`, thread: 'new' }];
  const count = idsIn(ids).length;
  const notices: MoveNotice[] = [];
  if (wishes.newThread) {
    const origin = tellsPlace.old ? ` from ${topicLink(names.from, from)}` : '';
    const path = channelLinkPath({ id: to.channelId, name: names.to }, { topic: to.topic, nearMessageId: targetId });
    const what = isWhole ? 'This topic was' : count === 1 ? `[A message](${path}) was` : `${count} messages were`;
    notices.push({ ...to, content: `${what} moved here${origin} by ${by}.`, thread: 'new' });
  }
  if (wishes.oldThread) {
    const target = tellsPlace.new ? ` to ${topicLink(names.to, to)}` : '';
    const what = isWhole ? 'This topic was moved' : `${count === 1 ? 'A message was' : `${count} messages were`} moved`;
    notices.push({ ...from, content: `${what}${isWhole ? '' : ' from this topic'}${target} by ${by}.`, thread: 'old' });
  }
  return notices;
}

/** Whether a move does nothing but mark the topic, and as what. */
export function resolutionOf({
  from,
  to,
}: Pick<MessagesMoved['data'], 'from' | 'to'>): 'resolved' | 'unresolved' | undefined {
  if (from.channelId !== to.channelId || !isResolution(from.topic, to.topic)) return undefined;
  return isResolved(from.topic) ? 'unresolved' : 'resolved';
}

/** What a link to a topic cannot hold between its marks. */
const UNLINKABLE = /[*>`[\]\\$&<]/;

function topicLink(channelName: string, { channelId, topic }: ChannelPlace): string {
  if (!UNLINKABLE.test(channelName) && !UNLINKABLE.test(topic)) return `#**${channelName}>${topic}**`;
  const text = `#${channelName} > ${topic}`.replaceAll(/[\\`*_[\]<>$&~@#:|!]/g, (mark) => `\\${mark}`);
  return `[${text}](${channelLinkPath({ id: channelId, name: channelName }, { topic })})`;
}
