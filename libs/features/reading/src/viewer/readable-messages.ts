import { Injectable } from '@nestjs/common';
import {
  invalidMessage,
  located,
  mayReadMessage,
  MessagesReader,
  parseConversation,
  type ParsedConversation,
} from '#messages';
import { Directory } from '#people';
import type { User } from '#users/model';

/** A message as it is now, for its readers. */
export interface ReadableMessage {
  readonly messageId: number;
  readonly senderId: number;
  readonly place: ParsedConversation;
  /** Topic of a channel message. */
  readonly topic: string;
  /** Markdown. */
  readonly content: string;
}

/** Messages that a user may read, for other features. */
@Injectable()
export class ReadableMessages {
  constructor(
    private readonly directory: Directory,
    private readonly reader: MessagesReader,
  ) {}

  /** Undefined alike for a message that does not exist and for one that the viewer may not read. */
  async find(viewer: User, messageId: number): Promise<ReadableMessage | undefined> {
    const doc = await this.reader.get(messageId);
    if (doc === undefined) return undefined;
    if (!mayReadMessage(this.directory, viewer, located(messageId, doc))) return undefined;
    const { senderId, conversation, topic = '', content } = doc;
    return { messageId, senderId, place: parseConversation(conversation), topic, content };
  }

  /** @throws Refusal BAD_REQUEST, alike for messages that do not exist and those that the viewer may not read */
  async access(viewer: User, messageId: number): Promise<ReadableMessage> {
    const found = await this.find(viewer, messageId);
    if (found === undefined) throw invalidMessage();
    return found;
  }
}
