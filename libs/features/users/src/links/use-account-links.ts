import { Command } from '@nestjs/cqrs';
import { command, inOrganization } from '#feature';
import { LoginAttempts } from '#http';
import { Clock, type Origin, Refusal } from '#kernel';
import { Directory } from '#people';
import { deadLink } from '#pages';
import { ApiKeys } from '../credentials/api-keys.js';
import { Passwords } from '../credentials/passwords.js';
import { decideConfirm, decideReset, resettable } from './account-links.decider.js';
import { AccountLinks } from './account-links.js';

/** Sets a new password by the link of a mail. Resolves to why the password is not acceptable, or undefined. */
export class ResetPasswordCommand extends Command<string | undefined> {
  constructor(
    readonly key: string,
    readonly password: string,
    /** Whether clients that are logged in are logged out: they get another API key only with the new password. */
    readonly logsOut: boolean,
    readonly origin: Origin,
  ) {
    super();
  }
}

/** @throws Refusal NOT_FOUND */
export const resetPassword = command(
  ResetPasswordCommand,
  {
    directory: Directory,
    links: AccountLinks,
    passwords: Passwords,
    apiKeys: ApiKeys,
    attempts: LoginAttempts,
    clock: Clock,
  },
  async ({ key, password, logsOut }, { directory, links, passwords, apiKeys, attempts, clock }) => {
    const link = links.readReset(key, clock.nowSeconds());
    const user = link && resettable(directory, link);
    if (link === undefined || user === undefined) throw deadLink();
    try {
      passwords.assertStrong(password, [user.email, user.fullName]);
    } catch (error) {
      if (error instanceof Refusal) return error.message;
      throw error;
    }
    const passwordHash = await passwords.hash(password);
    const keyHash = (id: number, generation: number): string => apiKeys.hashOf(apiKeys.keyOf(id, generation));
    const reset = { link, passwordHash, apiKeyHash: logsOut ? keyHash : undefined };
    return inOrganization((now, at) => decideReset(now, { ...reset, at })).answering(() => {
      attempts.forget(user.email);
      return undefined;
    });
  },
);

/** Gives an account the address that the link of a mail confirms. */
export class ConfirmEmailCommand extends Command<void> {
  constructor(
    readonly key: string,
    readonly origin: Origin,
  ) {
    super();
  }
}

/** @throws Refusal NOT_FOUND, BAD_REQUEST */
export const confirmEmail = command(
  ConfirmEmailCommand,
  { links: AccountLinks, clock: Clock },
  ({ key }, { links, clock }) => {
    const link = links.readConfirm(key, clock.nowSeconds());
    if (link === undefined) throw deadLink();
    return inOrganization((directory, at) => decideConfirm(directory, link, at));
  },
);
