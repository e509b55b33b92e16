import type { SessionStatus } from '#client';
import type { Place } from './place.js';
import type { Channel, Emoji, Person, TopicPolicy } from './wire.js';

export type Connection =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** `untilMs`: when the next attempt is made, in milliseconds since the epoch. */
  | Extract<SessionStatus, { readonly kind: 'offline' }>;

export interface Unread {
  readonly place: Place;
  readonly count: number;
  readonly mentions: number;
  readonly latestId: number;
}

/** What somebody says of themselves. */
export interface Status {
  readonly text: string;
  readonly emoji: Emoji | undefined;
}

/** An emoji with a picture. */
export interface PictureEmoji {
  readonly id: string;
  readonly name: string;
  readonly source_url: string;
  /** Of a picture that moves. */
  readonly still_url: string | null;
  readonly deactivated: boolean;
}

/** A website that opens the code of a language. */
export interface Playground {
  readonly name: string;
  readonly pygments_language: string;
  readonly url_template: string;
}

/** What all views know. Each change makes another; parts that are the same stay the same. */
export interface ChatState {
  readonly meId: number;
  readonly realmName: string;
  readonly people: ReadonlyMap<number, Person>;
  /** Channels that the reader is subscribed to. */
  readonly channels: ReadonlyMap<number, Channel>;
  /** All channels that the reader can see, by name. Those without a subscription have no colour. */
  readonly allChannels: readonly (Omit<Channel, 'color'> & { readonly color?: string })[];
  /** Conversations with unread messages that are not muted, by their key. */
  readonly unread: ReadonlyMap<string, Unread>;
  readonly connection: Connection;
  /** Direct conversations, the latest first: who takes part but the reader. */
  readonly directs: readonly (readonly number[])[];
  /** What the reader has set of topics, by the key of their place. */
  readonly topicPolicies: ReadonlyMap<string, TopicPolicy>;
  readonly mutedUsers: ReadonlySet<number>;
  readonly settings: Settings;
  /** Who is typing, by the key of the conversation: until when, in milliseconds since the epoch. */
  readonly typing: ReadonlyMap<string, ReadonlyMap<number, number>>;
  readonly limits: Limits;
  readonly statuses: ReadonlyMap<number, Status>;
  /** Emoji of the organization, by their IDs. */
  readonly pictures: ReadonlyMap<string, PictureEmoji>;
  readonly playgrounds: readonly Playground[];
}

/** What rows of messages show of it. */
export type RowState = Pick<ChatState, 'people' | 'channels' | 'meId' | 'statuses' | 'pictures' | 'playgrounds'>;

/** Settings of the reader that the page obeys. */
export interface Settings {
  readonly enter_sends: boolean;
  readonly twenty_four_hour_time: boolean;
  /** 1 as the device, 2 dark, 3 light. */
  readonly color_scheme: number;
  /** 1 always, 2 in conversations only, 3 never. */
  readonly web_mark_read_on_scroll_policy: number;
  readonly enable_desktop_notifications: boolean;
  readonly enable_stream_desktop_notifications: boolean;
  readonly enable_followed_topic_desktop_notifications: boolean;
  readonly pm_content_in_desktop_notifications: boolean;
  readonly wildcard_mentions_notify: boolean;
  readonly enable_followed_topic_wildcard_mentions_notify: boolean;
  readonly web_font_size_px: number;
}

export interface Limits {
  readonly messageLength: number;
  readonly isTopicNeeded: boolean;
}
