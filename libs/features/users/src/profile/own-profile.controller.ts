import { Controller, Delete, Patch } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Answers, ApiTags, Caller, Params, Summary } from '#http';
import type { User } from '../model/user.js';
import { ChangeOwnProfileCommand } from './change-own-profile.js';
import { askedValues, ChangeProfileParams, ClearProfileParams } from './profile.params.js';

/** Values of one's own profile (endpoints.md §7). */
@ApiTags('users')
@Controller('api/v1/users/me/profile_data')
export class OwnProfileController {
  constructor(private readonly commands: CommandBus) {}

  @Patch()
  @Answers()
  @Summary("Fill in the caller's profile", 'Values by field.')
  async change(@Caller() actor: User, @Params(ChangeProfileParams) { data }: ChangeProfileParams): Promise<void> {
    await this.commands.execute(new ChangeOwnProfileCommand(actor, askedValues(data)));
  }

  @Delete()
  @Answers()
  @Summary("Clear fields of the caller's profile", 'By ID of the field.')
  async clear(@Caller() actor: User, @Params(ClearProfileParams) { data }: ClearProfileParams): Promise<void> {
    const values = data.map((fieldId) => ({ fieldId, value: null }));
    await this.commands.execute(new ChangeOwnProfileCommand(actor, values));
  }
}
