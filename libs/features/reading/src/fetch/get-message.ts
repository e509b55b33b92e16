import { Query } from '@nestjs/cqrs';
import { query } from '#feature';
import { invalidMessage, MessagesReader } from '#messages';
import { Directory } from '#people';
import type { User } from '#users/model';
import { wireMessage, type WireMessage, type WireOptions } from '../wire/wire-message.js';
import { MessageVersionsReader } from '../versions/message-versions.reader.js';
import { ViewerMessages } from '../viewer/viewer-messages.js';

export interface FetchedMessage {
  readonly message: WireMessage;
  readonly raw_content: string;
}

/** One message (endpoints.md §3, GET /messages/{message_id}). */
export class GetMessageQuery extends Query<FetchedMessage> {
  constructor(
    readonly viewer: User,
    readonly messageId: number,
    readonly options: WireOptions,
  ) {
    super();
  }
}

export const getMessage = query(
  GetMessageQuery,
  { directory: Directory, messages: MessagesReader, versions: MessageVersionsReader, seen: ViewerMessages },
  async ({ viewer, messageId, options }, { directory, messages, versions, seen: own }) => {
    const doc = await messages.get(messageId);
    if (doc === undefined) throw invalidMessage();
    const [seen] = await own.of(viewer, [{ id: messageId, doc }]);
    if (seen === undefined) throw invalidMessage();
    const earlier = (await versions.ofMany(directory, [seen])).get(messageId);
    return {
      message: wireMessage(directory, viewer, messageId, doc, seen.flags, options, earlier),
      raw_content: doc.content,
    };
  },
);
