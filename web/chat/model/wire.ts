/** The parts of the interface's objects that the page shows. */

/** As the interface names one. */
export interface Emoji {
  readonly emoji_name: string;
  /** Code points, or the ID of an emoji of the organization. */
  readonly emoji_code: string;
  readonly reaction_type: string;
}

export interface Reaction extends Emoji {
  readonly user_id: number;
}

export interface Person {
  readonly user_id: number;
  readonly full_name: string;
  readonly email: string;
  readonly avatar_url: string | null;
  readonly is_bot: boolean;
  /** Bots of the server lack it. */
  readonly is_active?: boolean;
  /** 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest. */
  readonly role: number;
}

export interface Channel {
  readonly stream_id: number;
  readonly name: string;
  readonly color: string;
  readonly invite_only: boolean;
  readonly is_web_public: boolean;
  readonly is_muted: boolean;
  readonly pin_to_top: boolean;
  /** Whether all messages notify; null for what the reader has set for all channels. */
  readonly desktop_notifications?: boolean | null;
  readonly folder_id?: number | null;
  readonly description: string;
  readonly subscriber_count?: number;
}

export interface Message {
  readonly id: number;
  readonly sender_id: number;
  readonly sender_full_name: string;
  readonly avatar_url: string | null;
  readonly type: 'stream' | 'private';
  readonly stream_id?: number;
  readonly subject: string;
  readonly display_recipient: string | readonly { readonly id: number; readonly full_name: string }[];
  readonly content: string;
  readonly timestamp: number;
  readonly flags: readonly string[];
  readonly reactions: readonly Reaction[];
  readonly last_edit_timestamp?: number;
  readonly last_moved_timestamp?: number;
  /** Changes, the latest first. */
  readonly edit_history?: readonly { readonly timestamp: number; readonly prev_content?: string }[];
  readonly client?: string;
  /** Those of polls and the like: what it is, and then each change. */
  readonly submessages?: readonly Submessage[];
}

export interface Submessage {
  readonly sender_id: number;
  /** JSON. */
  readonly content: string;
}

/** 0 none, 1 muted, 2 unmuted, 3 followed. */
export type TopicPolicy = 0 | 1 | 2 | 3;
