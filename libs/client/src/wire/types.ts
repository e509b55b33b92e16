/** What the server sends, as far as the library reads it. Fields that it passes on alone are in the index signatures. */

export type Fields = Readonly<Record<string, unknown>>;

/** An event of a queue. */
export interface ServerEvent extends Fields {
  readonly id: number;
  readonly type: string;
  readonly op?: string;
}

/** ID of an event that this client foresees: the server has not told it, and may refuse the change. */
export const UNCONFIRMED = -1;

/** The answer of `POST /register`. */
export interface Registered extends Fields {
  readonly queue_id: string | null;
  readonly last_event_id: number;
  readonly user_id?: number;
}

export interface Channel extends Fields {
  readonly stream_id: number;
  readonly name: string;
  readonly subscriber_count?: number;
  readonly subscribers?: readonly number[];
  readonly is_archived?: boolean;
  readonly is_muted?: boolean;
  readonly first_message_id?: number | null;
}

export interface User extends Fields {
  readonly user_id: number;
  readonly full_name: string;
  readonly email: string;
  readonly delivery_email?: string | null;
  readonly is_active?: boolean;
  readonly role?: number;
  readonly avatar_url?: string | null;
  readonly profile_data?: Readonly<Record<string, unknown>>;
}

export interface UserGroup extends Fields {
  readonly id: number;
  readonly name: string;
  readonly members: readonly number[];
  readonly direct_subgroup_ids: readonly number[];
}

/** The user's setting for a topic. */
export interface UserTopic {
  readonly stream_id: number;
  readonly topic_name: string;
  readonly last_updated: number;
  readonly visibility_policy: number;
}

export interface RecentDirect {
  readonly max_message_id: number;
  readonly user_ids: readonly number[];
}

export interface UnreadMessages {
  readonly count: number;
  readonly pms: readonly {
    readonly other_user_id: number;
    readonly sender_id: number;
    readonly unread_message_ids: readonly number[];
  }[];
  readonly streams: readonly {
    readonly stream_id: number;
    readonly topic: string;
    readonly unread_message_ids: readonly number[];
  }[];
  readonly huddles: readonly { readonly user_ids_string: string; readonly unread_message_ids: readonly number[] }[];
  readonly mentions: readonly number[];
  readonly old_unreads_missing: boolean;
}

interface MessageFields extends Fields {
  readonly id: number;
  readonly sender_id: number;
  readonly sender_full_name: string;
  readonly content: string;
  readonly timestamp: number;
  readonly flags: readonly string[];
  readonly reactions: readonly Reaction[];
  readonly last_edit_timestamp?: number;
  readonly submessages?: readonly Fields[];
}

export interface ChannelMessage extends MessageFields {
  readonly type: 'stream';
  readonly stream_id: number;
  readonly subject: string;
  readonly display_recipient: string;
}

export interface DirectMessage extends MessageFields {
  readonly type: 'private';
  readonly display_recipient: readonly (Fields & { readonly id: number })[];
}

export type Message = ChannelMessage | DirectMessage;

export interface Reaction extends Fields {
  readonly emoji_name: string;
  readonly emoji_code: string;
  readonly reaction_type: string;
  readonly user_id: number;
}

/** A term of a narrow. */
export interface NarrowTerm {
  readonly operator: string;
  readonly operand: string | number | readonly number[];
  readonly negated?: boolean;
}

/** The answer of `GET /messages`. */
export interface MessagePage extends Fields {
  readonly messages: readonly Message[];
  readonly found_anchor: boolean;
  readonly found_oldest: boolean;
  readonly found_newest: boolean;
  readonly anchor: number;
}
