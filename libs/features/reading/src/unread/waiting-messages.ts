import { Injectable } from '@nestjs/common';
import { nextSlice } from '#kernel';
import { htmlOf, type MessageDocument, MessagesReader, parseConversation } from '#messages';
import { Directory } from '#people';
import type { User } from '#users/model';
import type { ReadableMessage } from '../viewer/readable-messages.js';
import { ViewerMessages } from '../viewer/viewer-messages.js';
import { FlagsReader } from '../flags/flags.reader.js';
import { isCalledNoMore, isRead, seenBy } from '../flags/message-flags.js';

/** Users judged in one turn of the event loop: a few milliseconds of work. */
const USERS_AT_ONCE = 500;

/** A message that somebody has received and not read. */
export interface WaitingMessage extends ReadableMessage {
  readonly html: string;
  /** Seconds since the epoch. */
  readonly sentAt: number;
}

/** Messages that wait to be read, for notifications. */
@Injectable()
export class WaitingMessages {
  constructor(
    private readonly directory: Directory,
    private readonly messages: MessagesReader,
    private readonly flags: FlagsReader,
    private readonly viewers: ViewerMessages,
  ) {}

  /** Of these users, those who have received the message, may read it, and have not read it. */
  async waitingFor(
    messageId: number,
    userIds: readonly number[],
  ): Promise<{ readonly message: WaitingMessage; readonly userIds: readonly number[] } | undefined> {
    const doc = await this.messages.get(messageId);
    if (doc === undefined) return undefined;
    const flagsOf = await this.flags.ofMessage(messageId, userIds);
    const waiting: number[] = [];
    for (const [index, userId] of userIds.entries()) {
      if (index > 0 && index % USERS_AT_ONCE === 0) await nextSlice();
      const user = this.directory.user(userId);
      if (user?.isActive !== true || !this.viewers.isReadable(user, messageId, doc)) continue;
      if (isCalledNoMore(this.directory, userId, messageId, doc)) continue;
      if (!isRead(doc, seenBy(this.directory, userId, messageId, doc, flagsOf(userId)))) waiting.push(userId);
    }
    return { message: waitingMessage(messageId, doc), userIds: waiting };
  }

  /** Of these messages, those that wait for the user, in the given order. */
  async of(user: User, messageIds: readonly number[]): Promise<readonly WaitingMessage[]> {
    const docs = await this.messages.getMany(messageIds);
    const rows = messageIds.flatMap((id) => {
      const doc = docs.get(id);
      return doc === undefined ? [] : [{ id, doc }];
    });
    const seen = await this.viewers.of(user, rows);
    return seen
      .filter((one) => !isRead(one.doc, one) && !isCalledNoMore(this.directory, user.userId, one.id, one.doc))
      .map(({ id, doc }) => waitingMessage(id, doc));
  }
}

function waitingMessage(messageId: number, doc: MessageDocument): WaitingMessage {
  const { senderId, conversation, topic = '', content, at } = doc;
  const place = parseConversation(conversation);
  return { messageId, senderId, place, topic, content, html: htmlOf(doc), sentAt: at };
}
