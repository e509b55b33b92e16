import { Controller, Patch } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Answers, ApiTags, Caller, Params, Summary } from '#http';
import type { User } from '#users/model';
import { ChangeUserDefaultsCommand } from '../commands/change-user-defaults.js';
import { UserSettingsParams } from './settings.params.js';

/** The personal settings that new users begin with (endpoints.md §12). */
@ApiTags('organization')
@Controller('api/v1/realm/user_settings_defaults')
export class UserDefaultsController {
  constructor(private readonly commands: CommandBus) {}

  @Patch()
  @Answers()
  @Summary('Change what new users begin with', 'Personal settings. For administrators.')
  async change(@Caller() actor: User, @Params(UserSettingsParams) params: UserSettingsParams): Promise<void> {
    await this.commands.execute(new ChangeUserDefaultsCommand(actor, params.given()));
  }
}
