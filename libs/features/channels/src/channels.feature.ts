import { defineFeature } from '#feature';
import { ChannelClientEvents } from './channels.client-events.js';
import { ChannelsModule } from './channels.module.js';
import { DefaultGroupClientEvents } from './defaults/default-groups.client-events.js';
import { DefaultGroupFields } from './defaults/default-groups.fields.js';
import { FolderClientEvents } from './folders/folders.client-events.js';
import { FolderFields } from './folders/folders.fields.js';
import { ChannelFields } from './register/channel.fields.js';

/** Channels and subscriptions. Their events are those of the organization. */
export const channels = defineFeature({
  name: 'channels',
  clientEvents: [ChannelClientEvents, DefaultGroupClientEvents, FolderClientEvents],
  followUps: [
    'channel.subscribed.v1',
    'channels.subscribed.v1',
    'channel.unsubscribed.v1',
    'channels.unsubscribed.v1',
    'channel.created.v1',
    'channel.changed.v1',
  ],
  register: [ChannelFields, DefaultGroupFields, FolderFields],
  module: ChannelsModule,
});
