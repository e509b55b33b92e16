// The worst inputs of an ordinary member for routes about channels, accounts and plans.
import { any, json, numbers, refused } from './worst-case.mjs';
import { CHANNEL, CHANNELS, USERS, WORST } from './worst-history.mjs';

const MESSAGE_LENGTH_MAX = 10_000;
const everybody = numbers(USERS - 3, (index) => index + 4);
const channelNames = (count, from) => numbers(count, (index) => `channel ${from + index}`);

export const ORGANIZATION_REQUESTS = {
  'GET /api/v1/bots': any('none'),
  'POST /api/v1/bots': any('one', { full_name: 'A bot', short_name: 'a-bot' }),
  'PATCH /api/v1/bots/{bot_id}': refused({ full_name: 'B' }, { bot_id: 20 }),
  'DELETE /api/v1/bots/{bot_id}': refused({}, { bot_id: 20 }),
  'POST /api/v1/bots/{bot_id}/api_key/regenerate': refused({}, { bot_id: 20 }),
  'GET /api/v1/bot_storage': any('everything'),
  'PUT /api/v1/bot_storage': any('thousands of keys', {
    storage: json(Object.fromEntries(numbers(2_000, (index) => [`key ${index}`, 'x'.repeat(20)]))),
  }),
  'DELETE /api/v1/bot_storage': any('everything'),
  'PATCH /api/v1/streams/{stream_id}': any(
    'a description',
    { description: '*a* '.repeat(250) },
    { stream_id: CHANNEL.crowded },
  ),
  'DELETE /api/v1/streams/{stream_id}': refused({}, { stream_id: CHANNEL.crowded }),
  'POST /api/v1/channels/create': any('10,000 subscribers', {
    name: 'a new channel of everybody',
    subscribers: json(everybody),
  }),
  'GET /api/v1/users/{user_id}/channels': any(`${CHANNELS} channels`, {}, { user_id: WORST }),
  'POST /api/v1/default_streams': refused({ stream_id: CHANNEL.crowded }),
  'DELETE /api/v1/default_streams': refused({ stream_id: CHANNEL.crowded }),
  'POST /api/v1/default_stream_groups/create': refused({
    group_name: 'x',
    description: 'x',
    stream_names: json(channelNames(CHANNELS, 1)),
  }),
  'PATCH /api/v1/default_stream_groups/{group_id}': refused({ new_group_name: 'x' }, { group_id: 1 }),
  'DELETE /api/v1/default_stream_groups/{group_id}': refused({}, { group_id: 1 }),
  'PATCH /api/v1/default_stream_groups/{group_id}/streams': refused(
    { op: 'add', stream_names: json(channelNames(CHANNELS, 1)) },
    { group_id: 1 },
  ),
  'GET /api/v1/channel_folders': any('none'),
  'PATCH /api/v1/channel_folders': refused({ order: json([1]) }),
  'POST /api/v1/channel_folders/create': refused({ name: 'x', description: 'x' }),
  'PATCH /api/v1/channel_folders/{channel_folder_id}': refused({ name: 'x' }, { channel_folder_id: 1 }),
  'PATCH /api/v1/users/me/subscriptions': any('500 channels to leave, 500 to join again', {
    delete: json(channelNames(500, CHANNEL.empty + 450)),
    add: json(channelNames(500, 1).map((name) => ({ name }))),
  }),
  'POST /api/v1/users/me/subscriptions/properties': any('a thousand', {
    subscription_data: json(
      numbers(CHANNELS, (index) => ({ stream_id: index + 1, property: 'pin_to_top', value: index % 2 === 0 })),
    ),
  }),
  'PATCH /api/v1/users/me/subscriptions/{stream_id}': any(
    'muted',
    { property: 'is_muted', value: 'true' },
    { stream_id: CHANNEL.crowded },
  ),
  'POST /api/v1/users/me/status': any('the longest', { status_text: 'x'.repeat(60), emoji_name: 'smile' }),
  'POST /api/v1/users/{user_id}/status': refused({ status_text: 'x' }, { user_id: 20 }),
  'GET /api/v1/users/{user_id}/status': any('one', {}, { user_id: WORST }),
  'GET /api/v1/reminders': any('none'),
  'POST /api/v1/reminders': any('of a large message', {
    message_id: 8,
    scheduled_delivery_timestamp: 4_000_000_000,
    note: 'x'.repeat(500),
  }),
  'DELETE /api/v1/reminders/{reminder_id}': any('one', {}, { reminder_id: 1 }),
  'GET /api/v1/scheduled_messages': any('none'),
  'POST /api/v1/scheduled_messages': any('the longest', {
    type: 'stream',
    to: CHANNEL.crowded,
    topic: 'long',
    content: '😀'.repeat(MESSAGE_LENGTH_MAX),
    scheduled_delivery_timestamp: 4_000_000_000,
  }),
  'PATCH /api/v1/scheduled_messages/{scheduled_message_id}': any(
    'the longest',
    { content: '*a* '.repeat(2_500) },
    { scheduled_message_id: 1 },
  ),
  'DELETE /api/v1/scheduled_messages/{scheduled_message_id}': any('one', {}, { scheduled_message_id: 1 }),
};
