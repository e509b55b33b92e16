import { Injectable } from '@nestjs/common';
import { CommandPath, messageIdOf, streams } from '#event-store';
import { Clock, type JsonObject } from '#kernel';
import { TOPIC_POLICY, type User } from '#organization';
import { addresseeOf, type AskedRecipients, type MessageType } from './addressee.js';
import { ContentRenderer } from './content-renderer.js';
import { KeyedSends, type Seal } from './keyed-sends.js';
import { acceptContent } from './message-content.js';
import type { MessageSent } from './messages.events.js';
import { Participation } from './participation.js';
import { SendAnswers } from './send-answers.js';
import { decidePlace, decideSend } from './send.decider.js';

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
  /** However often the sender asks under this key, the message is sent once (`Idempotency-Key`). */
  readonly key?: string;
}

export interface SentMessage {
  readonly id: number;
  /** What sending made of the topic's visibility for the sender; absent when it stays. */
  readonly newPolicy?: typeof TOPIC_POLICY.unmuted | typeof TOPIC_POLICY.followed;
}

/** Sends messages: collects the answers, decides, appends. */
@Injectable()
export class MessageSender {
  constructor(
    private readonly answers: SendAnswers,
    private readonly renderer: ContentRenderer,
    private readonly participation: Participation,
    private readonly keyed: KeyedSends,
    private readonly path: CommandPath,
    private readonly clock: Clock,
  ) {}

  /** @throws Refusal as `decideSend`, IDEMPOTENCY_KEY_REUSED */
  send(sender: User, request: SendRequest): Promise<SentMessage> {
    const { key } = request;
    if (key === undefined) return this.#send(sender, request);
    return this.keyed.once(sender.userId, key, identityOf(request), (seal) => this.#send(sender, request, seal));
  }

  /**
   * Sends what a follow-up says, once for each name that it goes by, however often it is carried out. The first wording counts.
   * @param name unique among all follow-ups
   */
  async sendOnce(sender: User, name: string, request: SendRequest): Promise<void> {
    await this.keyed.once(sender.userId, name, [], (seal) => this.#send(sender, request, seal));
  }

  async #send(sender: User, request: SendRequest, seal?: Seal): Promise<SentMessage> {
    const { fact, place, mentioned } = await this.#decide(sender, request);
    const already = await seal?.reserve();
    if (already !== undefined) return { id: already };
    const newPolicy = await this.participation.beforeSend(sender, place, mentioned);
    const ids = seal === undefined ? undefined : [seal.eventId];
    const { firstRevision } = await this.path.appendOnly(streams.messages, [fact], metadataOf(request, seal), ids);
    const id = messageIdOf(firstRevision);
    return newPolicy === undefined ? { id } : { id, newPolicy };
  }

  async #decide(sender: User, request: SendRequest) {
    const accepted = acceptContent(request.content);
    const addressee = addresseeOf(request.type, request.to);
    const asked = this.answers.destination(sender, addressee, request.topic ?? '');
    const destination = asked instanceof Promise ? await asked : asked;
    const place = decidePlace(sender.userId, destination);
    const rendering = this.renderer.render(sender, accepted, place);
    const { content, mentioned } = rendering instanceof Promise ? await rendering : rendering;
    const fact: MessageSent = decideSend({
      senderId: sender.userId,
      destination,
      content,
      client: request.client,
      readBySender: request.readBySender,
      unreadFor: request.unreadFor,
      at: this.clock.nowSeconds(),
    });
    return { fact, place, mentioned };
  }
}

/** What makes two requests the same. A client that tries again may have registered another queue meanwhile. */
function identityOf({ type, to, topic, content, readBySender }: SendRequest): readonly unknown[] {
  const kind = type === 'direct' || type === 'private' ? 'direct' : 'channel';
  return [kind, to, topic ?? '', content, readBySender ?? null];
}

function metadataOf({ echo }: SendRequest, seal: Seal | undefined): JsonObject | undefined {
  if (echo === undefined) return seal?.metadata;
  return { queueId: echo.queueId, localId: echo.localId, ...seal?.metadata };
}
