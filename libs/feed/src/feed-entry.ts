import type { Recorded } from '#event-store';
import type { JsonObject } from '#kernel';
import type { Directory, User } from '#organization';
import type { Condition } from './narrow.js';

/** Who a client event is for. Membership is judged as of the fact's position; whether they may see it, at delivery. */
export type Audience =
  | { readonly to: 'everyone' }
  | { readonly to: 'users'; readonly ids: readonly number[] }
  /** Everyone but these. */
  | { readonly to: 'others'; readonly except: readonly number[] }
  /** Who was subscribed to the channel at the fact's position, and these users too. */
  | { readonly to: 'subscribers'; readonly channelId: number; readonly and?: readonly number[] }
  /** Who may know of the channel (`mayKnowChannel`), but for these. */
  | { readonly to: 'channel-knowers'; readonly channelId: number; readonly except?: readonly number[] };

/** What one fact says to clients: one client event, for an audience. `body` holds what presenting it needs, as JSON. */
export interface FeedEntry {
  /** The client event's type, for `event_types`. */
  readonly type: string;
  readonly audience: Audience;
  readonly body: JsonObject;
}

/** The capabilities and wishes that a client declared when it registered its queue (specification, POST /register). */
export interface QueueSettings {
  readonly clientName: string;
  readonly applyMarkdown: boolean;
  readonly clientGravatar: boolean;
  readonly slimPresence: boolean;
  readonly includeSubscribers: boolean;
  readonly allPublicChannels: boolean;
  /** null = all types. */
  readonly eventTypes: readonly string[] | null;
  /** For message events only. */
  readonly narrow: readonly Condition[];
  /** Names of the capabilities declared true. */
  readonly capabilities: readonly string[];
}

/** For whom and how an entry is presented. */
export interface Recipient {
  readonly queueId: string;
  readonly user: User;
  readonly settings: QueueSettings;
}

/** A client event without its id. */
export type ClientEvent = { readonly type: string } & JsonObject;

/** An entry on its way out, with the fact's place in the log. */
export interface Presentable {
  readonly position: number;
  readonly entry: FeedEntry;
}

/**
 * A feature's part of the feed: what its facts say to clients (pure, computed once per fact by the projector), and how an
 * entry looks to one recipient (computed at delivery, where access is checked again).
 */
export abstract class ClientEvents {
  /** The fact types that `derive` reads. */
  abstract readonly facts: ReadonlySet<string>;
  /** The client event types that `present` knows. */
  abstract readonly types: ReadonlySet<string>;

  /** Pure. The directory has just taken the fact in. Most facts give no or one entry; at most 1000. */
  abstract derive(fact: Recorded, directory: Directory): readonly FeedEntry[];

  /**
   * Loads, once for a batch of entries of its types, whatever `present` needs beside the directory, such as the messages
   * they are about, and what the recipients have with them. The default needs nothing.
   */
  prepare(_entries: readonly Presentable[], _userIds: ReadonlySet<number>): Promise<unknown> {
    return Promise.resolve(undefined);
  }

  /** The client events this recipient gets for the entry, none if they may not see it now. `prepared` is what `prepare` gave. */
  abstract present(entry: Presentable, recipient: Recipient, prepared: unknown): readonly ClientEvent[];
}

/** How many IDs belong to one fact; an event's ID is its fact's position times this, plus its index. */
export const EVENTS_PER_POSITION = 1024;
/**
 * No event has this index or one above it, so one fact can have this many events for one queue. IDs from here on say that
 * everything up to the position was passed: a fresh queue begins with one, and heartbeats count up from it.
 */
export const PASSED_INDEX = 768;
