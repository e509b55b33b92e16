import { Command } from '@nestjs/cqrs';
import { command } from '#feature';
import { badRequest, Clock, originFrom } from '#kernel';
import { Directory } from '#people';
import type { User } from '../model/user.js';
import { accessAccount } from '../accounts/accounts.access.js';
import { takesPasswords } from './account-links.decider.js';
import { AccountLinks, passwordMark } from './account-links.js';
import { ResetMail } from './reset-mail.js';

/** Offers a person to set a new password. Resolves to the link; undefined when a mail takes it to them. */
export class OfferPasswordResetCommand extends Command<string | undefined> {
  constructor(
    readonly actor: User,
    readonly userId: number,
    readonly byMail: boolean,
  ) {
    super();
  }
}

/** @throws Refusal BAD_REQUEST, UNAUTHORIZED_PRINCIPAL */
export const offerPasswordReset = command(
  OfferPasswordResetCommand,
  { directory: Directory, links: AccountLinks, mail: ResetMail, clock: Clock },
  async ({ actor, userId, byMail }, { directory, links, mail, clock }) => {
    const user = accessAccount(directory, actor, userId);
    // A new password for oneself needs the former one, or the mailbox.
    if (userId === actor.userId) throw badRequest('Insufficient permission');
    if (user.botType !== null) throw badRequest('A bot has no password.');
    if (!user.isActive) throw badRequest('User is deactivated');
    if (!takesPasswords(directory)) throw badRequest('People log in without a password.');
    if (!byMail) return links.reset({ userId, since: clock.nowSeconds(), mark: passwordMark(user) });
    await mail.send(user.email, originFrom(actor));
    return undefined;
  },
);
