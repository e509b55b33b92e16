import type { EventHandlers, RecordedEvent } from '#event-store';
import type { JsonObject } from '#kernel';
import type { Directory } from '#people';
import type { User } from '#users/model';
import type { Condition } from '../queues/narrow.js';

/** Recipients of a client event. Membership is judged as of the event's position; access is checked at delivery. */
export type Audience =
  | { readonly to: 'everyone' }
  | { readonly to: 'users'; readonly ids: readonly number[] }
  /** Everyone except these users. */
  | { readonly to: 'others'; readonly except: readonly number[] }
  /** Subscribers of the channel at the event's position, and these users. */
  | { readonly to: 'subscribers'; readonly channelId: number; readonly and?: readonly number[] }
  /** Users who may know of one of the channels (`mayKnowChannel`), except these; told of those channels alone. */
  | { readonly to: 'knowers-of-any'; readonly channelIds: readonly number[]; readonly except?: readonly number[] }
  /** Users who may know of the channel (`mayKnowChannel`), except these. */
  | { readonly to: 'channel-knowers'; readonly channelId: number; readonly except?: readonly number[] };

/** A client event derived from an event of the log, for an audience. `body` is the JSON from which it is presented. */
export interface FeedEntry<Body extends object = any> {
  /** The client event's type, for `event_types`. */
  readonly type: string;
  readonly audience: Audience;
  readonly body: Body;
}

/** Capabilities and filters that a client declared when it registered its queue (endpoints.md §15, POST /register). */
export interface QueueSettings {
  readonly clientName: string;
  readonly applyMarkdown: boolean;
  readonly clientGravatar: boolean;
  readonly slimPresence: boolean;
  readonly includeSubscribers: boolean;
  /** Of large channels, only subscribers who are active; absent in settings from before, and without `includeSubscribers`. */
  readonly partialSubscribers?: true;
  readonly allPublicChannels: boolean;
  /** false: the client does not know the type of profile field for pronouns. Absent in queues of earlier releases. */
  readonly pronouns?: boolean;
  /** null = all types. */
  readonly eventTypes: readonly string[] | null;
  /** For message events only. */
  readonly narrow: readonly Condition[];
  /** Names of the capabilities declared true. */
  readonly capabilities: readonly string[];
}

/** The recipient of an entry, and how it is presented. */
export interface Recipient {
  readonly queueId: string;
  readonly user: User;
  readonly settings: QueueSettings;
}

/** A client event without its id. */
export type ClientEvent = { readonly type: string } & JsonObject;

/** An entry to be presented, with the position of its event in the log. */
export interface Presentable<Body extends object = any> {
  readonly position: number;
  readonly entry: FeedEntry<Body>;
}

/**
 * Derives the client events of an event, by event type. Pure. The directory has already applied the event. Most events
 * give no or one entry; at most 1000.
 */
export type Derivations<Event extends { readonly type: string; readonly data: object }> = EventHandlers<
  Event,
  [directory: Directory],
  readonly FeedEntry[]
>;

/** Derivation for events that concern no client. */
export function noClientEvents(): readonly FeedEntry[] {
  return [];
}

/**
 * A feature's part of the feed: which client events follow from events (computed once per event by the projector), and
 * how an entry is presented to a recipient (computed at delivery, where access is checked again).
 */
export abstract class ClientEvents<Told extends ClientEvent = ClientEvent> {
  /** Derivations by event type; other types are ignored. */
  abstract readonly on: Derivations<any>;
  /** The client event types that `present` handles. */
  abstract readonly types: ReadonlySet<string>;

  /**
   * Takes in an event that this process has read from the log, in order, before client events that follow from it are presented.
   * Absent when the feature keeps nothing of it.
   */
  recorded?(event: RecordedEvent): void;

  derive(event: RecordedEvent, directory: Directory): readonly FeedEntry[] {
    return this.on[event.type]?.(event, directory) ?? [];
  }

  /**
   * Loads, once for a batch of entries of its types, what `present` needs besides the directory, such as their messages
   * and the recipients' flags. Loads nothing by default.
   */
  prepare(_entries: readonly Presentable[], _userIds: ReadonlySet<number>): Promise<unknown> {
    return Promise.resolve(undefined);
  }

  /**
   * Reduces the feature's events of one answer, in order: undefined for those that a later one makes meaningless. What a
   * user may know is judged at delivery, so an answer could tell of times when the user did not know it. Absent when
   * each event stands for itself.
   */
  reduce?(events: readonly ClientEvent[]): readonly (ClientEvent | undefined)[];

  /**
   * The whole state that the entry tells; undefined when it tells a change. An answer tells each state of then (`listOfThen`), if its
   * entries have them, else the state as of delivery once: for as many changes, it would be as many times as large as the state.
   */
  wholeState?(entry: FeedEntry): WholeState | undefined;

  /** The client events for this recipient; none without access. `prepared` is the result of `prepare`. */
  abstract present(entry: Presentable, recipient: Recipient, prepared: unknown): readonly Told[];
}

/** A whole state that a client event tells, such as a list, in place of what changed in it. */
export interface WholeState {
  /** Entries with the same name present the same state, as one client event each, or as none. */
  readonly name: string;
  /**
   * Which of several entries tells it. `first`: as of delivery, before the events that refer to what was added. `last`: after
   * the events that refer to what was removed.
   */
  readonly told: 'first' | 'last';
}

/** Number of IDs per event of the log. A client event's ID is its event's position times this, plus its index. */
export const EVENTS_PER_POSITION = 1024;
/**
 * Indexes from here on are never those of client events, so one event can have this many client events for one queue.
 * Their IDs mean that everything up to the position was passed: a new queue starts with one, and heartbeats count up
 * from it.
 */
export const PASSED_INDEX = 768;
