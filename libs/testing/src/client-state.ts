/** The answer of POST /register, as a client keeps it. Names only the parts that events change. */
export interface ClientState {
  [field: string]: any;
  user_id?: number;
  max_message_id?: number;
  unread_msgs?: UnreadState;
  starred_messages?: number[];
  recent_private_conversations?: { max_message_id: number; user_ids: number[] }[];
  streams?: ChannelState[];
  subscriptions?: ChannelState[];
  unsubscribed?: ChannelState[];
  never_subscribed?: ChannelState[];
  user_topics?: UserTopicState[];
  realm_users?: UserState[];
  realm_non_active_users?: UserState[];
  realm_user_groups?: { id: number; members: number[]; [field: string]: any }[];
  realm_default_streams?: number[];
}

export interface ChannelState {
  stream_id: number;
  name: string;
  subscriber_count?: number;
  subscribers?: number[];
  [field: string]: any;
}

export interface UserTopicState {
  stream_id: number;
  topic_name: string;
  last_updated: number;
  visibility_policy: number;
}

export interface UserState {
  user_id: number;
  [field: string]: any;
}

export interface UnreadState {
  count: number;
  pms: { other_user_id: number; sender_id: number; unread_message_ids: number[] }[];
  streams: { stream_id: number; topic: string; unread_message_ids: number[] }[];
  huddles: { user_ids_string: string; unread_message_ids: number[] }[];
  mentions: number[];
  old_unreads_missing: boolean;
}

export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
export const ascending = (a: number, b: number): number => a - b;

/** The ids together, ascending, without repeats. */
export function union(some: readonly number[], others: readonly number[]): number[] {
  return [...new Set([...some, ...others])].sort(ascending);
}

export function without(some: readonly number[], others: readonly number[]): number[] {
  return some.filter((id) => !others.includes(id));
}
