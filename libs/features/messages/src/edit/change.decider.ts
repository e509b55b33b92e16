import { createHash } from 'node:crypto';
import { badRequest, rangesOf, Refusal } from '#kernel';
import type { MessageContent } from '../model/message-content.js';
import { EDIT_GRACE_SECONDS, type MessageSettings } from '../model/message-settings.js';
import type { ChangeMessage, ContinueMove, MoveContext } from '../model/message.commands.js';
import type { EditedText, StandingMessage } from '../model/message.state.js';
import type {
  ChannelPlace,
  ContentEdit,
  FileReference,
  MessageEvent,
  MessagesMoved,
  Place,
} from '../model/messages.events.js';
import { assertWildcardsAllowed } from '../send/send.decider.js';
import { assertTopicAllowed, isResolution, resolvesEmptyTopic } from '../model/topic.js';
import { widgetOfMessage } from '../model/widget.js';

/**
 * Decides an edit, a move, or both as a single event (specification, PATCH /messages/{message_id}; rules.md §6 gives
 * the order of the checks).
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
  // One request is one event, also for clients, which receive both changes at once.
  if (move !== undefined && moves !== undefined && isChannelPlace(place)) return [moved(command, move, place, edit)];
  if (edit === undefined) throw badRequest('Nothing to change');
  const { messageId, by, at } = command;
  return [{ type: 'message.edited.v1', data: { messageId, by, ...edit, place, at } }];
}

export function isChannelPlace(place: Place): place is ChannelPlace {
  return 'channelId' in place;
}

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

function assertShape({ content, topic, channelId, place, move, propagateMode }: ChangeMessage): void {
  if (content === undefined && topic === undefined && channelId === undefined) throw badRequest('Nothing to change');
  if (!isChannelPlace(place)) {
    if (topic !== undefined) throw badRequest('Direct messages cannot have topics.');
    if (channelId !== undefined) throw badRequest('Direct messages cannot be moved to channels.');
  }
  if (content !== undefined && channelId !== undefined) {
    throw badRequest('Cannot change message content while changing channel');
  }
  // zulip-terminal sends the topic with every edit, and a mode with it, by default `change_later` (clients.md §2.3). So
  // a mode beside an unchanged topic is accepted: it has no effect.
  if (topic === undefined && channelId === undefined && propagateMode !== 'change_one') {
    throw badRequest('Invalid propagate_mode without topic edit');
  }
  if (move === undefined && content === undefined) throw badRequest('Nothing to change');
}

function assertMayEdit(command: ChangeMessage): void {
  const { sent, settings, content, wildcards, at } = command;
  if (!settings.allowMessageEditing) throw badRequest('Your organization has turned off message editing');
  if (sent.senderId !== command.by) throw badRequest("You don't have permission to edit this message");
  // A widget's state is in its submessages, not in its text. An edit does not create a widget.
  if (widgetOfMessage(sent) !== undefined) throw badRequest('Widgets cannot be edited.');
  const limit = settings.contentEditLimitSeconds;
  if (limit !== null && at - sent.at > limit + EDIT_GRACE_SECONDS) {
    throw badRequest('The time limit for editing this message has passed');
  }
  if (content !== undefined && wildcards !== undefined) assertWildcardsAllowed(content, wildcards);
}

/** A client that sends the expected content means it, for an edit and for a move. */
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

function editOf(
  { content: prevContent, rendered: prevRendered, mentions = [], files = [] }: EditedText,
  content: MessageContent,
): ContentEdit {
  const left = new Set(content.mentions);
  const unmentioned = [...mentions].filter((userId) => !left.has(userId));
  const attached = without(content.files ?? [], files);
  const detached = without(files, content.files ?? []);
  return {
    ...content,
    prevContent,
    ...(prevRendered === undefined ? undefined : { prevRendered }),
    ...(unmentioned.length === 0 ? undefined : { unmentioned }),
    ...(attached.length === 0 ? undefined : { attached }),
    ...(detached.length === 0 ? undefined : { detached }),
  };
}

function without(files: readonly FileReference[], others: readonly FileReference[]): FileReference[] {
  const known = new Set(others.map(({ fileId }) => fileId));
  return [...files].flatMap(({ fileId, ownerId }) => (known.has(fileId) ? [] : [{ fileId, ownerId }]));
}

function moved(
  { messageId, by, at, propagateMode, notices }: ChangeMessage,
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
      ...(firstLeft === undefined ? undefined : { firstLeft }),
      ...(edit === undefined ? undefined : { edit }),
      propagateMode,
      ...(rest === undefined ? undefined : { rest }),
      at,
      entails: { ...notices, merges, ...(takesBack === undefined ? undefined : { takesBack }) },
    },
  };
}

/** Decides the next event of a move that takes several. Nothing when no messages are left to move. */
export function decideRest({ move, continues, ids, rest, firstLeft }: ContinueMove): readonly MessagesMoved[] {
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
        ...(firstLeft === undefined ? undefined : { firstLeft }),
        propagateMode,
        ...(rest === undefined ? undefined : { rest }),
        continues,
        at,
      },
    },
  ];
}
