import { directoryBook } from '#directory';
import { ChannelBook } from './channel-book.js';
import { channelEventTypes } from './channel.events.js';

/** Channels, each with its oldest message. */
export const channelsPart = directoryBook({
  name: 'channels',
  events: channelEventTypes,
  open: () => new ChannelBook(),
});
