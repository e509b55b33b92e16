import { createHash } from 'node:crypto';
import { badRequest, rangesOf, Refusal } from '#kernel';
import type { MessageContent } from './message-content.js';
import {
  MOVED_MESSAGES_MAX,
  MOVED_RUNS_MAX,
  TIME_LIMIT_GRACE_SECONDS,
  type MessageSettings,
} from './message-settings.js';
import type { ChangeMessage, MoveAnswers } from './message.commands.js';
import type { EditedText, StandingMessage } from './message.state.js';
import type { ChannelPlace, ContentEdit, MessageEvent, MessagesMoved, Place } from './messages.events.js';
import { assertWildcardsAllowed } from './send.decider.js';
import { assertTopicAllowed, isResolution, resolvesEmptyTopic } from './topic.js';
import { widgetOf } from './widget.js';

/**
 * Decides an edit, a move, or both at once, which are one fact (specification, PATCH /messages/{message_id};
 * rules.md §6 gives the order of the checks).
 * @throws Refusal BAD_REQUEST, EXPECTATION_MISMATCH, MOVE_MESSAGES_TIME_LIMIT_EXCEEDED, wildcard refusals
 */
export function decideChange(message: StandingMessage, command: ChangeMessage): readonly MessageEvent[] {
  const { content, move, place } = command;
  const before = message.edited ?? command.sent;
  assertShape(command);
  if (command.isArchived) throw badRequest('This channel is archived');
  if (content !== undefined) assertMayEdit(command);
  assertExpected(before, command);
  const isEdit = content !== undefined && content.content !== before.content;
  const moves = move !== undefined && isChannelPlace(place) ? changesOf(place, move.to) : undefined;
  if (move !== undefined && moves !== undefined) assertMayMove(command, move, moves);
  const edit = isEdit ? editOf(before, content) : undefined;
  // One request is one fact, for clients as well: they hear of both at once.
  if (move !== undefined && moves !== undefined && isChannelPlace(place)) return [moved(command, move, place, edit)];
  if (edit === undefined) throw badRequest('Nothing to change');
  const { messageId, by, at } = command;
  return [{ type: 'message.edited.v1', data: { messageId, by, ...edit, place, at } }];
}

export function isChannelPlace(place: Place): place is ChannelPlace {
  return 'channelId' in place;
}

/** What a request would change about where a channel message stands; undefined when nothing. */
export function changesOf(from: ChannelPlace, to: ChannelPlace): MoveChanges | undefined {
  const topic = to.topic !== from.topic;
  const channel = to.channelId !== from.channelId;
  if (!topic && !channel) return undefined;
  return { topic, channel, resolution: topic && !channel && isResolution(from.topic, to.topic) };
}

export interface MoveChanges {
  readonly topic: boolean;
  readonly channel: boolean;
  /** Nothing but a mark as resolved, or its removal. */
  readonly resolution: boolean;
}

/**
 * The oldest time of sending, in seconds since the epoch, that may still be moved at `at`; undefined without a limit. The
 * strictest limit that applies counts.
 */
export function oldestMovable(changes: MoveChanges, settings: MessageSettings, at: number): number | undefined {
  const limits = [
    changes.topic ? settings.moveWithinChannelLimitSeconds : null,
    changes.channel ? settings.moveBetweenChannelsLimitSeconds : null,
  ].filter((limit) => limit !== null);
  return limits.length === 0 ? undefined : at - Math.min(...limits) - TIME_LIMIT_GRACE_SECONDS;
}

function assertShape({ content, topic, channelId, place, move, propagateMode }: ChangeMessage): void {
  if (content === undefined && topic === undefined && channelId === undefined) throw badRequest('Nothing to change');
  if (!isChannelPlace(place)) {
    if (topic !== undefined) throw badRequest('Direct messages cannot have topics.');
    if (channelId !== undefined) throw badRequest('Direct messages cannot be moved to channels.');
  }
  if (content !== undefined && channelId !== undefined) {
    throw badRequest('Cannot change message content while changing channel');
  }
  // zulip-terminal sends the topic with every edit, and a mode with it, by default `change_later` (clients.md §2.3). So a
  // topic that stays is no reason to refuse the mode: nothing else is edited by it.
  if (topic === undefined && channelId === undefined && propagateMode !== 'change_one') {
    throw badRequest('Invalid propagate_mode without topic edit');
  }
  if (move === undefined && content === undefined) throw badRequest('Nothing to change');
}

