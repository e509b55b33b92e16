import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory, type Channel, type User } from '#organization';
import { ContentRenderer } from '../content-renderer.js';
import { isChannelPlace } from '../change.decider.js';
import { acceptEditedContent, type MessageContent } from '../message-content.js';
import { MessageDesk, type OpenMessage } from '../message-desk.js';
import { MessageSender, withoutTopicWildcard } from '../message-sender.js';
import { messageSettings } from '../message-settings.js';
import type { ChangeMessage, PropagateMode } from '../message.commands.js';
import type { MessagesMoved } from '../messages.events.js';
import { MoveAnswersCollector } from '../move-answers.js';
import { moveNotices, type NoticeWishes } from '../move-notices.js';
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
    private readonly sender: MessageSender,
    private readonly moves: MoveAnswersCollector,
  ) {}

  execute(command: ChangeMessageCommand): Promise<void> {
    const { topic, channelId } = command.request;
    const isMove = topic !== undefined || channelId !== undefined;
    return this.desk.turns[isMove ? 'move' : 'change'](() => this.#change(command));
  }

  async #change({ actor, messageId, request }: ChangeMessageCommand): Promise<void> {
    const message = await this.desk.open(actor, messageId);
    const facts = await this.desk.run(await this.#command(actor, message, request));
    for (const fact of facts) {
      if (fact.type === 'messages.moved.v1') await this.#notify(actor, fact.data, request.notices);
    }
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
        ? { wildcards: await this.sender.wildcards(actor, place.channelId, place.topic, content) }
        : undefined),
    };
  }

  async #content(actor: User, { channel }: OpenMessage, raw: string): Promise<MessageContent> {
    const content = await this.renderer.render(actor, acceptEditedContent(raw));
    return channel === undefined ? withoutTopicWildcard(content) : content;
  }

  async #notify(actor: User, moved: MessagesMoved['data'], wishes: NoticeWishes): Promise<void> {
    const from = this.directory.channel(moved.from.channelId);
    const to = this.directory.channel(moved.to.channelId);
    if (from === undefined || to === undefined) return;
    const sameChannel = from.channelId === to.channelId;
    const tellsPlace = { old: sameChannel || isPublic(from), new: sameChannel || isPublic(to) };
    const bot = this.directory.systemBot('notification');
    const names = { from: from.name, to: to.name };
    for (const { channelId, topic, content } of moveNotices(moved, actor, names, wishes, tellsPlace)) {
      await this.sender.send(bot, {
        type: 'channel',
        to: channelId,
        topic,
        content,
        client: 'Internal',
        readBySender: true,
      });
    }
  }
}

function isPublic(channel: Channel): boolean {
  return !channel.inviteOnly;
}
