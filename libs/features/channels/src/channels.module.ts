import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { MessagesModule } from '#messages';
import { PresenceModule } from '#presence';
import { ArchiveChannelHandler, ChangeChannelHandler } from './change/change-channel.js';
import { ChangeChannelController } from './change/change-channel.controller.js';
import { ChangeNotices } from './change/change-notices.js';
import { ChannelNotices } from './channel-notices.js';
import { ChannelClientEvents } from './channels.client-events.js';
import { CreateChannelHandler } from './commands/create-channel.js';
import { JoinAndLeaveHandler } from './commands/join-and-leave.js';
import { SubscribeHandler } from './commands/subscribe.js';
import { UnsubscribeHandler } from './commands/unsubscribe.js';
import { ChangeDefaultGroupsHandler } from './defaults/change-default-groups.js';
import { DefaultGroupClientEvents } from './defaults/default-groups.client-events.js';
import { DefaultChannelsController } from './defaults/default-channels.controller.js';
import { DefaultGroupsController } from './defaults/default-groups.controller.js';
import { DefaultGroupFields } from './defaults/default-groups.fields.js';
import { ChangeFoldersHandler } from './folders/change-folders.js';
import { FolderClientEvents } from './folders/folders.client-events.js';
import { FoldersController } from './folders/folders.controller.js';
import { FolderFields } from './folders/folders.fields.js';
import { ListFoldersHandler } from './folders/list-folders.js';
import { ChannelsController } from './http/channels.controller.js';
import { RecentlyActive } from './subscribers/recently-active.js';
import { SubscriptionsController } from './http/subscriptions.controller.js';
import { LeavingFollowUp } from './leaving-follow-up.js';
import { ListChannelsHandler } from './queries/list-channels.js';
import { ChannelFields } from './register/channel.fields.js';
import { ChangeSubscriptionsHandler } from './subscription-settings/change-subscriptions.js';
import { SubscriptionSettingsController } from './subscription-settings/subscription-settings.controller.js';

/** Channels and subscriptions. */
@Global()
@Module({
  imports: [CqrsModule, MessagesModule, PresenceModule],
  controllers: [
    ChangeChannelController,
    ChannelsController,
    DefaultChannelsController,
    DefaultGroupsController,
    FoldersController,
    SubscriptionsController,
    SubscriptionSettingsController,
  ],
  providers: [
    ArchiveChannelHandler,
    ChangeChannelHandler,
    ChangeDefaultGroupsHandler,
    ChangeNotices,
    ChangeFoldersHandler,
    ChangeSubscriptionsHandler,
    ChannelClientEvents,
    ChannelFields,
    ChannelNotices,
    CreateChannelHandler,
    DefaultGroupClientEvents,
    DefaultGroupFields,
    FolderClientEvents,
    FolderFields,
    JoinAndLeaveHandler,
    ListChannelsHandler,
    ListFoldersHandler,
    LeavingFollowUp,
    RecentlyActive,
    SubscribeHandler,
    UnsubscribeHandler,
  ],
  exports: [
    ChannelClientEvents,
    ChannelFields,
    DefaultGroupClientEvents,
    DefaultGroupFields,
    FolderClientEvents,
    FolderFields,
  ],
})
export class ChannelsModule {}
