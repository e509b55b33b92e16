import { badRequest, Refusal, unreachable, type Decider } from '#kernel';
import { decideChange, decideRest } from '../edit/change.decider.js';
import { decideDelete, decideDeleteTopic } from '../delete/deletion.decider.js';
import { REACTIONS_PER_USER_MAX } from './message-settings.js';
import { invalidMessage } from './message.access.js';
import type { AddReaction, MessageCommand, RemoveReaction } from './message.commands.js';
import type { EditedText, MessageState, StandingMessage } from './message.state.js';
import type { ContentEdit, MessageEvent } from './messages.events.js';
import type { Emoji } from './reaction-emoji.js';

/** Write side of an existing message. */
export const messageDecider: Decider<MessageState, MessageCommand, MessageEvent> = {
  initial: () => ({ phase: 'standing', edited: undefined, reactions: [] }),
  decide(state, command) {
    if (command.type === 'continue-move') return decideRest(command);
    if (state.phase === 'deleted') throw invalidMessage();
    switch (command.type) {
      case 'change':
        return decideChange(state, command);
      case 'delete':
        return decideDelete(command);
      case 'delete-topic':
        return decideDeleteTopic(command);
      case 'react':
        return decideReact(state, command);
      case 'unreact':
        return decideUnreact(state, command);
      default:
        return unreachable(command);
    }
  },
  evolve,
};

function decideReact(message: StandingMessage, command: AddReaction): readonly MessageEvent[] {
  const { by, asked } = command;
  assertNotArchived(command);
  const emoji = asked.emoji;
  if (emoji === undefined) throw badRequest(asked.problem ?? 'Invalid emoji code.');
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

function assertNotArchived({ isArchived }: AddReaction | RemoveReaction): void {
  if (isArchived) throw badRequest('This channel is archived');
}

function isSameEmoji(a: Emoji, b: Emoji): boolean {
  return a.emojiCode === b.emojiCode && a.reactionType === b.reactionType;
}

function emojiOf({ emojiName, emojiCode, reactionType }: Emoji): Emoji {
  return { emojiName, emojiCode, reactionType };
}

function reactionData({ messageId, by, place, at }: AddReaction | RemoveReaction, emoji: Emoji) {
  return { messageId, userId: by, ...emoji, place, at };
}

function evolve(state: MessageState, event: MessageEvent): MessageState {
  if (state.phase === 'deleted') return state;
  switch (event.type) {
    case 'message.edited.v1':
      state.edited = editedText(event.data);
      return state;
    case 'messages.moved.v1':
      // The message's current place comes with each command.
      if (event.data.edit !== undefined) state.edited = editedText(event.data.edit);
      return state;
    case 'submessage.added.v1':
      return state;
    case 'message.deleted.v1':
    case 'messages.deleted.v1':
      return { phase: 'deleted' };
    case 'reaction.added.v1': {
      const { userId } = event.data;
      state.reactions.push({ ...emojiOf(event.data), userId });
      return state;
    }
    case 'reaction.removed.v1': {
      const { userId } = event.data;
      state.reactions = state.reactions.filter((one) => one.userId !== userId || !isSameEmoji(one, event.data));
      return state;
    }
    default:
      return unreachable(event);
  }
}

function editedText({ content, rendered, mentions, files }: ContentEdit): EditedText {
  return {
    content,
    ...(rendered === undefined ? {} : { rendered }),
    ...(mentions && { mentions }),
    ...(files && { files }),
  };
}
