import { type EditEntry, type MessageDocument, parseConversation } from '#messages';
import { hasSharedHistory, mayReadChannel, mayReadUnsubscribed } from '#channels/model';
import type { Directory } from '#people';
import type { User } from '#users/model';
import type { MessageVersion } from './message-versions.projection.js';

/** One edit or move, with the previous content. */
export interface KnownEdit extends EditEntry {
  readonly prevContent?: string;
  /** Absent when the previous content was plain. */
  readonly prevRendered?: string;
}

/** History of a message, as far as the viewer may know it. */
export interface KnownHistory {
  /** Newest first. */
  readonly edits: readonly KnownEdit[];
  /** Start of the part that the viewer may know: the sending, or the edit or move after which they may. */
  readonly at: number;
  /** User ID of the author of that change. */
  readonly by: number;
  /** The versions before are not kept, except the original, which the viewer may know. */
  readonly beginsLate: boolean;
}

/** Fields of a message from which its history is derived. */
export type Changed = Pick<
  MessageDocument,
  'conversation' | 'edits' | 'firstEditPosition' | 'arrivals' | 'sentTo' | 'at' | 'senderId'
>;

/**
 * A message's history begins for the viewer after the last time at which they could not read it: its content and topic
 * until then stay hidden. It also begins where earlier versions are not kept any more. The organization may show only
 * moves, or nothing at all (register.md §3, `message_edit_history_visibility_policy`).
 * @param versions of the message; none need be loaded where only moves are shown
 */
export function knownHistory(
  directory: Directory,
  viewer: User,
  messageId: number,
  doc: Changed,
  versions: readonly MessageVersion[],
): KnownHistory {
  const policy = directory.settings.message_edit_history_visibility_policy;
  const reading = new PastReading(directory, viewer, messageId, doc);
  const { edits = [] } = doc;
  const known: KnownEdit[] = [];
  let channelId = reading.channelId;
  for (const [index, edit] of edits.entries()) {
    const begins = (beginsLate: boolean): KnownHistory => ({ edits: known, at: edit.at, by: edit.by, beginsLate });
    const older = edits[index + 1];
    channelId = edit.prevChannelId ?? channelId;
    if (older === undefined && doc.firstEditPosition !== undefined) return begins(reading.hadOriginal());
    if (!reading.couldRead(channelId, older?.position, edit.position)) return begins(false);
    const shown = policy === 'all' ? withVersion(edit, versions) : moveOf(edit, policy);
    if (shown === undefined) return begins(reading.hadOriginal());
    if (shown !== 'hidden') known.push(shown);
  }
  return { edits: known, at: doc.at, by: doc.senderId, beginsLate: false };
}

/** The edits and moves that the viewer may know of, newest first. */
export function knownEdits(
  directory: Directory,
  viewer: User,
  messageId: number,
  doc: Changed,
  versions: readonly MessageVersion[],
): readonly KnownEdit[] {
  return doc.edits === undefined ? NONE : knownHistory(directory, viewer, messageId, doc, versions).edits;
}

/** Judges past access to a message's earlier places by the viewer's current access. */
class PastReading {
  /** Current channel; undefined for a direct message. */
  readonly channelId: number | undefined;

  constructor(
    private readonly directory: Directory,
    private readonly viewer: User,
    private readonly messageId: number,
    private readonly doc: Changed,
  ) {
    const place = parseConversation(doc.conversation);
    this.channelId = 'channelId' in place ? place.channelId : undefined;
  }

  /** Whether the viewer could read the original. */
  hadOriginal(): boolean {
    const { sentTo, firstEditPosition, edits = [] } = this.doc;
    const until = firstEditPosition ?? edits.at(-1)?.position;
    return until !== undefined && this.couldRead(sentTo ?? this.channelId, undefined, until);
  }

  /**
   * Whether the viewer may read the channel, and could read the message there at some time between two positions of the
   * log.
   * @param since undefined for the sending
   */
  couldRead(channelId: number | undefined, since: number | undefined, until: number): boolean {
    if (channelId === undefined) return true; // Participants of a direct conversation always took part.
    const { directory, viewer } = this;
    const channel = directory.channel(channelId);
    if (channel === undefined) return false;
    if (!mayReadChannel(directory, viewer, channel)) return false;
    if (!hasSharedHistory(channel) && !this.#cameTo(channelId, until)) return false;
    if (mayReadUnsubscribed(directory, viewer, channel)) return true;
    return this.#wasSubscribed(channelId, since, until);
  }

  /** Whether the viewer was subscribed when the message arrived in the channel. */
  #cameTo(channelId: number, until: number): boolean {
    const { directory, viewer, messageId } = this;
    const arrival = this.doc.arrivals?.findLast(({ position }) => position < until);
    return arrival === undefined
      ? directory.wasSubscribedForMessage(viewer.userId, channelId, messageId)
      : directory.wasSubscribedAt(viewer.userId, channelId, arrival.position);
  }

  #wasSubscribed(channelId: number, since: number | undefined, until: number): boolean {
    const { messageId } = this;
    const spans = this.directory.subscription(this.viewer.userId, channelId)?.spans ?? [];
    return spans.some(({ fromPosition, untilPosition, untilId }) => {
      if (fromPosition >= until) return false;
      if (untilPosition === null || untilId === null) return true;
      return since === undefined ? untilId >= messageId : untilPosition > since;
    });
  }
}

/** Undefined when the previous content is not kept. */
function withVersion(edit: EditEntry, versions: readonly MessageVersion[]): KnownEdit | undefined {
  if (edit.edited === undefined) return edit;
  const before = versions.find(({ position }) => position === edit.position);
  if (before === undefined) return undefined;
  const { content, rendered } = before;
  return { ...edit, prevContent: content, prevRendered: rendered };
}

function moveOf(edit: EditEntry, policy: 'moves' | 'none'): EditEntry | 'hidden' {
  const isMove = edit.topic !== undefined || edit.channelId !== undefined;
  return policy === 'moves' && isMove ? edit : 'hidden';
}

const NONE: readonly KnownEdit[] = [];