function assertMayEdit(command: ChangeMessage): void {
  const { sent, settings, content, wildcards, at } = command;
  if (!settings.allowMessageEditing) throw badRequest('Your organization has turned off message editing');
  if (sent.senderId !== command.by) throw badRequest("You don't have permission to edit this message");
  // What a widget shows is in what was added to it, and not in its text. An edit makes no widget.
  if (widgetOf(sent.content) !== undefined) throw badRequest('Widgets cannot be edited.');
  const limit = settings.contentEditLimitSeconds;
  if (limit !== null && at - sent.at > limit + TIME_LIMIT_GRACE_SECONDS) {
    throw badRequest('The time limit for editing this message has passed');
  }
  if (content !== undefined && wildcards !== undefined) assertWildcardsAllowed(content, wildcards);
}

/** Whoever says what they saw means that, whether they edit it or move it. */
function assertExpected(before: EditedText, { prevContentSha256 }: ChangeMessage): void {
  if (prevContentSha256 === undefined || prevContentSha256.toLowerCase() === sha256(before.content)) return;
  throw new Refusal('EXPECTATION_MISMATCH', "'prev_content_sha256' value does not match the expected value.", {
    field_name: 'prev_content_sha256',
  });
}

function sha256(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}

function assertMayMove(
  { sent, place, settings, at, propagateMode }: ChangeMessage,
  move: MoveAnswers,
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
  const oldest = move.skipsTimeLimits ? undefined : oldestMovable(changes, settings, at);
  if (oldest !== undefined && sent.at < oldest) {
    throw badRequest(
      changes.channel
        ? 'The time limit for editing this message’s channel has passed'
        : 'The time limit for editing this message’s topic has passed.',
    );
  }
  assertDestination(move, changes);
  if (oldest !== undefined && propagateMode === 'change_all') assertWholeTopicMovable(move);
  if (move.ids.length > MOVED_MESSAGES_MAX) {
    throw badRequest(`Too many messages to move at once (limit: ${MOVED_MESSAGES_MAX})`);
  }
}

function assertDestination({ destination, to }: MoveAnswers, changes: MoveChanges): void {
  if (destination === undefined) throw badRequest('Invalid channel ID');
  if (changes.channel && !destination.maySend) {
    throw badRequest(`Not authorized to send to channel '${destination.name}'`);
  }
  // What stands in a topic that would not be allowed any more can still be marked as resolved.
  if (changes.resolution) return;
  assertTopicAllowed(to.topic, destination.topicsPolicy);
  if (!destination.mayUseTopic) throw badRequest('You do not have permission to create new topics in this channel.');
}

function assertWholeTopicMovable({ ids, window }: MoveAnswers): void {
  if (window === undefined || window.allowedCount >= ids.length) return;
  throw new Refusal(
    'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
    'You only have permission to move some of the messages in this topic. Move the newer ones with change_later.',
    {
      first_message_id_allowed_to_move: window.firstAllowedId,
      total_messages_allowed_to_move: window.allowedCount,
      total_messages_in_topic: ids.length,
    },
  );
}

function editOf(
  { content: prevContent, rendered: prevRendered, mentions = [] }: EditedText,
  content: MessageContent,
): ContentEdit {
  const left = new Set(content.mentions);
  const unmentioned = [...mentions].filter((userId) => !left.has(userId));
  return {
    ...content,
    prevContent,
    ...(prevRendered === undefined ? undefined : { prevRendered }),
    ...(unmentioned.length === 0 ? undefined : { unmentioned }),
  };
}

function moved(
  { messageId, by, at, propagateMode, notices }: ChangeMessage,
  { ids, to, firstLeft, merges, takesBack }: MoveAnswers,
  from: ChannelPlace,
  edit: ContentEdit | undefined,
): MessagesMoved {
  // The target moves whatever the read side knew of the topic.
  const ranges = rangesOf([messageId, ...ids]);
  if (ranges.length > MOVED_RUNS_MAX) throw badRequest('Too many messages to move at once');
  return {
    type: 'messages.moved.v1',
    data: {
      targetId: messageId,
      ids: ranges,
      firstId: ranges[0]?.[0] ?? messageId,
      by,
      from,
      to,
      ...(firstLeft === undefined ? undefined : { firstLeft }),
      ...(edit === undefined ? undefined : { edit }),
      propagateMode,
      at,
      entails: { ...notices, merges, ...(takesBack === undefined ? undefined : { takesBack }) },
    },
  };
}
