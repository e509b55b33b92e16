import type { ChatState, Unread } from './model/chat-state.js';

/** Whether the unread messages of a conversation count: not when it, or all who write there, are muted. */
export function counts(state: ChatState, key: string, { place }: Unread): boolean {
  if (place.kind === 'direct')
    return place.userIds.length === 0 || place.userIds.some((id) => !state.mutedUsers.has(id));
  const policy = state.topicPolicies.get(key) ?? 0;
  if (policy !== 0) return policy !== 1;
  const channel = state.channels.get(place.channelId);
  return channel !== undefined && !channel.is_muted;
}

export interface UnreadCounts {
  readonly total: number;
  readonly mentions: number;
  readonly byChannel: ReadonlyMap<number, { readonly count: number; readonly mentions: number }>;
  /** Conversations that count, the latest first. */
  readonly conversations: readonly (Unread & { readonly key: string })[];
}

let last: { readonly state: ChatState; readonly counted: UnreadCounts } | undefined;

/** The same value for the same unread messages, mutes and channels. */
export function unreadCounts(state: ChatState): UnreadCounts {
  const before = last?.state;
  const isSame =
    before?.unread === state.unread &&
    before.channels === state.channels &&
    before.topicPolicies === state.topicPolicies &&
    before.mutedUsers === state.mutedUsers;
  if (last !== undefined && isSame) return last.counted;
  const conversations = [...state.unread]
    .filter(([key, unread]) => counts(state, key, unread))
    .map(([key, unread]) => ({ ...unread, key }))
    .sort((a, b) => b.latestId - a.latestId);
  const byChannel = new Map<number, { count: number; mentions: number }>();
  let [total, mentions] = [0, 0];
  for (const one of conversations) {
    total += one.count;
    mentions += one.mentions;
    if (one.place.kind !== 'topic') continue;
    const channel = byChannel.get(one.place.channelId) ?? { count: 0, mentions: 0 };
    channel.count += one.count;
    channel.mentions += one.mentions;
    byChannel.set(one.place.channelId, channel);
  }
  const counted = { total, mentions, byChannel, conversations };
  last = { state, counted };
  return counted;
}
