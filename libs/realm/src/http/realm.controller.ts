import { Controller, Patch } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Params } from '#http';
import type { User } from '#organization';
import { ChangeRealmCommand } from '../commands/change-realm.js';
import { ChangeRealmParams } from './realm.params.js';

/** The organization's settings (endpoints.md §12). */
@ApiTags('organization')
@Controller('api/v1/realm')
export class RealmController {
  constructor(private readonly commands: CommandBus) {}

  @Patch()
  async change(@Caller() actor: User, @Params(ChangeRealmParams) params: ChangeRealmParams): Promise<void> {
    const asked = { settings: params.settings(), permissions: params.permissions(), address: params.string_id };
    await this.commands.execute(new ChangeRealmCommand(actor, asked));
  }
}
