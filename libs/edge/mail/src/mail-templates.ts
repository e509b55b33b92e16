import type { Type } from '@nestjs/common';
import type { Addition } from '#feature';
import { Mailer, type MailTemplate } from './mailer.js';

/** Templates of a feature, for its manifest. */
export function mailTemplates(...items: Type<MailTemplate>[]): Addition<MailTemplate> {
  return { to: Mailer, items };
}
