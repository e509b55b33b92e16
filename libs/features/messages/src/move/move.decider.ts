import { badRequest, type Decider, rangesOf, Refusal } from '#kernel';
import { EDIT_GRACE_SECONDS, type MessageSettings } from '../model/message-settings.js';
import type { ChannelPlace, ContentEdit, MessageEvent, MessagesMoved } from '../model/messages.events.js';
import { isChannelPlace } from '../model/place.js';
import { assertTopicAllowed, isResolution, resolvesEmptyTopic } from '../model/topic.js';
import type { AskedChange, ContinueMove, MoveContext } from './move.commands.js';

/** The requested change of a channel message's place; undefined when nothing changes. */
export function changesOf(from: ChannelPlace, to: ChannelPlace): MoveChanges | undefined {
  const topic = to.topic !== from.topic;
  const channel = to.channelId !== from.channelId;
  if (!topic && !channel) return undefined;
  return { topic, channel, resolution: topic && !channel && isResolution(from.topic, to.topic) };
}

export interface MoveChanges {
  readonly topic: boolean;
  readonly channel: boolean;
  /** The move only sets or removes the mark as resolved. */
  readonly resolution: boolean;
}

/**
 * Oldest time of sending, in seconds since the epoch, that may still be moved at `at`; undefined without a limit. The
 * strictest applicable limit counts. A topic can be resolved, and unresolved, at any time.
 */
export function oldestMovable(changes: MoveChanges, settings: MessageSettings, at: number): number | undefined {
  const limits = [
    changes.topic && !changes.resolution ? settings.moveWithinChannelLimitSeconds : null,
    changes.channel ? settings.moveBetweenChannelsLimitSeconds : null,
  ].filter((limit) => limit !== null);
  return limits.length === 0 ? undefined : at - Math.min(...limits) - EDIT_GRACE_SECONDS;
}

/** Permissions and time limits (rules.md §6 gives the order of the checks). @throws Refusal BAD_REQUEST */
export function assertMayMove(
  { sent, place, settings, at }: AskedChange,
  move: MoveContext,
  changes: MoveChanges,
): void {
  if (changes.resolution) {
    if (!move.mayResolveTopic) throw badRequest("You don't have permission to resolve topics.");
  } else if (changes.topic && !move.mayChangeTopic) {
    throw badRequest("You don't have permission to edit this message");
  }
  if (changes.channel && !move.mayLeaveChannel) throw badRequest("You don't have permission to move this message");
  if (isChannelPlace(place) && resolvesEmptyTopic(place.topic, move.to.topic)) {
    throw badRequest('The empty topic cannot be resolved');
  }
  const oldest = oldestOf(settings, at, move, changes);
  if (oldest !== undefined && sent.at < oldest) {
    throw badRequest(
      changes.channel
        ? 'The time limit for editing this message’s channel has passed'
        : 'The time limit for editing this message’s topic has passed.',
    );
  }
}

/** Where it moves to, and what moves along. @throws Refusal BAD_REQUEST, MOVE_MESSAGES_TIME_LIMIT_EXCEEDED */
export function assertMayArrive(
  { settings, at, propagateMode }: AskedChange,
  move: MoveContext,
  changes: MoveChanges,
): void {
  assertDestination(move, changes);
  const isLimited = oldestOf(settings, at, move, changes) !== undefined;
  if (isLimited && propagateMode === 'change_all') assertWholeTopicMovable(move);
}

function oldestOf(settings: MessageSettings, at: number, move: MoveContext, changes: MoveChanges): number | undefined {
  return move.skipsTimeLimits ? undefined : oldestMovable(changes, settings, at);
}

function assertDestination({ destination, to }: MoveContext, changes: MoveChanges): void {
  if (destination === undefined) throw badRequest('Invalid channel ID');
  if (changes.channel && !destination.maySend) {
    throw badRequest(`Not authorized to send to channel '${destination.name}'`);
  }
  // A topic that would not be allowed any more can still be marked as resolved.
  if (changes.resolution) return;
  assertTopicAllowed(to.topic, destination.topicsPolicy);
  if (!destination.mayUseTopic) throw badRequest('You do not have permission to create new topics in this channel.');
}

function assertWholeTopicMovable({ window }: MoveContext): void {
  if (window === undefined || window.allowedCount >= window.totalCount) return;
  throw new Refusal(
    'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
    'You only have permission to move some of the messages in this topic. Move the newer ones with change_later.',
    {
      first_message_id_allowed_to_move: window.firstAllowedId,
      total_messages_allowed_to_move: window.allowedCount,
      total_messages_in_topic: window.totalCount,
    },
  );
}

export function moved(
  { messageId, by, at, propagateMode, notices }: AskedChange,
  { ids, rest, to, firstLeft, merges, takesBack }: MoveContext,
  from: ChannelPlace,
  edit: ContentEdit | undefined,
): MessagesMoved {
  // The target moves even when the read side did not find it in the topic.
  const ranges = rangesOf([messageId, ...ids]);
  return {
    type: 'messages.moved.v1',
    data: {
      targetId: messageId,
      ids: ranges,
      firstId: ranges[0]?.[0] ?? messageId,
      by,
      from,
      to,
      firstLeft,
      edit,
      propagateMode,
      rest,
      at,
      entails: { ...notices, merges, takesBack },
    },
  };
}

/** Decides the next event of a move that takes several. Nothing when no messages are left to move. */
function decideRest({ move, continues, ids, rest, firstLeft }: ContinueMove): readonly MessagesMoved[] {
  const [firstId] = ids;
  if (firstId === undefined) return [];
  const { targetId, by, from, to, propagateMode, at } = move;
  return [
    {
      type: 'messages.moved.v1',
      data: {
        targetId,
        ids: rangesOf(ids),
        firstId,
        by,
        from,
        to,
        firstLeft,
        propagateMode,
        rest,
        continues,
        at,
      },
    },
  ];
}

/** The move has been decided: whatever happened to the target meanwhile, its other messages follow. */
export const moveRestDecider: Decider<undefined, ContinueMove, MessageEvent> = {
  initial: () => undefined,
  decide: (_, command) => decideRest(command),
  evolve: () => undefined,
};
