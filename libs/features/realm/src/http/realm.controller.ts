import { Controller, Patch, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags, Caller, Params } from '#http';
import type { User } from '#organization';
import { ChangeRealmCommand, type ChangedRealm } from '../commands/change-realm.js';
import { DeactivateOrganizationCommand } from '../commands/deactivate-organization.js';
import { TestWelcomeMessageCommand } from '../commands/test-welcome-message.js';
import { DeactivateRealmParams } from './deactivation.params.js';
import { ChangeRealmParams } from './realm.params.js';
import { TestWelcomeMessageParams } from './welcome-message.params.js';

/** The organization's settings (endpoints.md §12). */
@ApiTags('organization')
@Controller('api/v1/realm')
export class RealmController {
  constructor(private readonly commands: CommandBus) {}

  @Patch()
  async change(@Caller() actor: User, @Params(ChangeRealmParams) params: ChangeRealmParams): Promise<ChangedRealm> {
    const asked = { settings: params.settings(), permissions: params.permissions(), address: params.string_id };
    return await this.commands.execute(new ChangeRealmCommand(actor, asked));
  }

  @Post('deactivate')
  async deactivate(@Caller() actor: User, @Params(DeactivateRealmParams) params: DeactivateRealmParams): Promise<void> {
    await this.commands.execute(new DeactivateOrganizationCommand(actor, params.deletion_delay_days));
  }

  @Post('test_welcome_bot_custom_message')
  async testWelcomeMessage(
    @Caller() actor: User,
    @Params(TestWelcomeMessageParams) { welcome_message_custom_text: text }: TestWelcomeMessageParams,
  ): Promise<{ message_id: number }> {
    return { message_id: await this.commands.execute(new TestWelcomeMessageCommand(actor, text)) };
  }
}
