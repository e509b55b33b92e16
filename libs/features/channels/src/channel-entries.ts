import type { FeedEntry } from '#feed';
import type { WireEvent, WithoutType } from '#wire';
import type { channelEventSchemas } from './channel-events.schema.js';

/** What clients are told of channels and subscriptions. */
export type WireChannelEvent = WireEvent<typeof channelEventSchemas>;

type Stream = WithoutType<Extract<WireChannelEvent, { type: 'stream' }>>;
type OfSubscription = WithoutType<Extract<WireChannelEvent, { type: 'subscription' }>>;

/** In the body of an entry about an archived channel, which clients without the capability do not know. */
export interface Marked {
  readonly ofArchived?: true;
}

/** Body of a `stream` `create` entry; presented as the channels are at delivery. */
export interface AppearedBody extends Marked {
  readonly op: 'create';
  readonly channelIds?: readonly number[];
  /** In place of them in entries of an earlier release, as in `SubscribedBody`. */
  readonly channelId?: number;
  /** IDs of channels that were archived at that time: clients without the capability do not learn of them. */
  readonly archivedIds?: readonly number[];
  /** Their subscribers follow as `peer_add`, which counts them: the channel itself comes without. */
  readonly uncountedIds?: readonly number[];
}

/** Body of a `stream` `update` entry that a channel was archived, or is not archived any more: presented by capability. */
export interface ArchivedBody extends Marked {
  readonly op: 'update';
  readonly channelId: number;
  readonly name: string;
  readonly isArchived: boolean;
}

/** Body of the entry for users whose clients fetch the state again. */
export interface OutdatedBody extends Marked {
  readonly op: 'outdated';
}

/** Bodies of `stream` entries. */
export type StreamBody =
  AppearedBody | ArchivedBody | OutdatedBody | (Extract<Stream, { op: 'update' | 'delete' }> & Marked);

/** Body of a `subscription` `add` entry; presented as the channels are at delivery. */
export interface SubscribedBody extends Marked {
  readonly op: 'add';
  readonly channelIds?: readonly number[];
  readonly channelId?: number;
}

export type PeersBody = Extract<OfSubscription, { op: 'peer_add' | 'peer_remove' }> & Marked;

/** Bodies of `subscription` entries. */
export type SubscriptionBody =
  SubscribedBody | PeersBody | (Extract<OfSubscription, { op: 'remove' | 'update' }> & Marked);

export type DefaultsBody = WithoutType<Extract<WireChannelEvent, { type: 'default_streams' }>>;

interface Entry<Type extends string, Body extends object> extends FeedEntry<Body> {
  readonly type: Type;
}
export type StreamEntry = Entry<'stream', StreamBody>;
export type SubscriptionEntry = Entry<'subscription', SubscriptionBody>;
export type DefaultsEntry = Entry<'default_streams', DefaultsBody>;
export type ChannelEntry = StreamEntry | SubscriptionEntry | DefaultsEntry;

/** Marks the body of an entry about an archived channel. */
export function marked<Body extends object>(body: Body, isArchived: boolean): Body & Marked {
  return isArchived ? { ...body, ofArchived: true } : body;
}
