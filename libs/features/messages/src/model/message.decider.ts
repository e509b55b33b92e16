import { type Decider, unreachable } from '#kernel';
import { invalidMessage } from './message.access.js';
import type { EditedText, MessageState, StandingMessage } from './message.state.js';
import type { ContentEdit, MessageEvent } from './messages.events.js';
import { emojiOf, isSameEmoji } from './reaction-emoji.js';

/** The decider of a command to an existing message: nothing can be done to one that was deleted. */
export function messageDecider<Command>(
  decide: (message: StandingMessage, command: Command) => readonly MessageEvent[],
): Decider<MessageState, Command, MessageEvent> {
  return {
    initial: () => ({ phase: 'standing', edited: undefined, reactions: [] }),
    decide(state, command) {
      if (state.phase === 'deleted') throw invalidMessage();
      return decide(state, command);
    },
    evolve,
  };
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
    case 'messages.expired.v1':
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
  return { content, rendered, mentions, files };
}
