import { defineFeature } from '#feature';
import { ChangeChannelController } from './change/change-channel.controller.js';
import { archiveChannel, changeChannel } from './change/change-channel.js';
import { ChangeNotices } from './change/change-notices.js';
import { ChannelNotices } from './channel-notices.js';
import { ChannelClientEvents } from './channels.client-events.js';
import { createChannel } from './commands/create-channel.js';
import { joinAndLeave } from './commands/join-and-leave.js';
import { subscribe } from './commands/subscribe.js';
import { unsubscribe } from './commands/unsubscribe.js';
import { changeDefaultGroups } from './defaults/change-default-groups.js';
import { DefaultChannelsController } from './defaults/default-channels.controller.js';
import { DefaultGroupClientEvents } from './defaults/default-groups.client-events.js';
import { DefaultGroupsController } from './defaults/default-groups.controller.js';
import { DefaultGroupFields } from './defaults/default-groups.fields.js';
import { changeFolders } from './folders/change-folders.js';
import { FolderClientEvents } from './folders/folders.client-events.js';
import { FoldersController } from './folders/folders.controller.js';
import { FolderFields } from './folders/folders.fields.js';
import { listFolders } from './folders/list-folders.js';
import { ChannelsController } from './http/channels.controller.js';
import { SubscriptionsController } from './http/subscriptions.controller.js';
import { LeavingFollowUp } from './leaving-follow-up.js';
import { channelsPart } from './model/channels/channels.part.js';
import { defaultGroupsPart } from './model/default-groups/default-groups.part.js';
import { foldersPart } from './model/folders/folders.part.js';
import { subscriptionsPart } from './model/subscriptions/subscriptions.part.js';
import { listChannels } from './queries/list-channels.js';
import { ChannelFields } from './register/channel.fields.js';
import { RecentlyActive } from './subscribers/recently-active.js';
import { changeSubscriptions } from './subscription-settings/change-subscriptions.js';
import { SubscriptionSettingsController } from './subscription-settings/subscription-settings.controller.js';
import { channelEventSchemas } from './channel-events.schema.js';
import { channelFieldSchemas } from './register/channel-fields.schema.js';
import { defaultGroupEventSchemas, defaultGroupFieldSchemas } from './defaults/wire-default-group.js';
import { folderEventSchemas, folderFieldSchemas } from './folders/wire-folder.js';

/** Channels and subscriptions, whose events are those of the organization, with folders and default groups. */
export const channels = defineFeature({
  name: 'channels',
  directory: [channelsPart, subscriptionsPart, defaultGroupsPart, foldersPart],
  clientEvents: [ChannelClientEvents, DefaultGroupClientEvents, FolderClientEvents],
  eventSchemas: [channelEventSchemas, defaultGroupEventSchemas, folderEventSchemas],
  followUps: {
    'channel.subscribed.v1': ChannelNotices,
    'channels.subscribed.v1': ChannelNotices,
    'channel.unsubscribed.v1': LeavingFollowUp,
    'channels.unsubscribed.v1': LeavingFollowUp,
    'channel.created.v1': ChannelNotices,
    'channel.changed.v1': ChangeNotices,
  },
  register: [ChannelFields, DefaultGroupFields, FolderFields],
  registerSchemas: [channelFieldSchemas, defaultGroupFieldSchemas, folderFieldSchemas],
  commands: [
    archiveChannel,
    changeChannel,
    changeDefaultGroups,
    changeFolders,
    changeSubscriptions,
    createChannel,
    joinAndLeave,
    subscribe,
    unsubscribe,
  ],
  queries: [listChannels, listFolders],
  controllers: [
    ChangeChannelController,
    ChannelsController,
    DefaultChannelsController,
    DefaultGroupsController,
    FoldersController,
    SubscriptionsController,
    SubscriptionSettingsController,
  ],
  providers: [RecentlyActive],
});
