import { Injectable } from '@nestjs/common';
import type { FollowUp, Trigger } from '#follow-ups';
import { causedBy } from '#kernel';
import { Mailer, type MailTemplate } from '#mail';
import { Directory } from '#people';
import type { UserEvent } from './model/user.events.js';

type UserDeactivated = Extract<UserEvent, { type: 'user.deactivated.v1' }>;

/** Tells people by mail that their account has been deactivated, when administrators ask for it (endpoints.md §9). */
@Injectable()
export class DeactivationMail implements FollowUp<UserDeactivated['data']>, MailTemplate {
  readonly name = 'account-deactivated';

  constructor(
    private readonly directory: Directory,
    private readonly mailer: Mailer,
  ) {}

  async carryOut({ key, data: { userId, entails } }: Trigger<UserDeactivated['data']>): Promise<void> {
    if (entails === undefined) return;
    await this.mailer.queue(
      `${key}:mail`,
      this.name,
      { userId: String(userId), comment: entails.comment },
      causedBy({ key }),
    );
  }

  compose({ userId, comment = '' }: Readonly<Record<string, string>>): ReturnType<MailTemplate['compose']> {
    const user = this.directory.user(Number(userId));
    if (user === undefined) return undefined;
    const { name } = this.directory.organization;
    return {
      to: user.email,
      subject: `Notification of account deactivation on ${name}`,
      paragraphs: [
        `Your account on ${name} has been deactivated, and you will no longer be able to log in.`,
        ...(comment === '' ? [] : ['The administrators provided the following comment:']),
      ],
      ...(comment === '' ? {} : { quote: comment }),
    };
  }
}
