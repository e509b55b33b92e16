import { defineFeature } from '#feature';
import { ChannelClientEvents } from './channels.client-events.js';
import { ChannelsModule } from './channels.module.js';
import { DefaultGroupClientEvents } from './defaults/default-groups.client-events.js';
import { DefaultGroupFields } from './defaults/default-groups.fields.js';
import { FolderClientEvents } from './folders/folders.client-events.js';
import { FolderFields } from './folders/folders.fields.js';
import { ChannelFields } from './register/channel.fields.js';
import { ChannelNotices } from './channel-notices.js';
import { ChangeNotices } from './change/change-notices.js';
import { LeavingFollowUp } from './leaving-follow-up.js';
import { foldersPart } from './model/folders/folders.part.js';
import { defaultGroupsPart } from './model/default-groups/default-groups.part.js';

/** Channels and subscriptions. Their events are those of the organization. */
export const channels = defineFeature({
  name: 'channels',
  directory: [defaultGroupsPart, foldersPart],
  clientEvents: [ChannelClientEvents, DefaultGroupClientEvents, FolderClientEvents],
  followUps: {
    'channel.subscribed.v1': ChannelNotices,
    'channels.subscribed.v1': ChannelNotices,
    'channel.unsubscribed.v1': LeavingFollowUp,
    'channels.unsubscribed.v1': LeavingFollowUp,
    'channel.created.v1': ChannelNotices,
    'channel.changed.v1': ChangeNotices,
  },
  register: [ChannelFields, DefaultGroupFields, FolderFields],
  module: ChannelsModule,
});
