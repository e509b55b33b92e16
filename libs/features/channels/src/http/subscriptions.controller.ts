import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags, Caller, Params } from '#http';
import { badRequest, type JsonObject } from '#kernel';
import { Directory, type User } from '#organization';
import { JoinAndLeaveCommand } from '../commands/join-and-leave.js';
import { SubscribeCommand } from '../commands/subscribe.js';
import { UnsubscribeCommand } from '../commands/unsubscribe.js';
import { RecentlyActive } from '../subscribers/recently-active.js';
import { byName, wireSubscription, type WireSubscription } from '../wire-channel.js';
import { JoinAndLeaveParams, ListSubscriptionsParams, SubscribeParams, UnsubscribeParams } from './channels.params.js';
import { newChannelSettings } from './new-channel-settings.js';

/**
 * The caller's subscriptions, and subscribing others (endpoints.md §8).
 */
@ApiTags('channels')
@Controller('api/v1/users/me/subscriptions')
export class SubscriptionsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly directory: Directory,
    private readonly recentlyActive: RecentlyActive,
  ) {}

  @Get()
  list(
    @Caller() viewer: User,
    @Params(ListSubscriptionsParams) params: ListSubscriptionsParams,
  ): { subscriptions: WireSubscription[] } {
    const options = {
      includeSubscribers: params.include_subscribers !== 'false',
      ...(params.include_subscribers === 'partial' ? { isListed: this.recentlyActive.checkFor(viewer) } : {}),
    };
    const subscriptions: WireSubscription[] = [];
    for (const subscription of this.directory.subscriptionsOf(viewer.userId)) {
      const channel = this.directory.channel(subscription.channelId);
      if (!subscription.active || channel === undefined || channel.isArchived) continue;
      subscriptions.push(wireSubscription(this.directory, channel, subscription, options));
    }
    return { subscriptions: subscriptions.sort(byName) };
  }

  @Post()
  async subscribe(@Caller() actor: User, @Params(SubscribeParams) params: SubscribeParams): Promise<JsonObject> {
    const command = new SubscribeCommand(
      actor,
      params.subscriptions,
      params.principals,
      newChannelSettings(params),
      params.authorization_errors_fatal,
      { announce: params.announce, tellSubscribers: params.send_new_subscription_messages },
    );
    const { subscribed, alreadySubscribed, unauthorized, told } = await this.commands.execute(command);
    return {
      subscribed: Object.fromEntries(subscribed),
      already_subscribed: Object.fromEntries(alreadySubscribed),
      ...(params.authorization_errors_fatal ? {} : { unauthorized }),
      ...(params.send_new_subscription_messages ? { new_subscription_messages_sent: told } : {}),
    };
  }

  @Delete()
  async unsubscribe(
    @Caller() actor: User,
    @Params(UnsubscribeParams) { subscriptions, principals }: UnsubscribeParams,
  ): Promise<{ removed: readonly string[]; not_removed: readonly string[] }> {
    const names = typeof subscriptions === 'string' ? subscriptions.split(',') : subscriptions;
    const { removed, notRemoved } = await this.commands.execute(new UnsubscribeCommand(actor, names, principals));
    return { removed, not_removed: notRemoved };
  }

  @Patch()
  async joinAndLeave(
    @Caller() actor: User,
    @Params(JoinAndLeaveParams) { add = [], delete: left = [] }: JoinAndLeaveParams,
  ): Promise<JsonObject> {
    if (add.length === 0 && left.length === 0)
      throw badRequest('Nothing to do. Specify at least one of "add" or "delete".');
    const { subscribed, unsubscribed } = await this.commands.execute(new JoinAndLeaveCommand(actor, add, left));
    return {
      subscribed: Object.fromEntries(subscribed.subscribed),
      already_subscribed: Object.fromEntries(subscribed.alreadySubscribed),
      new_subscription_messages_sent: subscribed.told,
      removed: unsubscribed.removed,
      not_removed: unsubscribed.notRemoved,
    };
  }
}
