import { badRequest, type Decider } from '#kernel';
import { assertNotArchived, invalidMessage } from '../model/message.access.js';
import type { ToMessage } from '../model/message.commands.js';
import type { MessageEvent } from '../model/messages.events.js';
import { problemWithSubmessage } from './submessage-content.js';
import { submessageIdOf, type Widget, widgetOfMessage } from '../model/widget.js';

/** All submessages of a message are stored in one document. */
export const SUBMESSAGES_MAX = 5000;
const SUBMESSAGES_PER_USER_MAX = 500;

/** POST /submessage. The actor may read the message: the handler checks access. */
export interface AddSubmessage extends Omit<ToMessage, 'sent'> {
  /** Sender, content and widget of the message. */
  readonly sent: { readonly senderId: number; readonly content: string; readonly widget?: Widget };
  readonly msgType: string;
  /** As the client wrote it. */
  readonly content: string;
}

/** Submessages known from the message's own stream. */
export interface Submessages {
  readonly isDeleted: boolean;
  readonly count: number;
  readonly byUser: Map<number, number>;
}

export const submessageDecider: Decider<Submessages, AddSubmessage, MessageEvent> = {
  initial: () => ({ isDeleted: false, count: 0, byUser: new Map() }),

  decide({ isDeleted, count, byUser }, command) {
    if (isDeleted) throw invalidMessage();
    const { messageId, by, at, place, msgType, content, sent } = command;
    assertNotArchived(command);
    if (msgType !== 'widget') throw badRequest('Invalid msg_type: only widgets have submessages');
    const widget = widgetOfMessage(sent);
    if (widget === undefined) throw badRequest('You cannot attach a submessage to this message.');
    const problem = problemWithSubmessage(widget.type, content, by === sent.senderId);
    if (problem !== undefined) throw badRequest(problem);
    if (count >= SUBMESSAGES_MAX || (byUser.get(by) ?? 0) >= SUBMESSAGES_PER_USER_MAX)
      throw badRequest('There are too many submessages of this message');
    const submessageId = submessageIdOf(messageId, count + 1);
    return [{ type: 'submessage.added.v1', data: { messageId, submessageId, senderId: by, content, place, at } }];
  },

  evolve(state, event) {
    switch (event.type) {
      case 'submessage.added.v1': {
        const { senderId } = event.data;
        state.byUser.set(senderId, (state.byUser.get(senderId) ?? 0) + 1);
        return { ...state, count: state.count + 1 };
      }
      case 'message.deleted.v1':
      case 'messages.deleted.v1':
      case 'messages.expired.v1':
        return { ...state, isDeleted: true };
      default:
        return state;
    }
  },
};
