import { Controller, Patch, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Answers, ApiTags, Caller, IgnoredParams, Params, Summary } from '#http';
import type { User } from '#users/model';
import { integer, object } from '#wire';
import { RetentionSwitch } from '../model/server/retention-switch.js';
import { ChangeRealmCommand, type ChangedRealm } from '../commands/change-realm.js';
import { DeactivateOrganizationCommand } from '../commands/deactivate-organization.js';
import { TestWelcomeMessageCommand } from '../commands/test-welcome-message.js';
import { DeactivateRealmParams } from './deactivation.params.js';
import { ChangeRealmParams } from './realm.params.js';
import { TestWelcomeMessageParams } from './welcome-message.params.js';
import { ChangedRealmSchema } from '../realm-events.schema.js';

/** The organization's settings (endpoints.md §12). */
@ApiTags('organization')
@Controller('api/v1/realm')
export class RealmController {
  constructor(
    private readonly commands: CommandBus,
    private readonly retention: RetentionSwitch,
  ) {}

  @Patch()
  @Answers(ChangedRealmSchema)
  @Summary("Change the organization's settings", 'Settings and permissions. For administrators; all of it or nothing.')
  async change(
    @Caller() actor: User,
    @Params(ChangeRealmParams) params: ChangeRealmParams,
    @IgnoredParams() ignores: IgnoredParams,
  ): Promise<ChangedRealm> {
    const asked = { settings: params.settings(), permissions: params.permissions(), address: params.string_id };
    const changed = await this.commands.execute(new ChangeRealmCommand(actor, asked));
    this.retention.tell(asked.settings.message_retention_days, ignores);
    return changed;
  }

  @Post('deactivate')
  @Answers()
  @Summary('Deactivate the organization', 'For owners. The operator can undo it.')
  async deactivate(@Caller() actor: User, @Params(DeactivateRealmParams) params: DeactivateRealmParams): Promise<void> {
    await this.commands.execute(new DeactivateOrganizationCommand(actor, params.deletion_delay_days));
  }

  @Post('test_welcome_bot_custom_message')
  @Answers(object({ message_id: integer }))
  @Summary('Try the greeting of new users', 'The welcome bot sends it to the caller.')
  async testWelcomeMessage(
    @Caller() actor: User,
    @Params(TestWelcomeMessageParams) { welcome_message_custom_text: text }: TestWelcomeMessageParams,
  ): Promise<{ message_id: number }> {
    return { message_id: await this.commands.execute(new TestWelcomeMessageCommand(actor, text)) };
  }
}
