import { Controller, Patch } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Params } from '#http';
import type { User } from '#organization';
import { ChangePreferencesCommand } from '../commands/change-preferences.js';
import { SettingsParams } from './settings.params.js';

/** A user's own settings (endpoints.md §7, PATCH /settings; register.md §5). Older clients use the longer paths. */
@ApiTags('preferences')
@Controller(['api/v1/settings', 'api/v1/settings/display', 'api/v1/settings/notifications'])
export class SettingsController {
  constructor(private readonly commands: CommandBus) {}

  @Patch()
  async change(@Caller() actor: User, @Params(SettingsParams) params: SettingsParams): Promise<void> {
    const settings = params.given();
    await this.commands.execute(new ChangePreferencesCommand(actor, { type: 'change-settings', settings }));
  }
}
