import { Injectable } from '@nestjs/common';
import { type FollowUp, isFinal, type Trigger } from '#follow-ups';
import { causedBy } from '#kernel';
import { silentMention } from '#markdown';
import { INTERNAL_CLIENT, MessageSender, type SendRequest } from '#messages';
import { ReadableMessages } from '#reading';
import { Directory } from '#people';
import type { User } from '#users/model';
import type { ReadSidePass } from '#read-store';
import type { WebhookFinished } from './webhook.events.js';
import { partsOf } from './webhook.timers.js';

/** Name of the client of what outgoing webhook bots say. */
const CLIENT = 'OutgoingWebhookResponse';

/** What comes of a call: the bot says what its service answered, or tells its owner why there is no answer. */
@Injectable()
export class WebhookFollowUp implements FollowUp<WebhookFinished['data']> {
  constructor(
    private readonly directory: Directory,
    private readonly readable: ReadableMessages,
    private readonly sender: MessageSender,
  ) {}

  async carryOut({ key, data }: Trigger<WebhookFinished['data']>, pass: ReadSidePass): Promise<void> {
    const { callId, entails: { reply, widget, failure } = {} } = data;
    const { messageId, botId } = partsOf(callId);
    const bot = this.directory.user(botId);
    if (bot?.isActive !== true) return;
    if (failure !== undefined) await this.#tellOwner(bot, key, messageId, failure);
    if (reply === undefined) return;
    const request = await this.#replyTo(bot, messageId, reply);
    if (request === undefined) return;
    try {
      const asked = widget === undefined ? request : { ...request, widget };
      await this.sender.sendOnce(bot, `${key}:reply`, asked, causedBy({ key }));
    } catch (error) {
      if (!isFinal(error)) throw error;
      // A topic that may not be begun looks new as well when the read models are put back.
      await pass.assertValid();
      await this.#tellOwner(bot, key, messageId, `What the service says cannot be sent: ${error.message}`);
    }
  }

  /** In the conversation where the message is now; undefined when the bot may not read it any more. */
  async #replyTo(bot: User, messageId: number, content: string): Promise<SendRequest | undefined> {
    const message = await this.readable.find(bot, messageId);
    if (message === undefined) return undefined;
    const { place, topic } = message;
    const client = bot.systemBot === undefined ? CLIENT : INTERNAL_CLIENT;
    return 'channelId' in place
      ? { type: 'channel', to: place.channelId, topic, content, client }
      : { type: 'direct', to: place.participants, content, client };
  }

  async #tellOwner(bot: User, key: string, messageId: number, failure: string): Promise<void> {
    const owner = bot.botOwnerId === null ? undefined : this.directory.user(bot.botOwnerId);
    if (owner?.isActive !== true) return;
    const content = `Message ${messageId} to your bot ${silentMention(bot)} triggered an outgoing webhook, which failed.\n${failure}`;
    const message = { type: 'direct', to: [owner.userId], content, client: CLIENT } as const;
    await this.sender.sendOnce(bot, `${key}:failure`, message, causedBy({ key }));
  }
}
