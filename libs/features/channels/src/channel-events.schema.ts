import { anything, type EventSchemas, integer, list, object, partial, text, truth } from '#wire';
import { ChannelSchema, SubscriptionSchema } from './wire-channel.js';

const PEERS = { stream_ids: list(integer), user_ids: list(integer) };

/** Client events about channels and subscriptions (events.md §5). */
export const channelEventSchemas = {
  'stream/create': { streams: list(ChannelSchema) },
  'stream/delete': { stream_ids: list(integer), streams: list(object({ stream_id: integer })) },
  'stream/update': {
    stream_id: integer,
    name: text,
    property: text,
    value: anything,
    ...partial({ rendered_description: text, history_public_to_subscribers: truth, is_web_public: truth }),
  },
  'subscription/add': { subscriptions: list(SubscriptionSchema) },
  'subscription/remove': { subscriptions: list(object({ name: text, stream_id: integer })) },
  'subscription/update': { stream_id: integer, property: text, value: anything },
  'subscription/peer_add': PEERS,
  'subscription/peer_remove': PEERS,
  default_streams: { default_streams: list(integer) },
} satisfies EventSchemas;
