import { Command } from '@nestjs/cqrs';
import { command, inOrganization } from '#feature';
import type { OmitEach } from '#kernel';
import type { User } from '../model/user.js';
import type { AccountCommand } from '../accounts/accounts.commands.js';
import { decideAccount } from '../accounts/accounts.decider.js';

/** Changes an account, deactivates or reactivates it. */
export class RunAccountCommand extends Command<void> {
  constructor(
    readonly actor: User,
    readonly asked: OmitEach<AccountCommand, 'at'>,
  ) {
    super();
  }
}

export const runAccountCommand = command(RunAccountCommand, {}, ({ asked }) =>
  inOrganization((directory, at) => decideAccount(directory, { ...asked, at })),
);
