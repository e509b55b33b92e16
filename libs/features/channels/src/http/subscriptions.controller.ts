import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Answers, ApiTags, Caller, IgnoredParams, Params, Summary } from '#http';
import { badRequest } from '#kernel';
import { Directory } from '#people';
import { RetentionSwitch } from '#realm/model';
import type { User } from '#users/model';
import { described, list, map, object, optional, text, truth, type Wire } from '#wire';
import { JoinAndLeaveCommand } from '../commands/join-and-leave.js';
import { SubscribeCommand } from '../commands/subscribe.js';
import { UnsubscribeCommand } from '../commands/unsubscribe.js';
import { RecentlyActive } from '../subscribers/recently-active.js';
import { byName, SubscriptionSchema, wireSubscription, type WireSubscription } from '../wire-channel.js';
import { JoinAndLeaveParams, ListSubscriptionsParams, SubscribeParams, UnsubscribeParams } from './channels.params.js';
import { newChannelSettings } from './new-channel-settings.js';

const SUBSCRIBED = {
  subscribed: described(map(list(text)), 'Names of channels by user ID.'),
  already_subscribed: described(map(list(text)), 'Names of channels by user ID.'),
};

const SubscribedSchema = object({
  ...SUBSCRIBED,
  unauthorized: optional(described(list(text), 'With authorization_errors_fatal=false.')),
  new_subscription_messages_sent: optional(truth),
});

const JoinedAndLeftSchema = object({
  ...SUBSCRIBED,
  new_subscription_messages_sent: truth,
  removed: list(text),
  not_removed: list(text),
});

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
    private readonly retention: RetentionSwitch,
  ) {}

  @Get()
  @Answers(object({ subscriptions: list(SubscriptionSchema) }))
  @Summary("List the caller's subscriptions", 'With the personal settings of each.')
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
  @Answers(SubscribedSchema)
  @Summary('Subscribe to channels', 'The caller, or others by `principals`. Channels that do not exist are created.')
  async subscribe(
    @Caller() actor: User,
    @Params(SubscribeParams) params: SubscribeParams,
    @IgnoredParams() ignores: IgnoredParams,
  ): Promise<Wire<typeof SubscribedSchema>> {
    const command = new SubscribeCommand(
      actor,
      params.subscriptions,
      params.principals,
      newChannelSettings(params),
      params.authorization_errors_fatal,
      { announce: params.announce, tellSubscribers: params.send_new_subscription_messages },
    );
    const { subscribed, alreadySubscribed, unauthorized, told } = await this.commands.execute(command);
    this.retention.tell(params.message_retention_days, ignores);
    return {
      subscribed: Object.fromEntries(subscribed),
      already_subscribed: Object.fromEntries(alreadySubscribed),
      ...(params.authorization_errors_fatal ? {} : { unauthorized }),
      ...(params.send_new_subscription_messages ? { new_subscription_messages_sent: told } : {}),
    };
  }

  @Delete()
  @Answers(object({ removed: list(text), not_removed: list(text) }))
  @Summary('Unsubscribe from channels', 'The caller, or others by `principals`.')
  async unsubscribe(
    @Caller() actor: User,
    @Params(UnsubscribeParams) { subscriptions, principals }: UnsubscribeParams,
  ): Promise<{ removed: readonly string[]; not_removed: readonly string[] }> {
    const names = typeof subscriptions === 'string' ? subscriptions.split(',') : subscriptions;
    const { removed, notRemoved } = await this.commands.execute(new UnsubscribeCommand(actor, names, principals));
    return { removed, not_removed: notRemoved };
  }

  @Patch()
  @Answers(JoinedAndLeftSchema)
  @Summary('Subscribe to channels and unsubscribe from others', 'In one request, for the caller.')
  async joinAndLeave(
    @Caller() actor: User,
    @Params(JoinAndLeaveParams) { add = [], delete: left = [] }: JoinAndLeaveParams,
  ): Promise<Wire<typeof JoinedAndLeftSchema>> {
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
