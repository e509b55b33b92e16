import { createHash } from 'node:crypto';
import { badRequest, Refusal } from '#kernel';
import { assertNotArchived } from '../model/message.access.js';
import type { MessageContent } from '../model/message-content.js';
import { messageDecider } from '../model/message.decider.js';
import { EDIT_GRACE_SECONDS } from '../model/message-settings.js';
import type { EditedText, StandingMessage } from '../model/message.state.js';
import type { ContentEdit, FileReference, MessageEvent } from '../model/messages.events.js';
import { isChannelPlace } from '../model/place.js';
import { widgetOfMessage } from '../model/widget.js';
import { assertMayArrive, assertMayMove, changesOf, type MoveChanges, moved } from '../move/move.decider.js';
import { assertWildcardsAllowed } from '../send/send.decider.js';
import type { ChangeMessage, UnrenderedChange } from './change.commands.js';

/**
 * Decides an edit, a move, or both as a single event (rules.md §6 gives
 * the order of the checks).
 * @throws Refusal BAD_REQUEST, EXPECTATION_MISMATCH, MOVE_MESSAGES_TIME_LIMIT_EXCEEDED, wildcard refusals
 */
export const changeDecider = messageDecider(decideChange);

function decideChange(message: StandingMessage, command: ChangeMessage): readonly MessageEvent[] {
  const { content, wildcards, move, place } = command;
  const before = message.edited ?? command.sent;
  assertShape(command, content !== undefined);
  assertNotArchived(command);
  if (content !== undefined) assertMayEdit(command);
  assertExpected(before, command);
  const moves = movesOf(command);
  if (move !== undefined && moves !== undefined) assertMayMove(command, move, moves);
  if (content !== undefined && wildcards !== undefined) assertWildcardsAllowed(content, wildcards);
  if (move !== undefined && moves !== undefined) assertMayArrive(command, move, moves);
  const isEdit = content !== undefined && content.content !== before.content;
  const edit = isEdit ? editOf(before, content) : undefined;
  // One request is one event, also for clients, which receive both changes at once.
  if (move !== undefined && moves !== undefined && isChannelPlace(place)) return [moved(command, move, place, edit)];
  if (edit === undefined) throw badRequest('Nothing to change');
  const { messageId, by, at } = command;
  return [{ type: 'message.edited.v1', data: { messageId, by, ...edit, place, at } }];
}

/**
 * What comes before the new content is rendered, whose mentions may be refused as well.
 * @throws Refusal BAD_REQUEST, as `changeDecider`
 */
export function assertMayReword(command: UnrenderedChange): void {
  assertShape(command, true);
  assertNotArchived(command);
  assertMayEdit(command);
  const { move } = command;
  const moves = movesOf(command);
  if (move !== undefined && moves !== undefined) assertMayMove(command, move, moves);
}

function movesOf({ place, move }: UnrenderedChange): MoveChanges | undefined {
  return move !== undefined && isChannelPlace(place) ? changesOf(place, move.to) : undefined;
}

function assertShape({ topic, channelId, place, move, propagateMode }: UnrenderedChange, isReworded: boolean): void {
  if (!isReworded && topic === undefined && channelId === undefined) throw badRequest('Nothing to change');
  if (!isChannelPlace(place)) {
    if (topic !== undefined) throw badRequest('Direct messages cannot have topics.');
    if (channelId !== undefined) throw badRequest('Direct messages cannot be moved to channels.');
  }
  if (isReworded && channelId !== undefined) {
    throw badRequest('Cannot change message content while changing channel');
  }
  // zulip-terminal sends the topic with every edit, and a mode with it, by default `change_later` (clients.md §2.3). So
  // a mode beside an unchanged topic is accepted: it has no effect.
  if (topic === undefined && channelId === undefined && propagateMode !== 'change_one') {
    throw badRequest('Invalid propagate_mode without topic edit');
  }
  if (move === undefined && !isReworded) throw badRequest('Nothing to change');
}

function assertMayEdit({ sent, settings, by, at }: UnrenderedChange): void {
  if (!settings.allowMessageEditing) throw badRequest('Your organization has turned off message editing');
  if (sent.senderId !== by) throw badRequest("You don't have permission to edit this message");
  // A widget's state is in its submessages, not in its text. An edit does not create a widget.
  if (widgetOfMessage(sent) !== undefined) throw badRequest('Widgets cannot be edited.');
  const limit = settings.contentEditLimitSeconds;
  if (limit !== null && at - sent.at > limit + EDIT_GRACE_SECONDS) {
    throw badRequest('The time limit for editing this message has passed');
  }
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
    prevRendered,
    unmentioned: unmentioned.length === 0 ? undefined : unmentioned,
    attached: attached.length === 0 ? undefined : attached,
    detached: detached.length === 0 ? undefined : detached,
  };
}

function without(files: readonly FileReference[], others: readonly FileReference[]): FileReference[] {
  const known = new Set(others.map(({ fileId }) => fileId));
  return [...files].flatMap(({ fileId, ownerId }) => (known.has(fileId) ? [] : [{ fileId, ownerId }]));
}
