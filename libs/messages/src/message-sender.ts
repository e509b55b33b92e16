import { Injectable } from '@nestjs/common';
import { CommandPath, messageIdOf, streams } from '#event-store';
import { Clock, type JsonObject } from '#kernel';
import { Directory, mayKnowChannel, maySendTo, type Channel, type User } from '#organization';
import { where } from '#read-store';
import { addresseeOf, type Addressee, type AskedRecipients, type MessageType } from './addressee.js';
import { ContentRenderer } from './content-renderer.js';
import { acceptContent, type MessageContent } from './message-content.js';
import { topicsPolicyIn } from './message-settings.js';
import { channelConversation, topicKeyOf } from './place.js';
import { MessagesReader, PAGE_MAX } from './queries/messages.reader.js';
import type { ChannelAnswers, Destination } from './send.commands.js';
import { decideSend, type WildcardAnswers } from './send.decider.js';
import { normalizeTopic } from './topic.js';

/** A message as a client asks for it to be sent (specification, POST /messages). */
export interface SendRequest {
  readonly type: MessageType;
  readonly to: AskedRecipients;
  /** Of a channel message; none is the empty topic. */
  readonly topic?: string;
  readonly content: string;
  /** Name of the client. */
  readonly client: string;
  readonly readBySender?: boolean;
  /** For everybody else it starts read. */
  readonly unreadFor?: readonly number[];
  /** The queue of a client that shows the message before it is sent, and what that client calls it. */
  readonly echo?: { readonly queueId: string; readonly localId: string };
}

/** Sends messages: collects the answers, decides, appends. */
@Injectable()
export class MessageSender {
  constructor(
    private readonly directory: Directory,
    private readonly reader: MessagesReader,
    private readonly renderer: ContentRenderer,
    private readonly path: CommandPath,
    private readonly clock: Clock,
  ) {}

  /** @returns the message's ID. @throws Refusal as `decideSend` */
  async send(sender: User, request: SendRequest): Promise<number> {
    const accepted = acceptContent(request.content);
    const addressee = addresseeOf(request.type, request.to);
    const rendered = this.renderer.render(sender, accepted);
    const content = contentFor(addressee, rendered instanceof Promise ? await rendered : rendered);
    const destination = this.#destination(sender, addressee, request.topic ?? '', content);
    const sent = decideSend({
      senderId: sender.userId,
      mayMentionMany: this.#mayMentionMany(sender),
      destination: destination instanceof Promise ? await destination : destination,
      content,
      client: request.client,
      readBySender: request.readBySender,
      unreadFor: request.unreadFor,
      at: this.clock.nowSeconds(),
    });
    const { firstRevision } = await this.path.appendOnly(streams.messages, [sent], metadataOf(request));
    return messageIdOf(firstRevision);
  }

  /** Whom wildcard mentions of this content reach in the topic. */
  async wildcards(author: User, channelId: number, topic: string, content: MessageContent): Promise<WildcardAnswers> {
    return {
      mayMentionMany: this.#mayMentionMany(author),
      subscriberCount: this.directory.subscriberCount(channelId),
      topicParticipantCount: content.topicWildcard === true ? await this.#participantCount(channelId, topic) : 0,
    };
  }

  /** Whether the user may begin the topic, or it is there already. */
  async mayUseTopic(user: User, channel: Channel, topic: string): Promise<boolean> {
    if (this.directory.holds(user, channel.permissions.can_create_topic_group)) return true;
    return (await this.reader.newestInTopic(channel.channelId, topicKeyOf(topic))) !== undefined;
  }

  #destination(
    sender: User,
    addressee: Addressee,
    rawTopic: string,
    content: MessageContent,
  ): Destination | Promise<Destination> {
    if (addressee.kind === 'users') {
      return { to: 'users', asked: addressee.users, users: addressee.users.map((asked) => this.#user(asked)) };
    }
    const topic = normalizeTopic(rawTopic);
    const asked = addressee.channel;
    const channel = typeof asked === 'number' ? this.directory.channel(asked) : this.directory.channelByName(asked);
    const destination: Destination = {
      to: 'channel',
      asked,
      channel: channel === undefined ? undefined : this.#answers(sender, channel),
      topic,
    };
    if (channel === undefined || sender.systemBot !== undefined) return destination;
    const knowsAll =
      content.topicWildcard === undefined && this.directory.holds(sender, channel.permissions.can_create_topic_group);
    return knowsAll ? destination : this.#askReadStore(sender, channel, destination, content);
  }

  #user(asked: string | number): User | undefined {
    return typeof asked === 'number' ? this.directory.user(asked) : this.directory.userByEmail(asked);
  }

  #answers(sender: User, channel: Channel): ChannelAnswers {
    const { channelId, name, isArchived, topicsPolicy } = channel;
    const maySend = maySendTo(this.directory, sender, channel);
    return {
      channelId,
      name,
      isArchived,
      isKnown: maySend || mayKnowChannel(this.directory, sender, channel),
      maySend,
      // The server's own notices go to whatever topic they are about.
      topicsPolicy: sender.systemBot === undefined ? topicsPolicyIn(this.directory, topicsPolicy) : 'allow_empty_topic',
      subscriberCount: this.directory.subscriberCount(channelId),
      mayUseTopic: true,
    };
  }

  async #askReadStore(
    sender: User,
    channel: Channel,
    destination: Destination & { readonly to: 'channel' },
    content: MessageContent,
  ): Promise<Destination> {
    if (destination.channel?.maySend !== true) return destination;
    const { topic } = destination;
    const mayUseTopic = await this.mayUseTopic(sender, channel, topic);
    const { topicParticipantCount = 0 } = await this.wildcards(sender, channel.channelId, topic, content);
    return { ...destination, channel: { ...destination.channel, mayUseTopic, topicParticipantCount } };
  }

  #mayMentionMany(user: User): boolean {
    return this.directory.holds(user, this.directory.permission('can_mention_many_users_group'));
  }

  /** Senders and reactors among the newest messages of the topic: enough to tell many from few. */
  async #participantCount(channelId: number, topic: string): Promise<number> {
    const inTopic = where.and(
      where.eq('conversation', channelConversation(channelId)),
      where.eq('topicKey', topicKeyOf(topic)),
    );
    const participants = new Set<number>();
    for (const { doc } of await this.reader.find(inTopic, 'descending', PAGE_MAX)) {
      participants.add(doc.senderId);
      for (const { userId } of doc.reactions ?? []) participants.add(userId);
    }
    return participants.size;
  }
}

/** Direct messages have no topic whose participants could be mentioned. */
export function withoutTopicWildcard(content: MessageContent): MessageContent {
  const { topicWildcard: _, ...rest } = content;
  return rest;
}

function contentFor({ kind }: Addressee, content: MessageContent): MessageContent {
  return kind === 'users' && content.topicWildcard === true ? withoutTopicWildcard(content) : content;
}

function metadataOf({ echo }: SendRequest): JsonObject | undefined {
  return echo === undefined ? undefined : { queueId: echo.queueId, localId: echo.localId };
}
