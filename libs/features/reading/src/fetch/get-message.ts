import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { JsonObject } from '#kernel';
import { invalidMessage, MessagesReader } from '#messages';
import { Directory, type User } from '#organization';
import { wireMessage, type WireOptions } from '../wire/wire-message.js';
import { MessageVersionsReader } from '../versions/message-versions.reader.js';
import { ViewerMessages } from '../viewer/viewer-messages.js';

export interface FetchedMessage {
  readonly message: JsonObject;
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

@QueryHandler(GetMessageQuery)
export class GetMessageHandler implements IQueryHandler<GetMessageQuery> {
  constructor(
    private readonly directory: Directory,
    private readonly messages: MessagesReader,
    private readonly versions: MessageVersionsReader,
    private readonly seen: ViewerMessages,
  ) {}

  async execute({ viewer, messageId, options }: GetMessageQuery): Promise<FetchedMessage> {
    const doc = await this.messages.get(messageId);
    if (doc === undefined) throw invalidMessage();
    const [seen] = await this.seen.of(viewer, [{ id: messageId, doc }]);
    if (seen === undefined) throw invalidMessage();
    const versions = (await this.versions.ofMany(this.directory, [seen])).get(messageId);
    return {
      message: wireMessage(this.directory, viewer, messageId, doc, seen.flags, options, versions),
      raw_content: doc.content,
    };
  }
}
