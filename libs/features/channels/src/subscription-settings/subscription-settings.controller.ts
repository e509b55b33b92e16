import { Controller, Patch, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Answers, ApiTags, Caller, Params, PathId, Summary } from '#http';
import type { User } from '#users/model';
import { ChangeSubscriptionsCommand } from './change-subscriptions.js';
import { SubscriptionPropertiesParams, SubscriptionPropertyParams } from './subscription-settings.params.js';

/** The caller's settings of their subscriptions (endpoints.md §8). */
@ApiTags('channels')
@Controller('api/v1/users/me/subscriptions')
export class SubscriptionSettingsController {
  constructor(private readonly commands: CommandBus) {}

  @Post('properties')
  @Answers()
  @Summary(
    "Change settings of the caller's subscriptions",
    'Colour, muting, pinning and notifications, of several channels.',
  )
  async changeMany(
    @Caller() actor: User,
    @Params(SubscriptionPropertiesParams) { subscription_data }: SubscriptionPropertiesParams,
  ): Promise<void> {
    const wanted = subscription_data.map(({ stream_id, property, value }) => ({
      channelId: stream_id,
      property,
      value,
    }));
    await this.commands.execute(new ChangeSubscriptionsCommand(actor, wanted));
  }

  @Patch(':stream_id')
  @Answers()
  @Summary("Change a setting of one of the caller's subscriptions", 'Colour, muting, pinning or notifications.')
  async changeOne(
    @Caller() actor: User,
    @PathId('stream_id') channelId: number,
    @Params(SubscriptionPropertyParams) { property, value }: SubscriptionPropertyParams,
  ): Promise<void> {
    await this.commands.execute(new ChangeSubscriptionsCommand(actor, [{ channelId, property, value }]));
  }
}
