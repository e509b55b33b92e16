import type { ClientState, UnreadState } from './client-state.js';
import { ascending, byText, union, without } from './client-state.js';

/** Place of an unread message: what a client knows of it besides its ID. */
export type UnreadPlace =
  | { readonly channelId: number; readonly topic: string }
  /** The other participants; empty for notes to oneself. */
  | { readonly others: readonly number[] };

/** `visibility_policy` of a muted topic. */
const MUTED = 1;
const WILDCARDS = ['stream_wildcard_mentioned', 'topic_wildcard_mentioned', 'wildcard_mentioned'];

/** A client's unread messages by conversation (register.md §6), as changed by events. */
export class UnreadBook {
  readonly #places = new Map<number, UnreadPlace>();
  readonly #mentions: Set<number>;
  readonly #oldMissing: boolean;

  constructor(private readonly state: ClientState & { unread_msgs: UnreadState }) {
    const { pms, streams, huddles, mentions, old_unreads_missing } = state.unread_msgs;
    for (const { other_user_id, unread_message_ids } of pms) {
      const others = other_user_id === state.user_id ? [] : [other_user_id];
      for (const id of unread_message_ids) this.#places.set(id, { others });
    }
    for (const { user_ids_string, unread_message_ids } of huddles) {
      const others = user_ids_string
        .split(',')
        .map(Number)
        .filter((id) => id !== state.user_id);
      for (const id of unread_message_ids) this.#places.set(id, { others });
    }
    for (const { stream_id, topic, unread_message_ids } of streams) {
      for (const id of unread_message_ids) this.#places.set(id, { channelId: stream_id, topic });
    }
    this.#mentions = new Set(mentions);
    this.#oldMissing = old_unreads_missing;
  }

  place(id: number): UnreadPlace | undefined {
    return this.#places.get(id);
  }

  /** Channels without a subscription, and archived ones, have no unread messages. */
  add(id: number, place: UnreadPlace, flags: readonly string[]): void {
    if ('channelId' in place && !this.#isSubscribed(place.channelId)) return;
    this.#places.set(id, place);
    this.reflag(id, flags);
  }

  /** Updates whether the message mentions the reader, by its flags. */
  reflag(id: number, flags: readonly string[]): void {
    const place = this.#places.get(id);
    if (place === undefined) return;
    const isWildcard = flags.some((flag) => WILDCARDS.includes(flag));
    if (flags.includes('mentioned') || (isWildcard && !this.#isMuted(place))) this.#mentions.add(id);
    else this.#mentions.delete(id);
  }

  move(id: number, channelId: number, topic: string): void {
    if (!this.#places.has(id)) return;
    if (this.#isSubscribed(channelId)) this.#places.set(id, { channelId, topic });
    else this.remove([id]);
  }

  remove(ids: readonly number[]): void {
    for (const id of ids) {
      this.#places.delete(id);
      this.#mentions.delete(id);
    }
  }

  removeAll(): void {
    this.remove([...this.#places.keys()]);
  }

  removeChannel(channelId: number): void {
    this.remove(
      [...this.#places].filter(([, place]) => 'channelId' in place && place.channelId === channelId).map(([id]) => id),
    );
  }

  /** Copies the other book's state of these messages. */
  takeOver(other: UnreadBook, isConcerned: (id: number, place: UnreadPlace) => boolean): void {
    for (const [id, place] of this.#places) if (isConcerned(id, place)) this.remove([id]);
    for (const [id, place] of other.#places) {
      if (!isConcerned(id, place)) continue;
      this.#places.set(id, place);
      if (other.#mentions.has(id)) this.#mentions.add(id);
    }
  }

  /** In the form of the register response. */
  write(): UnreadState {
    const pms = new Map<number, number[]>();
    const huddles = new Map<string, number[]>();
    const topics = new Map<string, { stream_id: number; topic: string; unread_message_ids: number[] }>();
    const self = this.state.user_id ?? 0;
    let count = 0;
    for (const [id, place] of [...this.#places].sort(([a], [b]) => a - b)) {
      if (!this.#isMuted(place)) count++;
      if ('channelId' in place) {
        const key = `${place.channelId}:${place.topic}`;
        const entry = topics.get(key) ?? { stream_id: place.channelId, topic: place.topic, unread_message_ids: [] };
        entry.unread_message_ids.push(id);
        topics.set(key, entry);
      } else if (place.others.length > 1) {
        const key = union(place.others, [self]).join(',');
        huddles.set(key, [...(huddles.get(key) ?? []), id]);
      } else {
        const other = place.others[0] ?? self;
        pms.set(other, [...(pms.get(other) ?? []), id]);
      }
    }
    return {
      count,
      pms: [...pms]
        .sort(([a], [b]) => a - b)
        .map(([id, ids]) => ({ other_user_id: id, sender_id: id, unread_message_ids: ids })),
      streams: [...topics.values()].sort((a, b) => a.stream_id - b.stream_id || byText(a.topic, b.topic)),
      huddles: [...huddles]
        .sort(([a], [b]) => byText(a, b))
        .map(([key, ids]) => ({ user_ids_string: key, unread_message_ids: ids })),
      mentions: [...this.#mentions].sort(ascending),
      old_unreads_missing: this.#oldMissing,
    };
  }

  #isSubscribed(channelId: number): boolean {
    const { subscriptions } = this.state;
    return (
      subscriptions === undefined ||
      subscriptions.some((one) => one.stream_id === channelId && one['is_archived'] !== true)
    );
  }

  #isMuted(place: UnreadPlace): boolean {
    if (!('channelId' in place)) return false;
    const { channelId, topic } = place;
    const own = this.state.user_topics?.find(
      (one) => one.stream_id === channelId && one.topic_name.toLowerCase() === topic.toLowerCase(),
    );
    if (own !== undefined) return own.visibility_policy === MUTED;
    return this.state.subscriptions?.find(({ stream_id }) => stream_id === place.channelId)?.['is_muted'] === true;
  }
}

export function placeOf(message: any, selfId: number): UnreadPlace {
  if (message.type === 'stream') return { channelId: message.stream_id, topic: message.subject };
  const ids = (message.display_recipient as { id: number }[]).map(({ id }) => id);
  return { others: without(ids, [selfId]).sort(ascending) };
}

/** Updates some unread messages of a state from a newer state. */
export function refreshUnread(
  state: ClientState,
  fresh: ClientState,
  isConcerned: (id: number, channelId?: number, topic?: string) => boolean,
): ClientState {
  const { unread_msgs } = state;
  if (unread_msgs === undefined || fresh.unread_msgs === undefined) return state;
  const book = new UnreadBook({ ...state, unread_msgs });
  book.takeOver(new UnreadBook({ ...fresh, unread_msgs: fresh.unread_msgs }), (id, place) =>
    'channelId' in place ? isConcerned(id, place.channelId, place.topic) : isConcerned(id),
  );
  return { ...state, unread_msgs: book.write() };
}
