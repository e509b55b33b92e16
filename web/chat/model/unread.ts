/** Unread messages by conversation. A change costs what it names, however many are unread. */
import { directWith, type Place, placeKey } from './place.js';
import type { Unread } from './chat-state.js';

/** `unread_msgs` of the register response. */
export interface UnreadMessages {
  readonly pms: readonly { readonly other_user_id: number; readonly unread_message_ids: readonly number[] }[];
  readonly streams: readonly {
    readonly stream_id: number;
    readonly topic: string;
    readonly unread_message_ids: readonly number[];
  }[];
  readonly huddles: readonly { readonly user_ids_string: string; readonly unread_message_ids: readonly number[] }[];
  readonly mentions: readonly number[];
}

interface Conversation {
  place: Place;
  readonly ids: Set<number>;
}

export class UnreadIndex {
  readonly #byPlace = new Map<string, Conversation>();
  readonly #placeById = new Map<number, string>();
  readonly #mentions: Set<number>;
  #snapshot: ReadonlyMap<string, Unread> | undefined;

  constructor(given: UnreadMessages, meId: number) {
    this.#mentions = new Set(given.mentions);
    for (const { other_user_id, unread_message_ids } of given.pms)
      this.#addAll(directWith([other_user_id], meId), unread_message_ids);
    for (const { user_ids_string, unread_message_ids } of given.huddles)
      this.#addAll(directWith(user_ids_string.split(',').map(Number), meId), unread_message_ids);
    for (const { stream_id, topic, unread_message_ids } of given.streams)
      this.#addAll({ kind: 'topic', channelId: stream_id, topic }, unread_message_ids);
  }

  has(id: number): boolean {
    return this.#placeById.has(id);
  }

  add(place: Place, id: number, isMention: boolean): void {
    this.#addAll(place, [id]);
    if (isMention) this.#mentions.add(id);
  }

  remove(ids: readonly number[]): void {
    for (const id of ids) {
      const key = this.#placeById.get(id);
      if (key === undefined) continue;
      this.#placeById.delete(id);
      this.#mentions.delete(id);
      const conversation = this.#byPlace.get(key);
      conversation?.ids.delete(id);
      if (conversation?.ids.size === 0) this.#byPlace.delete(key);
      this.#snapshot = undefined;
    }
  }

  clear(): void {
    this.remove([...this.#placeById.keys()]);
  }

  move(ids: readonly number[], place: Place): void {
    const moved = ids.filter((id) => this.#placeById.has(id));
    const mentions = moved.filter((id) => this.#mentions.has(id));
    this.remove(moved);
    this.#addAll(place, moved);
    for (const id of mentions) this.#mentions.add(id);
  }

  idsOf(place: Place): readonly number[] {
    return [...(this.#byPlace.get(placeKey(place))?.ids ?? [])].sort((a, b) => a - b);
  }

  /** The same map until something changes. */
  snapshot(): ReadonlyMap<string, Unread> {
    this.#snapshot ??= new Map(
      [...this.#byPlace].map(([key, { place, ids }]) => {
        let [mentions, latestId] = [0, 0];
        for (const id of ids) {
          if (id > latestId) latestId = id;
          if (this.#mentions.has(id)) mentions++;
        }
        return [key, { place, count: ids.size, mentions, latestId }];
      }),
    );
    return this.#snapshot;
  }

  #addAll(place: Place, ids: readonly number[]): void {
    if (ids.length === 0) return;
    const key = placeKey(place);
    const conversation = this.#byPlace.get(key) ?? { place, ids: new Set<number>() };
    conversation.place = place;
    for (const id of ids) {
      conversation.ids.add(id);
      this.#placeById.set(id, key);
    }
    this.#byPlace.set(key, conversation);
    this.#snapshot = undefined;
  }
}
