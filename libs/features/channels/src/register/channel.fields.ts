import { Injectable } from '@nestjs/common';
import { can, type JsonFields, type RegisterContext, RegisterFields, wants } from '#feature';
import { Slices } from '#kernel';
import { ROLE } from '#users/model';
import type { Directory } from '#people';
import {
  type InheritedNotifications,
  inheritedNotifications,
} from '../subscription-settings/inherited-notifications.js';
import { RecentlyActive } from '../subscribers/recently-active.js';
import { WHOLE_LIST_BELOW } from '../subscribers/subscriber-lists.js';
import { byName, wireChannel, wireChannelFields, wireSubscription } from '../wire-channel.js';
import { mayKnowChannel } from '../model/channels/channel.access.js';
import type { Channel } from '../model/channels/channel.js';
import type { Subscription } from '../model/subscriptions/subscription.js';

/** Channels that the viewer may know, and their subscriptions (register.md §2, `stream`, `subscription`). */
@Injectable()
export class ChannelFields extends RegisterFields {
  override readonly keys = ['default_streams', 'stream', 'subscription'];

  constructor(private readonly recentlyActive: RecentlyActive) {
    super();
  }

  override async warm(context: RegisterContext): Promise<void> {
    if (!wants(context, 'stream') && !wants(context, 'subscription')) return;
    const { directory, viewer, includeSubscribers } = context;
    const inherited = inheritedFor(context);
    const slices = new Slices();
    for (const channel of directory.channels()) {
      channelText(directory, channel);
      if (includeSubscribers) subscribersText(directory, channel, undefined);
      const subscription = directory.subscription(viewer.userId, channel.channelId);
      if (subscription !== undefined) subscriptionText(directory, channel, subscription, inherited);
      if (slices.isOver) await slices.next();
    }
  }

  override addTo(fields: JsonFields, context: RegisterContext): void {
    if (wants(context, 'default_streams')) fields.add('realm_default_streams', defaultChannels(context));
    const asStreams = wants(context, 'stream');
    const asSubscriptions = wants(context, 'subscription');
    if (!asStreams && !asSubscriptions) return;
    const { directory, viewer, includeSubscribers, settings } = context;
    const inherited = inheritedFor(context);
    const isListed = settings.partialSubscribers === true ? this.recentlyActive.checkFor(viewer) : undefined;
    const streams: string[] = [];
    const mine: string[] = [];
    const former: string[] = [];
    const never: string[] = [];
    for (const channel of knownChannels(context)) {
      const text = channelText(directory, channel);
      if (asStreams) streams.push(text);
      if (!asSubscriptions) continue;
      const subscription = directory.subscription(viewer.userId, channel.channelId);
      const list = subscription === undefined ? never : subscription.active ? mine : former;
      const item = subscription === undefined ? text : subscriptionText(directory, channel, subscription, inherited);
      list.push(includeSubscribers ? `${item.slice(0, -1)},${subscribersText(directory, channel, isListed)}}` : item);
    }
    if (asStreams) fields.addList('streams', streams);
    if (!asSubscriptions) return;
    fields.addList('subscriptions', mine).addList('unsubscribed', former).addList('never_subscribed', never);
  }
}

function knownChannels(context: RegisterContext): Channel[] {
  const { directory, viewer } = context;
  const withArchived = can(context, 'archived_channels');
  const known: Channel[] = [];
  for (const channel of directory.channels()) {
    if (channel.isArchived && !withArchived) continue;
    if (mayKnowChannel(directory, viewer, channel)) known.push(channel);
  }
  return known.sort(byName);
}

function defaultChannels({ directory, viewer }: RegisterContext): number[] {
  if (viewer.role >= ROLE.guest) return [];
  const defaults: number[] = [];
  for (const channel of directory.channels())
    if (channel.isDefault && !channel.isArchived) defaults.push(channel.channelId);
  return defaults;
}

interface CountedText {
  readonly count: number;
  readonly part: object;
  readonly text: string;
}

const channelTexts = new WeakMap<Channel, CountedText>();
const subscriptionTexts = new WeakMap<Subscription, CountedText & SubscriptionParts>();

interface SubscriptionParts {
  readonly inherited: Inherited | undefined;
}

/** For clients that do not know null in settings of notifications. */
interface Inherited {
  readonly settings: InheritedNotifications;
  /** By which two are compared. */
  readonly text: string;
}

function inheritedFor(context: RegisterContext): Inherited | undefined {
  if (can(context, 'notification_settings_null')) return undefined;
  const settings = inheritedNotifications(context.directory, context.viewer.userId);
  return { settings, text: JSON.stringify(settings) };
}

/** Cached by record: channels are replaced, never mutated. */
function channelText(directory: Directory, channel: Channel): string {
  const count = directory.subscriberCount(channel.channelId);
  const part = wireChannelFields(directory, channel);
  let known = channelTexts.get(channel);
  if (known?.count !== count || known.part !== part) {
    known = { count, part, text: JSON.stringify(wireChannel(directory, channel)) };
    channelTexts.set(channel, known);
  }
  return known.text;
}

function subscriptionText(
  directory: Directory,
  channel: Channel,
  subscription: Subscription,
  inherited: Inherited | undefined,
): string {
  const count = directory.subscriberCount(channel.channelId);
  const part = wireChannelFields(directory, channel);
  let known = subscriptionTexts.get(subscription);
  if (known?.count !== count || known.part !== part || known.inherited?.text !== inherited?.text) {
    const options = {
      includeSubscribers: false,
      ...(inherited === undefined ? {} : { inherited: inherited.settings }),
    };
    const text = JSON.stringify(wireSubscription(directory, channel, subscription, options));
    known = { count, part, inherited, text };
    subscriptionTexts.set(subscription, known);
  }
  return known.text;
}

/** Maximum length of a cached list. Longer ones are built each time: caching them would take more memory than the time is worth. */
const REMEMBERED_LENGTH_MAX = 20_000;
/** By list: the directory returns the same one until the channel's subscribers change. */
const subscriberTexts = new WeakMap<readonly number[], string>();

/** The field with the subscribers, ascending. */
function subscribersText(
  directory: Directory,
  channel: Channel,
  isListed: ((userId: number) => boolean) | undefined,
): string {
  const { channelId } = channel;
  if (isListed !== undefined && directory.subscriberCount(channelId) >= WHOLE_LIST_BELOW)
    return `"partial_subscribers":[${directory.subscriberIds(channelId).filter(isListed).join(',')}]`;
  const ids = directory.subscriberIds(channelId);
  const known = subscriberTexts.get(ids);
  if (known !== undefined) return known;
  const text = `"subscribers":[${ids.join(',')}]`;
  if (text.length <= REMEMBERED_LENGTH_MAX) subscriberTexts.set(ids, text);
  return text;
}
