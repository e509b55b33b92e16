import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { MessagesModule } from '#messages';
import { ChannelNotices } from './channel-notices.js';
import { ChannelClientEvents } from './channels.client-events.js';
import { JoinAndLeaveHandler } from './commands/join-and-leave.js';
import { SubscribeHandler } from './commands/subscribe.js';
import { UnsubscribeHandler } from './commands/unsubscribe.js';
import { ChannelsController } from './http/channels.controller.js';
import { SubscriptionsController } from './http/subscriptions.controller.js';
import { LeavingFollowUp } from './leaving-follow-up.js';
import { ListChannelsHandler } from './queries/list-channels.js';
import { ChannelFields } from './register/channel.fields.js';
import { ChangeSubscriptionsHandler } from './subscription-settings/change-subscriptions.js';
import { SubscriptionSettingsController } from './subscription-settings/subscription-settings.controller.js';

/** Channels and subscriptions. */
@Module({
  imports: [CqrsModule, MessagesModule],
  controllers: [ChannelsController, SubscriptionsController, SubscriptionSettingsController],
  providers: [
    ChangeSubscriptionsHandler,
    ChannelClientEvents,
    ChannelFields,
    ChannelNotices,
    JoinAndLeaveHandler,
    ListChannelsHandler,
    LeavingFollowUp,
    SubscribeHandler,
    UnsubscribeHandler,
  ],
  exports: [ChannelClientEvents, ChannelFields],
})
export class ChannelsModule {}
