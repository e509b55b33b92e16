import { type NotificationSettings, notified, type Reception, type Trigger } from './notification.rules.js';

/** Settings of a new user. */
const USUAL: NotificationSettings = {
  offlinePush: true,
  onlinePush: true,
  offlineMail: true,
  wildcards: true,
  followedWildcards: true,
  followedPush: true,
  followedMail: true,
  channelPush: false,
  channelMail: false,
};
const CHANNEL: Reception = {
  isSender: false,
  isBot: false,
  isDirect: false,
  isMentioned: false,
  isTopicWildcard: false,
  isChannelWildcard: false,
  topic: 'visible',
  isOnline: false,
  settings: USUAL,
};
const DIRECT = { ...CHANNEL, isDirect: true };
const MENTIONED = { ...CHANNEL, isMentioned: true };
const TOPIC_WILDCARD = { ...CHANNEL, isTopicWildcard: true };
const CHANNEL_WILDCARD = { ...CHANNEL, isChannelWildcard: true };
const FOLLOWED = { ...CHANNEL, topic: 'followed' } as const;
const online = { isOnline: true };
const muted = { topic: 'muted' } as const;
const followed = { topic: 'followed' } as const;
const none = undefined;

type Case = [
  name: string,
  base: Reception,
  change: Partial<Reception>,
  settings: Partial<NotificationSettings>,
  push: Trigger | undefined,
  mail: Trigger | undefined,
];

const cases: Case[] = [
  ['a channel message', CHANNEL, {}, {}, none, none],
  ['a direct message', DIRECT, {}, {}, 'direct_message', 'direct_message'],
  ['a direct message with a mention', DIRECT, { isMentioned: true }, {}, 'direct_message', 'direct_message'],
  ['a direct message with a wildcard', DIRECT, { isChannelWildcard: true }, {}, 'direct_message', 'direct_message'],
  ['a direct message, while online', DIRECT, online, {}, 'direct_message', none],
  ['… without notifications while online', DIRECT, online, { onlinePush: false }, none, none],
  ['… with those while offline off', DIRECT, online, { offlinePush: false }, none, none],
  ['a direct message, without push', DIRECT, {}, { offlinePush: false }, none, 'direct_message'],
  ['a direct message, without mail', DIRECT, {}, { offlineMail: false }, 'direct_message', none],
  [
    'a direct message, and channels notify',
    DIRECT,
    {},
    { offlinePush: false, channelPush: true },
    none,
    'direct_message',
  ],
  ['one’s own', DIRECT, { isSender: true }, {}, none, none],
  ['a bot', DIRECT, { isBot: true }, {}, none, none],
  ['a mention', MENTIONED, {}, {}, 'mentioned', 'mentioned'],
  ['a mention in a muted topic', MENTIONED, muted, {}, 'mentioned', 'mentioned'],
  ['a mention, while online', MENTIONED, online, {}, 'mentioned', none],
  ['a mention, and no wildcards', MENTIONED, {}, { wildcards: false }, 'mentioned', 'mentioned'],
  ['a mention beside a wildcard', MENTIONED, { isChannelWildcard: true }, {}, 'mentioned', 'mentioned'],
  [
    'a mention, without push, in a channel that notifies',
    MENTIONED,
    {},
    { offlinePush: false, channelPush: true },
    'stream',
    'mentioned',
  ],
  ['a channel wildcard', CHANNEL_WILDCARD, {}, {}, 'stream_wildcard_mentioned', 'stream_wildcard_mentioned'],
  ['… in a muted topic', CHANNEL_WILDCARD, muted, {}, none, none],
  ['… with wildcards off', CHANNEL_WILDCARD, {}, { wildcards: false }, none, none],
  [
    '… with wildcards off, in a followed topic',
    CHANNEL_WILDCARD,
    followed,
    { wildcards: false },
    'stream_wildcard_mentioned_in_followed_topic',
    'stream_wildcard_mentioned_in_followed_topic',
  ],
  [
    '… with those of followed topics off',
    CHANNEL_WILDCARD,
    followed,
    { followedWildcards: false },
    'stream_wildcard_mentioned',
    'stream_wildcard_mentioned',
  ],
  [
    '… with both off, in a followed topic',
    CHANNEL_WILDCARD,
    followed,
    { wildcards: false, followedWildcards: false },
    'followed_topic',
    'followed_topic',
  ],
  ['… without push and mail', CHANNEL_WILDCARD, {}, { offlinePush: false, offlineMail: false }, none, none],
  ['a topic wildcard', TOPIC_WILDCARD, {}, {}, 'topic_wildcard_mentioned', 'topic_wildcard_mentioned'],
  ['… in a muted topic', TOPIC_WILDCARD, muted, {}, none, none],
  [
    '… in a followed topic',
    TOPIC_WILDCARD,
    followed,
    {},
    'topic_wildcard_mentioned_in_followed_topic',
    'topic_wildcard_mentioned_in_followed_topic',
  ],
  [
    'both wildcards',
    TOPIC_WILDCARD,
    { isChannelWildcard: true },
    {},
    'topic_wildcard_mentioned',
    'topic_wildcard_mentioned',
  ],
  ['a followed topic', FOLLOWED, {}, {}, 'followed_topic', 'followed_topic'],
  ['a followed topic, while online', FOLLOWED, online, {}, 'followed_topic', none],
  ['a followed topic, without push', FOLLOWED, {}, { followedPush: false }, none, 'followed_topic'],
  ['a followed topic, without mail', FOLLOWED, {}, { followedMail: false }, 'followed_topic', none],
  [
    'a followed topic, without others',
    FOLLOWED,
    {},
    { offlinePush: false, offlineMail: false },
    'followed_topic',
    'followed_topic',
  ],
  [
    'a followed topic with both off, in a channel that notifies',
    FOLLOWED,
    {},
    { followedPush: false, followedMail: false, channelPush: true, channelMail: true },
    'stream',
    'stream',
  ],
  ['a channel with push', CHANNEL, {}, { channelPush: true }, 'stream', none],
  ['a channel with mail', CHANNEL, {}, { channelMail: true }, none, 'stream'],
  ['a channel with both, while online', CHANNEL, online, { channelPush: true, channelMail: true }, 'stream', none],
  ['a channel with both, in a muted topic', CHANNEL, muted, { channelPush: true, channelMail: true }, none, none],
];

test.each(cases)('%s', (_name, base, change, settings, push, mail) => {
  const reception = { ...base, ...change, settings: { ...USUAL, ...settings } };
  expect(notified(reception)).toEqual({ push, mail });
});

/** Everybody is told of all kinds at most once by each medium, and turning all settings off silences everything. */
test('with all settings off nothing notifies', () => {
  const off = Object.fromEntries(Object.keys(USUAL).map((name) => [name, false])) as unknown as NotificationSettings;
  for (const base of [CHANNEL, DIRECT, MENTIONED, TOPIC_WILDCARD, CHANNEL_WILDCARD, FOLLOWED])
    for (const isOnline of [true, false])
      expect(notified({ ...base, isOnline, settings: off })).toEqual({ push: undefined, mail: undefined });
});
