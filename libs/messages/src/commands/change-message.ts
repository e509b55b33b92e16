import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory, type User } from '#organization';
import { ContentRenderer } from '../content-renderer.js';
import { isChannelPlace } from '../change.decider.js';
import { acceptEditedContent, type MessageContent } from '../message-content.js';
import { MessageDesk, type OpenMessage } from '../message-desk.js';
import { messageSettings } from '../message-settings.js';
import type { ChangeMessage, PropagateMode } from '../message.commands.js';
import type { ChannelPlace } from '../messages.events.js';
import { MoveAnswersCollector } from '../move-answers.js';
import { MoveBulletin } from '../move-bulletin.js';
import type { NoticeWishes } from '../move-notices.js';
import { topicKeyOf } from '../place.js';
import { MessagesReader } from '../queries/messages.reader.js';
import { SendAnswers } from '../send-answers.js';
import { TopicPolicies } from '../topic-policies.js';
import { normalizeTopic } from '../topic.js';

/** What a client asks to be changed (specification, PATCH /messages/{message_id}). */
export interface ChangeRequest {
  readonly content?: string;
  readonly prevContentSha256?: string;
  readonly topic?: string;
  readonly channelId?: number;
  readonly propagateMode: PropagateMode;
  readonly notices: NoticeWishes;
}

/** Edits a message, moves it and perhaps others of its topic, or both. */
export class ChangeMessageCommand extends Command<void> {
  constructor(
    readonly actor: User,
    readonly messageId: number,
    readonly request: ChangeRequest,
  ) {
    super();
  }
}

@CommandHandler(ChangeMessageCommand)
export class ChangeMessageHandler implements ICommandHandler<ChangeMessageCommand> {
  constructor(
    private readonly directory: Directory,
    private readonly desk: MessageDesk,
    private readonly renderer: ContentRenderer,
    private readonly answers: SendAnswers,
    private readonly moves: MoveAnswersCollector,
    private readonly reader: MessagesReader,
    private readonly policies: TopicPolicies,
    private readonly bulletin: MoveBulletin,
  ) {}

  execute(command: ChangeMessageCommand): Promise<void> {
    const { topic, channelId } = command.request;
    const isMove = topic !== undefined || channelId !== undefined;
    return this.desk.turns[isMove ? 'move' : 'change'](() => this.#change(command));
  }

  async #change({ actor, messageId, request }: ChangeMessageCommand): Promise<void> {
    const message = await this.desk.open(actor, messageId);
    const command = await this.#command(actor, message, request);
    const merges = command.move !== undefined && (await this.#isThere(command.move.to));
    for (const fact of await this.desk.run(command)) {
      if (fact.type !== 'messages.moved.v1') continue;
      await this.policies.follow(actor, fact.data, merges);
      await this.bulletin.tell(actor, fact.data, request.notices);
    }
  }

  async #isThere({ channelId, topic }: ChannelPlace): Promise<boolean> {
    return (await this.reader.newestInTopic(channelId, topicKeyOf(topic))) !== undefined;
  }

  async #command(actor: User, message: OpenMessage, request: ChangeRequest): Promise<ChangeMessage> {
    const { prevContentSha256, channelId, propagateMode } = request;
    const topic = request.topic === undefined ? undefined : normalizeTopic(request.topic);
    const content = request.content === undefined ? undefined : await this.#content(actor, message, request.content);
    const envelope = this.desk.envelope(actor, message);
    const { place, channel } = message;
    const asksMove = (topic !== undefined || channelId !== undefined) && isChannelPlace(place) && channel !== undefined;
    const move = asksMove
      ? await this.moves.collect({
          actor,
          messageId: message.messageId,
          channel,
          from: place,
          to: { channelId: channelId ?? place.channelId, topic: topic ?? place.topic },
          propagateMode,
          at: envelope.at,
        })
      : undefined;
    return {
      ...envelope,
      type: 'change',
      settings: messageSettings(this.directory),
      propagateMode,
      ...(topic === undefined ? undefined : { topic }),
      ...(channelId === undefined ? undefined : { channelId }),
      ...(move === undefined ? undefined : { move }),
      ...(prevContentSha256 === undefined ? undefined : { prevContentSha256 }),
      ...(content === undefined ? undefined : { content }),
      ...(content !== undefined && isChannelPlace(place)
        ? { wildcards: this.answers.wildcards(actor, place.channelId) }
        : undefined),
    };
  }

  async #content(actor: User, { place }: OpenMessage, raw: string): Promise<MessageContent> {
    const { content } = await this.renderer.render(actor, acceptEditedContent(raw), place);
    return content;
  }
}
