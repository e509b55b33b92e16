import {
  channelConversation,
  directConversation,
  formsOf,
  inTopic,
  type MessageDocument,
  namedTopic,
  topicKeyOf,
} from '#messages';
import { accessChannelContent, type Channel } from '#channels/model';
import type { Directory } from '#people';
import type { User } from '#users/model';
import { type Filter, where } from '#read-store';

/** A topic, resolved or not, or a direct conversation. */
export class PastPlace {
  private constructor(
    readonly conversation: string,
    /** Undefined for a direct conversation. */
    readonly channel: Channel | undefined,
    /** Of the topic with and without the mark of resolved ones. */
    readonly topicKeys: readonly string[],
  ) {}

  /**
   * A topic that the viewer may read today.
   * @throws Refusal BAD_REQUEST, alike for unknown and unreadable channels
   */
  static topic(directory: Directory, viewer: User, channelId: number, topic: string): PastPlace {
    const channel = accessChannelContent(directory, viewer, channelId);
    const keys = formsOf(namedTopic(topic)).map(topicKeyOf);
    return new PastPlace(channelConversation(channelId), channel, [...new Set(keys)]);
  }

  /** The conversation of the viewer with others; without any, with themselves. One that never began is empty. */
  static direct(viewer: User, others: readonly number[]): PastPlace {
    const participants = [...new Set([viewer.userId, ...others])].sort((a, b) => a - b);
    return new PastPlace(directConversation(participants), undefined, ['']);
  }

  /** Messages that are in it now. */
  get filter(): Filter {
    const { channel } = this;
    if (channel === undefined) return where.eq('conversation', this.conversation);
    return where.or(...this.topicKeys.map((key) => inTopic(channel.channelId, key)));
  }

  holds({ conversation, topicKey }: Pick<MessageDocument, 'conversation' | 'topicKey'>): boolean {
    return conversation === this.conversation && this.topicKeys.includes(topicKey);
  }
}
