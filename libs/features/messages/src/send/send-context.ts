import { Injectable } from '@nestjs/common';
import { Directory, mayKnowUser } from '#people';
import { mayKnowChannel, maySendTo, type Channel } from '#channels/model';
import { systemGroupId } from '#groups/model';
import { type User, userByAddress } from '#users/model';
import { where } from '#read-store';
import type { Addressee } from './addressee.js';
import { mayBeginConversations, mayWriteDirectly } from './direct.access.js';
import { topicsPolicyIn } from '../model/message-settings.js';
import { directConversation, topicKeyOf } from '../model/place.js';
import { MessagesReader } from '../existing/messages.reader.js';
import type { ChannelAnswers, Destination, WildcardAnswers } from './send.commands.js';
import { participantsOf } from './send.decider.js';
import { normalizeTopic } from '../model/topic.js';

/** Collects the data for deciding a send from the directory and, as rarely as possible, from the read store. */
@Injectable()
export class SendContext {
  constructor(
    private readonly directory: Directory,
    private readonly reader: MessagesReader,
  ) {}

  /**
   * @param rawTopic for a channel message
   * @throws Refusal BAD_REQUEST for an invalid topic
   */
  async destination(sender: User, addressee: Addressee, rawTopic: string): Promise<Destination> {
    return addressee.kind === 'users'
      ? this.#users(sender, addressee.users)
      : this.#channel(sender, addressee.channel, normalizeTopic(rawTopic));
  }

  /** Reach of wildcard mentions in the channel. */
  wildcards(author: User, channelId: number): WildcardAnswers {
    return {
      mayMentionMany: this.directory.holds(author, this.directory.permission('can_mention_many_users_group')),
      subscriberCount: this.directory.subscriberCount(channelId),
    };
  }

  /** Whether the user may create the topic, or it exists. */
  async mayUseTopic(user: User, channel: Channel, topic: string): Promise<boolean> {
    if (this.#mayBeginTopics(user, channel)) return true;
    return (await this.reader.newestInTopic(channel.channelId, topicKeyOf(topic))) !== undefined;
  }

  async #channel(sender: User, asked: string | number, topic: string): Promise<Destination> {
    const channel =
      typeof asked === 'number' ? this.directory.channel(asked) : this.directory.channelByName(asked.trim());
    if (channel === undefined) return { to: 'channel', asked, channel: undefined, topic };
    const answers = this.#answers(sender, channel);
    const destination = { to: 'channel', asked, channel: answers, topic } as const;
    if (!answers.maySend || sender.systemBot !== undefined || this.#mayBeginTopics(sender, channel)) return destination;
    return { ...destination, channel: { ...answers, mayUseTopic: await this.mayUseTopic(sender, channel, topic) } };
  }

  #answers(sender: User, channel: Channel): ChannelAnswers {
    const { channelId, name, isArchived, topicsPolicy } = channel;
    const maySend = maySendTo(this.directory, sender, channel);
    // Field by field: fields after a spread in a literal are slow to set, and this runs for every send.
    const { mayMentionMany, subscriberCount } = this.wildcards(sender, channelId);
    return {
      mayMentionMany,
      subscriberCount,
      channelId,
      name,
      isArchived: isArchived && sender.systemBot === undefined,
      isKnown: maySend || mayKnowChannel(this.directory, sender, channel),
      maySend,
      // The server's own notices go to the topic that they are about.
      topicsPolicy: sender.systemBot === undefined ? topicsPolicyIn(this.directory, topicsPolicy) : 'allow_empty_topic',
      mayUseTopic: true,
    };
  }

  #mayBeginTopics(user: User, channel: Channel): boolean {
    return this.directory.holds(user, channel.permissions.can_create_topic_group);
  }

  async #users(sender: User, asked: readonly (string | number)[]): Promise<Destination> {
    const { directory } = this;
    const users = asked.map((one) => {
      const user = typeof one === 'number' ? directory.user(one) : userByAddress(directory, sender, one);
      return user === undefined || !mayKnowUser(directory, sender, user) ? undefined : user;
    });
    const known = users.filter((user) => user !== undefined);
    const destination = {
      to: 'users',
      asked,
      users,
      isPermitted: mayWriteDirectly(directory, sender, known),
      isOff: directory.permission('direct_message_permission_group') === systemGroupId('role:nobody'),
      mayBegin: mayBeginConversations(directory, sender, known),
    } as const;
    if (destination.mayBegin || !destination.isPermitted) return destination;
    const conversation = directConversation(participantsOf(sender.userId, known));
    const found = await this.reader.find(where.eq('conversation', conversation), 'descending', 1);
    return { ...destination, mayBegin: found.length > 0 };
  }
}
