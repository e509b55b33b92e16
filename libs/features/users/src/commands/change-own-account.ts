import { Command } from '@nestjs/cqrs';
import { command, inOrganization } from '#feature';
import { badRequest, Clock } from '#kernel';
import { Directory } from '#people';
import type { User } from '../model/user.js';
import { decideAccount } from '../accounts/accounts.decider.js';
import { Passwords } from '../credentials/passwords.js';

/** What a request changes of one's own account. Undefined stays as it is. */
export interface AskedOwnAccount {
  readonly fullName?: string | undefined;
  readonly email?: string | undefined;
  readonly timezone?: string | undefined;
  readonly emailVisibility?: number | undefined;
  readonly oldPassword?: string | undefined;
  readonly newPassword?: string | undefined;
}

/** Changes the actor's own account (endpoints.md §7, PATCH /settings). API keys stay. */
export class ChangeOwnAccountCommand extends Command<void> {
  constructor(
    readonly actor: User,
    readonly asked: AskedOwnAccount,
  ) {
    super();
  }
}

/** @throws Refusal BAD_REQUEST */
export const changeOwnAccount = command(
  ChangeOwnAccountCommand,
  { directory: Directory, passwords: Passwords, clock: Clock },
  async ({ actor, asked }, { directory, passwords, clock }) => {
    const { oldPassword = '', newPassword, ...changes } = asked;
    const change = { type: 'change-own-account', actorId: actor.userId, ...changes } as const;
    // What cannot be done is refused before a password is checked, which takes long.
    decideAccount(directory, { ...change, at: clock.nowSeconds() });
    let passwordHash: string | undefined;
    if (newPassword !== undefined) {
      const stored = directory.user(actor.userId)?.passwordHash;
      if (!(await passwords.verify(stored, oldPassword))) throw badRequest('Wrong password!');
      passwords.assertStrong(newPassword, [actor.email, actor.fullName]);
      passwordHash = await passwords.hash(newPassword);
    }
    return inOrganization((now, at) => decideAccount(now, { ...change, passwordHash, at }));
  },
);
