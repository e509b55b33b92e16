import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { badRequest } from '#kernel';
import { channelLinkPath, directLinkPath } from '#markdown';
import { Directory, type User } from '#organization';
import { MessageDesk, type OpenMessage } from '../message-desk.js';
import { MessageSender } from '../message-sender.js';
import { INTERNAL_CLIENT } from '../message-settings.js';
import { invalidMessage } from '../message.access.js';
import { problemWithReport, reportText, type Report } from '../report.js';

/** Tells the organization's moderators of a message. */
export class ReportMessageCommand extends Command<void> {
  constructor(
    readonly actor: User,
    readonly messageId: number,
    readonly report: Report,
  ) {
    super();
  }
}

@CommandHandler(ReportMessageCommand)
export class ReportMessageHandler implements ICommandHandler<ReportMessageCommand> {
  constructor(
    private readonly directory: Directory,
    private readonly desk: MessageDesk,
    private readonly sender: MessageSender,
  ) {}

  async execute({ actor, messageId, report }: ReportMessageCommand): Promise<void> {
    const message = await this.desk.open(actor, messageId);
    const channel = this.directory.channel(this.directory.settings.moderation_request_channel_id);
    if (channel?.isArchived !== false)
      throw badRequest('Moderation request channel must be specified to enable message reporting.');
    const problem = problemWithReport(report);
    if (problem !== undefined) throw badRequest(problem);
    const reported = this.directory.user(message.doc.senderId);
    if (reported === undefined) throw invalidMessage();
    const { content } = message.doc;
    await this.sender.send(this.directory.systemBot('notification'), {
      type: 'channel',
      to: channel.channelId,
      topic: `${reported.fullName}'s moderation requests`,
      content: reportText(report, actor, reported, { content, link: this.#linkTo(message) }),
      client: INTERNAL_CLIENT,
      readBySender: true,
    });
  }

  #linkTo({ messageId, place, channel }: OpenMessage): string {
    if ('to' in place) return directLinkPath(place.to, messageId);
    const target = { topic: place.topic, nearMessageId: messageId };
    return channelLinkPath({ id: place.channelId, name: channel?.name ?? '' }, target);
  }
}
