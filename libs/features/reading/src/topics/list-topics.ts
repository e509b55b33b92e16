import { Query } from '@nestjs/cqrs';
import { Injectable } from '@nestjs/common';
import { query } from '#feature';
import { channelConversation, type MessageRow, MessagesReader, wireTopic } from '#messages';
import { accessChannelContent, hasSharedHistory, type Channel, type SubscriptionSpan } from '#channels/model';
import { Directory } from '#people';
import type { User } from '#users/model';
import type { Stored } from '#read-store';
import { topicKeyIn, type ConversationDocument } from './conversation.document.js';
import { ConversationsReader } from './conversations.reader.js';
import { ViewerMessages } from '../viewer/viewer-messages.js';

export interface TopicEntry {
  readonly name: string;
  readonly max_id: number;
}

/**
 * Topics of a channel in which the viewer sees messages, newest first (endpoints.md §3, GET
 * /users/me/{stream_id}/topics).
 */
export class ListTopicsQuery extends Query<readonly TopicEntry[]> {
  constructor(
    readonly viewer: User,
    readonly channelId: number,
    readonly allowEmptyTopicName: boolean,
  ) {
    super();
  }
}

/** Finds the newest message of each topic. */
@Injectable()
export class TopicLists {
  constructor(
    private readonly directory: Directory,
    private readonly conversations: ConversationsReader,
    private readonly messages: MessagesReader,
    private readonly seen: ViewerMessages,
  ) {}

  async of({ viewer, channelId, allowEmptyTopicName }: ListTopicsQuery): Promise<readonly TopicEntry[]> {
    const channel = accessChannelContent(this.directory, viewer, channelId);
    const topics = await this.conversations.topicsOf(channelId);
    const largest = await this.messages.getManyLean(topics.map(({ doc }) => doc.maxId));
    const entries: TopicEntry[] = [];
    for (const topic of topics) {
      const key = topicKeyIn(channelId, String(topic.key));
      const newest =
        this.#asRemembered(viewer, channel, key, topic, largest) ?? (await this.#newest(viewer, channel, key));
      if (newest === undefined) continue;
      entries.push({ name: wireTopic(newest.doc.topic ?? '', allowEmptyTopicName), max_id: newest.id });
    }
    return entries.sort((a, b) => b.max_id - a.max_id);
  }

  /** The topic's stored largest ID, if that message is still in it and visible to the viewer. */
  #asRemembered(
    viewer: User,
    { channelId }: Channel,
    topicKey: string,
    { doc: { maxId } }: Stored<ConversationDocument>,
    largest: Awaited<ReturnType<MessagesReader['getMany']>>,
  ): MessageRow | undefined {
    const doc = largest.get(maxId);
    if (doc?.conversation !== channelConversation(channelId) || doc.topicKey !== topicKey) return undefined;
    return this.seen.isReadable(viewer, maxId, doc) ? { id: maxId, doc } : undefined;
  }

  async #newest(viewer: User, channel: Channel, topicKey: string): Promise<MessageRow | undefined> {
    const { channelId } = channel;
    if (hasSharedHistory(channel)) return this.messages.newestInTopic(channelId, topicKey);
    let newest = await this.#newestMovedIn(viewer, channelId, topicKey);
    for (const span of this.directory.subscription(viewer.userId, channelId)?.spans ?? []) {
      const found = await this.#newestIn(viewer, channelId, topicKey, span);
      if (found !== undefined && found.id > (newest?.id ?? 0)) newest = found;
    }
    return newest;
  }

  async #newestIn(
    viewer: User,
    channelId: number,
    topicKey: string,
    { fromId, untilId }: SubscriptionSpan,
  ): Promise<MessageRow | undefined> {
    const range = { fromId, ...(untilId === null ? {} : { untilId }) };
    const newest = await this.messages.newestInTopic(channelId, topicKey, range);
    return newest !== undefined && this.seen.isReadable(viewer, newest.id, newest.doc) ? newest : undefined;
  }

  async #newestMovedIn(viewer: User, channelId: number, topicKey: string): Promise<MessageRow | undefined> {
    const movedIn = await this.messages.newestMovedInto(channelId, topicKey);
    return movedIn.find(({ id, doc }) => this.seen.isReadable(viewer, id, doc));
  }
}

export const listTopics = query(ListTopicsQuery, { lists: TopicLists }, (asked, { lists }) => lists.of(asked));
