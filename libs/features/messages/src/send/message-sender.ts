import { Injectable } from '@nestjs/common';
import { botsPart } from '#bots/model';
import { CommandRunner, messageIdOf, streams } from '#event-store';
import { actingBy, Clock, type JsonObject, type Origin, originFrom } from '#kernel';
import { Directory } from '#people';
import type { User } from '#users/model';
import { TOPIC_POLICY } from '#preferences/model';
import { addresseeOf, type AskedRecipients, type MessageType } from './addressee.js';
import { ContentRenderer } from '../render/content-renderer.js';
import { IdempotentSends, type IdempotencyToken } from './idempotent-sends.js';
import { acceptContent } from '../model/message-content.js';
import type { MessageSent } from '../model/messages.events.js';
import { AutoFollow } from './auto-follow.js';
import { calledBots } from './called-bots.js';
import type { Widget } from '../model/widget.js';
import { SendContext } from './send-context.js';
import { decidePlace, decideSend } from './send.decider.js';

/** A request to send a message (endpoints.md §4, POST /messages). */
export interface SendRequest {
  readonly type: MessageType;
  readonly to: AskedRecipients;
  /** For a channel message; absent for the empty topic. */
  readonly topic?: string;
  readonly content: string;
  /** Name of the client. */
  readonly client: string;
  readonly readBySender?: boolean;
  /** For all other users it starts read. */
  readonly unreadFor?: readonly number[];
  /** For a notice: for these users, whose act it tells of, it starts read. */
  readonly readBy?: readonly number[];
  /** Valid (`givenWidget`); absent when the content alone decides. */
  readonly widget?: Widget;
  /** Queue of a client that shows the message before it is sent, and its local ID there. */
  readonly echo?: { readonly queueId: string; readonly localId: string };
  /** The message is sent once per sender and key (`Idempotency-Key`). */
  readonly key?: string;
}

export interface SentMessage {
  readonly id: number;
  /** The topic's new visibility for the sender; absent when it stays. */
  readonly newPolicy?: typeof TOPIC_POLICY.unmuted | typeof TOPIC_POLICY.followed;
}

/** Sends messages: collects the data for the decision, decides, appends. */
@Injectable()
export class MessageSender {
  constructor(
    private readonly directory: Directory,
    private readonly sendContext: SendContext,
    private readonly renderer: ContentRenderer,
    private readonly autoFollow: AutoFollow,
    private readonly idempotent: IdempotentSends,
    private readonly runner: CommandRunner,
    private readonly clock: Clock,
  ) {}

  /** @throws Refusal as `decideSend`, IDEMPOTENCY_KEY_REUSED */
  send(sender: User, request: SendRequest): Promise<SentMessage> {
    const { key } = request;
    if (key === undefined) return this.#send(sender, request);
    return this.idempotent.once(sender, key, identityOf(request), (token) => this.#send(sender, request, token));
  }

  /**
   * Sends a follow-up's message once per name, however often the follow-up is carried out. The first wording counts.
   * @param name unique among all follow-ups
   * @param origin mostly the event that is followed (`causedBy`)
   */
  async sendOnce(sender: User, name: string, request: SendRequest, origin: Origin): Promise<void> {
    const acting = actingBy(sender, origin);
    await this.idempotent.once(acting, name, [], (token) => this.#send(acting, request, token));
  }

  /** Whether `sendOnce` has sent under the name, also in a process that ended before the message was visible. */
  wasSent(sender: User, name: string): Promise<boolean> {
    return this.idempotent.isSent(sender.userId, name);
  }

  /**
   * The event that `send` would record now, with the sender's access. Records nothing.
   * @throws Refusal as `decideSend`
   */
  async decide(sender: User, request: SendRequest): Promise<MessageSent> {
    return (await this.#decide(sender, request)).event;
  }

  async #send(sender: User, request: SendRequest, token?: IdempotencyToken): Promise<SentMessage> {
    const { event, place, mentioned } = await this.#decide(sender, request);
    const already = await token?.reserve();
    if (already !== undefined) return { id: already };
    const newPolicy = await this.autoFollow.beforeSend(sender, place, mentioned);
    const ids = token === undefined ? undefined : [token.eventId];
    // Message IDs are revisions, and clients hold them: none is given again by a log that has lost its end.
    const known = this.directory.lastMessageId - 1;
    const options = { metadata: metadataOf(request, token), ids, known };
    const { firstRevision } = await this.runner.appendOnly(streams.messages, [event], originFrom(sender), options);
    const id = messageIdOf(firstRevision);
    return newPolicy === undefined ? { id } : { id, newPolicy };
  }

  async #decide(sender: User, request: SendRequest) {
    const accepted = acceptContent(request.content);
    const addressee = addresseeOf(
      request.type,
      withDefault(request, this.directory.of(botsPart).get(sender.userId).sendsTo),
    );
    const destination = await this.sendContext.destination(sender, addressee, request.topic ?? '');
    const place = decidePlace(sender.userId, destination);
    const { content, mentioned } = await this.renderer.render(sender, accepted, place);
    const event = decideSend(place, {
      senderId: sender.userId,
      destination,
      content,
      client: request.client,
      readBySender: request.readBySender,
      unreadFor: request.unreadFor,
      readBy: request.readBy,
      calls: calledBots(this.directory, sender, place, mentioned),
      widget: request.widget,
      at: this.clock.nowSeconds(),
    });
    return { event, place, mentioned };
  }
}

/** Recipients of a request; an empty list stands for the default channel of a bot. */
function withDefault({ type, to }: SendRequest, channelId: number | null): AskedRecipients {
  const isChannel = type === 'channel' || type === 'stream';
  return isChannel && channelId !== null && typeof to === 'object' && to.length === 0 ? channelId : to;
}

/** The fields that make two requests equal. A client that retries may have registered another queue meanwhile. */
function identityOf({ type, to, topic, content, readBySender }: SendRequest): readonly unknown[] {
  const kind = type === 'direct' || type === 'private' ? 'direct' : 'channel';
  return [kind, to, topic ?? '', content, readBySender ?? null];
}

function metadataOf({ echo }: SendRequest, token: IdempotencyToken | undefined): JsonObject | undefined {
  if (echo === undefined) return token?.metadata;
  return { queueId: echo.queueId, localId: echo.localId, ...token?.metadata };
}
