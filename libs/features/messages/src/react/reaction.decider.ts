import { badRequest, Refusal } from '#kernel';
import { assertNotArchived } from '../model/message.access.js';
import { messageDecider } from '../model/message.decider.js';
import { REACTIONS_PER_USER_MAX } from '../model/message-settings.js';
import type { StandingMessage } from '../model/message.state.js';
import type { MessageEvent } from '../model/messages.events.js';
import { type Emoji, emojiOf, isSameEmoji } from '../model/reaction-emoji.js';
import type { AddReaction, RemoveReaction } from './reaction.commands.js';

export const reactionDecider = messageDecider(decideReact);
export const reactionRemovalDecider = messageDecider(decideUnreact);

function decideReact(message: StandingMessage, command: AddReaction): readonly MessageEvent[] {
  const { by, asked } = command;
  assertNotArchived(command);
  const emoji = asked.emoji;
  if (emoji === undefined || asked.isGoneName === true) throw badRequest(asked.problem ?? 'Invalid emoji code.');
  const same = message.reactions.filter((reaction) => isSameEmoji(reaction, emoji));
  if (same.some(({ userId }) => userId === by)) {
    throw new Refusal('REACTION_ALREADY_EXISTS', 'Reaction already exists.');
  }
  // A user who joins a reaction need not know the name used by the first one, nor that the emoji has been removed.
  const [first] = same;
  if (first === undefined && asked.problem !== undefined) throw badRequest(asked.problem);
  if (message.reactions.filter(({ userId }) => userId === by).length >= REACTIONS_PER_USER_MAX) {
    throw badRequest(`Too many reactions to one message (limit: ${REACTIONS_PER_USER_MAX})`);
  }
  const data = reactionData(command, { ...emoji, ...emojiOf(first ?? emoji) });
  return [{ type: 'reaction.added.v1', data: command.isForeign === true ? { ...data, historical: true } : data }];
}

function decideUnreact(message: StandingMessage, command: RemoveReaction): readonly MessageEvent[] {
  const { by, asked } = command;
  assertNotArchived(command);
  const { emoji, problem = '', isUnknown } = asked;
  if (emoji === undefined) throw badRequest(problem);
  const own = message.reactions.find((reaction) => reaction.userId === by && isSameEmoji(reaction, emoji));
  if (own !== undefined) return [{ type: 'reaction.removed.v1', data: reactionData(command, emojiOf(own)) }];
  if (isUnknown === true) throw badRequest(problem);
  throw new Refusal('REACTION_DOES_NOT_EXIST', "Reaction doesn't exist.");
}

function reactionData({ messageId, by, place, at }: AddReaction | RemoveReaction, emoji: Emoji) {
  return { messageId, userId: by, ...emoji, place, at };
}
