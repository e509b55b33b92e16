import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { streams } from '#event-store';
import { FollowUps } from '#follow-ups';
import { Directory, type User } from '#organization';
import { ContentRenderer } from '../content-renderer.js';
import { changesOf, isChannelPlace } from '../change.decider.js';
import { acceptEditedContent, type MessageContent } from '../message-content.js';
import { MessageDesk, type OpenMessage } from '../message-desk.js';
import { messageSettings } from '../message-settings.js';
import type { ChangeMessage, PropagateMode } from '../message.commands.js';
import { MoveAnswersCollector, type AskedMove } from '../move-answers.js';
import type { NoticeWishes } from '../move-notices.js';
import { SendAnswers } from '../send-answers.js';
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
    private readonly followUps: FollowUps,
  ) {}

  async execute(command: ChangeMessageCommand): Promise<void> {
    const { content, topic, channelId } = command.request;
    const { turns } = this.desk;
    const isMove = topic !== undefined || channelId !== undefined;
    // Some clients send the topic with every edit, and mostly it stays. What moves has to be alone, and begins afresh then.
    const isDone = (content !== undefined || !isMove) && (await turns.change(() => this.#changeInPlace(command)));
    if (isDone) return;
    await turns.move(async () => {
      await this.followUps.finish('messages.moved.v1');
      await this.#change(command, await this.#open(command));
    });
  }

  /** @returns false when the request would move something, and nothing was done */
  async #changeInPlace(command: ChangeMessageCommand): Promise<boolean> {
    const message = await this.#open(command);
    const asked = askedMove(message, command.request);
    if (asked !== undefined && changesOf(asked.from, asked.to) !== undefined) return false;
    await this.#change(command, message);
    return true;
  }

  #open({ actor, messageId }: ChangeMessageCommand): Promise<OpenMessage> {
    return this.desk.open(actor, messageId);
  }

  async #change({ actor, request }: ChangeMessageCommand, message: OpenMessage): Promise<void> {
    const command = await this.#command(actor, message, request);
    const { events, appended } = await this.desk.run(command);
    await this.followUps.carryOut(streams.message(message.messageId), appended, events);
  }

  async #command(actor: User, message: OpenMessage, request: ChangeRequest): Promise<ChangeMessage> {
    const { prevContentSha256, channelId, propagateMode, notices } = request;
    const topic = request.topic === undefined ? undefined : normalizeTopic(request.topic);
    const content = request.content === undefined ? undefined : await this.#content(actor, message, request.content);
    const envelope = this.desk.envelope(actor, message);
    const asked = askedMove(message, request);
    const move =
      asked === undefined
        ? undefined
        : await this.moves.collect({ ...asked, actor, messageId: message.messageId, propagateMode, at: envelope.at });
    return {
      ...envelope,
      type: 'change',
      settings: messageSettings(this.directory),
      propagateMode,
      notices,
      ...(topic === undefined ? undefined : { topic }),
      ...(channelId === undefined ? undefined : { channelId }),
      ...(move === undefined ? undefined : { move }),
      ...(prevContentSha256 === undefined ? undefined : { prevContentSha256 }),
      ...(content === undefined ? undefined : { content }),
      ...(content !== undefined && isChannelPlace(message.place)
        ? { wildcards: this.answers.wildcards(actor, message.place.channelId) }
        : undefined),
    };
  }

  async #content(actor: User, { place }: OpenMessage, raw: string): Promise<MessageContent> {
    const { content } = await this.renderer.render(actor, acceptEditedContent(raw), place);
    return content;
  }
}

/** From where to where a request wants to move; undefined when it names no place, and for direct messages, which have none. */
function askedMove(
  { place, channel }: OpenMessage,
  { topic, channelId }: ChangeRequest,
): Pick<AskedMove, 'channel' | 'from' | 'to'> | undefined {
  if (topic === undefined && channelId === undefined) return undefined;
  if (channel === undefined || !isChannelPlace(place)) return undefined;
  const to = {
    channelId: channelId ?? place.channelId,
    topic: topic === undefined ? place.topic : normalizeTopic(topic),
  };
  return { channel, from: place, to };
}
