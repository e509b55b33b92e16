import { defineFeature } from '#feature';
import { ChannelClientEvents } from './channels.client-events.js';
import { ChannelsModule } from './channels.module.js';
import { ChannelFields } from './register/channel.fields.js';

/** Channels and subscriptions. Their events are those of the organization. */
export const channels = defineFeature({
  name: 'channels',
  clientEvents: [ChannelClientEvents],
  followUps: ['channel.subscribed.v1', 'channel.unsubscribed.v1'],
  register: [ChannelFields],
  module: ChannelsModule,
});
