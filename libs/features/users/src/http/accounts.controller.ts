import { Controller, Delete, Param, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Answers, ApiTags, Caller, Params, PathId, Summary } from '#http';
import type { User } from '../model/user.js';
import { ApiKeys } from '../credentials/api-keys.js';
import { newBotSecrets } from '../credentials/bot-secrets.js';
import { RunAccountCommand } from '../commands/run-account-command.js';
import { askedValues } from '../profile/profile.params.js';
import { ProfileRendering } from '../profile/profile-rendering.js';
import { GetUserQuery } from '../queries/get-user.js';
import { ChangeUserParams, DeactivateUserParams } from './users.params.js';

/** What administrators, and people themselves, do with accounts (endpoints.md §9). */
@ApiTags('users')
@Controller('api/v1/users')
export class AccountsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly apiKeys: ApiKeys,
    private readonly rendering: ProfileRendering,
  ) {}

  @Patch(':user_id')
  @Answers()
  @Summary('Change a user', 'Name, role, address and profile. For administrators.')
  async change(
    @Caller() actor: User,
    @Param('user_id') idOrEmail: string,
    @Params(ChangeUserParams) params: ChangeUserParams,
  ): Promise<void> {
    const { userId } = await this.queries.execute(new GetUserQuery(actor, idOrEmail));
    const { full_name: fullName, role, new_email: email, profile_data: data } = params;
    const profile = data === undefined ? undefined : { values: askedValues(data), render: this.rendering.by(actor) };
    const asked = { actorId: actor.userId, userId, fullName, role, email, profile };
    await this.commands.execute(new RunAccountCommand(actor, { type: 'change-user', ...asked }));
  }

  @Delete('me')
  @Answers()
  @Summary("Deactivate the caller's account", 'The last owner stays.')
  async deactivateOwn(@Caller() actor: User): Promise<void> {
    await this.commands.execute(
      new RunAccountCommand(actor, { type: 'deactivate-own-account', actorId: actor.userId }),
    );
  }

  @Delete(':user_id')
  @Answers()
  @Summary('Deactivate a user', 'Keys, queues, bots and invitations of the user end. For administrators.')
  async deactivate(
    @Caller() actor: User,
    @PathId('user_id') userId: number,
    @Params(DeactivateUserParams) { deactivation_notification_comment: comment }: DeactivateUserParams,
  ): Promise<void> {
    await this.commands.execute(
      new RunAccountCommand(actor, { type: 'deactivate-user', actorId: actor.userId, userId, comment }),
    );
  }

  @Post(':user_id/reactivate')
  @Answers()
  @Summary('Reactivate a user', 'For administrators.')
  async reactivate(@Caller() actor: User, @PathId('user_id') userId: number): Promise<void> {
    const secrets = newBotSecrets(this.apiKeys);
    await this.commands.execute(
      new RunAccountCommand(actor, { type: 'reactivate-user', actorId: actor.userId, userId, secrets }),
    );
  }
}
