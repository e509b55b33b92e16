import { Command } from '@nestjs/cqrs';
import { command } from '#feature';
import { actingBy, badRequest, originFrom } from '#kernel';
import { channelLinkPath, directLinkPath } from '#markdown';
import { Directory } from '#people';
import type { User } from '#users/model';
import { MessageCommands, type LoadedMessage } from '../existing/message-commands.js';
import { MessageSender } from '../send/message-sender.js';
import { INTERNAL_CLIENT } from '../model/message-settings.js';
import { invalidMessage } from '../model/message.access.js';
import { problemWithReport, reportText, type Report } from './report.js';

/** Reports a message to the organization's moderators. */
export class ReportMessageCommand extends Command<void> {
  constructor(
    readonly actor: User,
    readonly messageId: number,
    readonly report: Report,
  ) {
    super();
  }
}

export const reportMessage = command(
  ReportMessageCommand,
  { directory: Directory, commands: MessageCommands, sender: MessageSender },
  async ({ actor, messageId, report }, { directory, commands, sender }) => {
    const message = await commands.load(actor, messageId);
    const channel = directory.channel(directory.settings.moderation_request_channel_id);
    // One that was public in an earlier release would show what was reported.
    if (channel?.isArchived !== false || !channel.inviteOnly)
      throw badRequest('Moderation request channel must be specified to enable message reporting.');
    const problem = problemWithReport(report);
    if (problem !== undefined) throw badRequest(problem);
    const reported = directory.user(message.doc.senderId);
    if (reported === undefined) throw invalidMessage();
    const { content } = message.doc;
    await sender.send(actingBy(directory.systemBot('notification'), originFrom(actor)), {
      type: 'channel',
      to: channel.channelId,
      topic: `${reported.fullName}'s moderation requests`,
      content: reportText(report, actor, reported, { content, link: linkTo(message) }),
      client: INTERNAL_CLIENT,
      readBySender: true,
      readBy: [actor.userId],
    });
  },
);

function linkTo({ messageId, place, channel }: LoadedMessage): string {
  if ('to' in place) return directLinkPath(place.to, messageId);
  const target = { topic: place.topic, nearMessageId: messageId };
  return channelLinkPath({ id: place.channelId, name: channel?.name ?? '' }, target);
}
