import { Injectable } from '@nestjs/common';
import type { MailTemplate } from '#mail';
import { preferencesPart } from '#preferences/model';
import { type WaitingMessage, WaitingMessages } from '#reading';
import { Directory } from '#people';
import { Site } from '#realm/model';
import type { User } from '#users/model';
import { threadOf, titleOf } from './conversation.js';
import { mayShowContent, sectionsOf } from './missed-content.js';
import { UnsubscribeLinks } from './unsubscribe-links.js';

export const MISSED_MAIL = 'missed-messages';

/** Value of `realm_name_in_email_notifications_policy`. */
const ALWAYS_NAMED = 2;

/** Settings of which one at least has to be on. */
const MEDIUM = [
  'enable_offline_email_notifications',
  'enable_followed_topic_email_notifications',
  'enable_stream_email_notifications',
] as const;

/** Tells a user by mail of messages that they have not read. It is composed when it is sent: what was read by then is left out. */
@Injectable()
export class MissedMail implements MailTemplate {
  readonly name = MISSED_MAIL;

  constructor(
    private readonly directory: Directory,
    private readonly waiting: WaitingMessages,
    private readonly site: Site,
    private readonly links: UnsubscribeLinks,
  ) {}

  async compose({
    userId,
    messageIds = '',
  }: Readonly<Record<string, string>>): Promise<Awaited<ReturnType<MailTemplate['compose']>>> {
    const user = this.directory.user(Number(userId));
    if (user?.isActive !== true || !this.#isWanted(user)) return undefined;
    const messages = await this.waiting.of(user, messageIds.split(',').map(Number));
    const [first] = messages;
    if (first === undefined) return undefined;
    const { name } = this.directory.organization;
    const isNamed =
      this.directory.of(preferencesPart).setting(user.userId, 'realm_name_in_email_notifications_policy') ===
      ALWAYS_NAMED;
    const unsubscribeUrl = this.links.urlFor(user.userId);
    const said = mayShowContent(this.directory, user.userId)
      ? this.#whole(user, first, messages)
      : withoutContent(name, messages.length);
    return {
      to: user.email,
      ...said,
      subject: isNamed ? `[${name}] ${said.subject}` : said.subject,
      footer: [`Read and reply on ${name}: ${this.site.url}`, `Unsubscribe: ${unsubscribeUrl}`],
      unsubscribeUrl,
    };
  }

  #whole(user: User, first: WaitingMessage, messages: readonly WaitingMessage[]) {
    const { sections, omitted } = sectionsOf(this.directory, this.site.url, messages);
    const more =
      omitted === 0 ? [] : [`${omitted} more ${omitted === 1 ? 'message is' : 'messages are'} too long for this mail.`];
    return {
      subject: titleOf(this.directory, user.userId, first),
      paragraphs: more,
      sections,
      thread: threadOf(first),
    };
  }

  /** Channels may have a setting of their own; then the general ones do not say that the user wants no mail at all. */
  #isWanted({ userId }: User): boolean {
    const preferences = this.directory.of(preferencesPart);
    if (MEDIUM.some((name) => preferences.setting(userId, name))) return true;
    for (const { emailNotifications } of this.directory.subscriptionsOf(userId))
      if (emailNotifications === true) return true;
    return false;
  }
}

function withoutContent(realmName: string, count: number) {
  const messages = count === 1 ? 'a new message' : `${count} new messages`;
  return {
    subject: 'New messages',
    paragraphs: [
      `You have ${messages} on ${realmName}.`,
      'This mail does not contain them, since the organization or your own settings say so.',
    ],
  };
}
