import { Controller, Ip, Patch } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Answers, ApiTags, Caller, LoginAttempts, Params, Summary } from '#http';
import { badRequest } from '#kernel';
import type { User } from '#users/model';
import { type AskedOwnAccount, ChangeOwnAccountCommand } from '#users';
import { ChangePreferencesCommand } from '../commands/change-preferences.js';
import { SettingsParams } from './settings.params.js';

/** A person's own settings (endpoints.md §7, PATCH /settings; register.md §5). Older clients use the longer paths. */
@ApiTags('preferences')
@Controller(['api/v1/settings', 'api/v1/settings/display', 'api/v1/settings/notifications'])
export class SettingsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly attempts: LoginAttempts,
  ) {}

  @Patch()
  @Answers()
  @Summary("Change the caller's settings", 'Personal settings, name, address and password.')
  async change(
    @Caller() actor: User,
    @Ip() address: string,
    @Params(SettingsParams) params: SettingsParams,
  ): Promise<void> {
    if (actor.botType !== null) throw badRequest('This endpoint does not accept bot requests.');
    const { account, settings } = params.asked();
    if (account !== undefined) await this.#changeAccount(actor, account, address);
    await this.commands.execute(new ChangePreferencesCommand(actor, { type: 'change-settings', settings }));
  }

  /** A wrong password counts as an attempt to log in. */
  #changeAccount(actor: User, account: AskedOwnAccount, address: string): Promise<void> {
    const change = (): Promise<void> => this.commands.execute(new ChangeOwnAccountCommand(actor, account));
    return account.newPassword === undefined
      ? change()
      : this.attempts.run({ loginName: actor.email, address }, change);
  }
}
