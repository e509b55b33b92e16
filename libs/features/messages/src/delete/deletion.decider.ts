import { badRequest, rangesOf } from '#kernel';
import { arrivalsOf } from '../model/arrivals.js';
import { assertNotArchived } from '../model/message.access.js';
import { messageDecider } from '../model/message.decider.js';
import type { MessageDeleted, MessagesDeleted } from '../model/messages.events.js';
import type { DeleteMessage, DeleteTopic } from './deletion.commands.js';

export const deletionDecider = messageDecider<DeleteMessage>((_, command) => decideDelete(command));
export const topicDeletionDecider = messageDecider<DeleteTopic>((_, command) => decideDeleteTopic(command));

/** @throws Refusal BAD_REQUEST (endpoints.md §4, DELETE /messages/{id}) */
function decideDelete(command: DeleteMessage): readonly MessageDeleted[] {
  const { messageId, by, at, place, sent, arrival, mentioned, firstLeft } = command;
  assertNotArchived(command);
  if (!command.mayDeleteAny) {
    if (!command.isOwn) throw badRequest("You don't have permission to delete this message");
    if (!command.mayDeleteOwn) throw badRequest("You don't have permission to delete this message");
    const limit = command.settings.contentDeleteLimitSeconds;
    if (limit !== null && at - sent.at > limit) {
      throw badRequest('The time limit for deleting this message has passed');
    }
  }
  return [
    {
      type: 'message.deleted.v1',
      data: {
        messageId,
        by,
        place,
        arrival,
        mentioned: mentioned.length === 0 ? undefined : mentioned,
        firstLeft,
        at,
      },
    },
  ];
}

/** @throws Refusal BAD_REQUEST (endpoints.md §4, POST /streams/{stream_id}/delete_topic) */
function decideDeleteTopic(command: DeleteTopic): readonly MessagesDeleted[] {
  const { by, at, place, messages, mentioned, firstLeft } = command;
  assertMayDeleteTopic(command.mayDeleteAny);
  assertNotArchived(command);
  const arrivals = arrivalsOf(messages);
  return [
    {
      type: 'messages.deleted.v1',
      data: {
        ids: rangesOf(messages.map(({ id }) => id)),
        by,
        place,
        arrivals: arrivals.length === 0 ? undefined : arrivals,
        mentioned: mentioned.length === 0 ? undefined : mentioned,
        firstLeft,
        at,
      },
    },
  ];
}

/** @throws Refusal BAD_REQUEST */
export function assertMayDeleteTopic(mayDeleteAny: boolean): void {
  if (!mayDeleteAny) throw badRequest("You don't have permission to delete this topic");
}
