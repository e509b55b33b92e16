/** Who is typing where. Whoever does not say that they stop is taken not to type after a while. */
import type { ServerEvent } from '#client';
import type { ChatState } from './chat-state.js';
import { directWith, type Place, placeKey } from './place.js';

const TYPING_MS = 15_000;

export class Typists {
  #all: ChatState['typing'] = new Map();

  constructor(
    private readonly meId: number,
    private readonly changed: () => void,
  ) {}

  /** The same until it changes. */
  get all(): ChatState['typing'] {
    return this.#all;
  }

  take(event: ServerEvent): void {
    const { user_id: userId } = event['sender'] as { readonly user_id: number };
    if (userId === this.meId) return;
    const recipients = event['recipients'] as readonly { readonly user_id: number }[] | undefined;
    const place: Place =
      event['stream_id'] === undefined
        ? directWith(
            (recipients ?? []).map((one) => one.user_id),
            this.meId,
          )
        : { kind: 'topic', channelId: Number(event['stream_id']), topic: String(event['topic']) };
    this.#set(place, userId, event.op === 'start' ? Date.now() + TYPING_MS : undefined);
    if (event.op === 'start') setTimeout(() => this.#drop(place, userId), TYPING_MS + 100);
  }

  /** A message ends the typing before it. */
  sent(place: Place, userId: number): void {
    if (this.#all.get(placeKey(place))?.has(userId) === true) this.#set(place, userId, undefined);
  }

  #drop(place: Place, userId: number): void {
    const untilMs = this.#all.get(placeKey(place))?.get(userId);
    if (untilMs !== undefined && untilMs <= Date.now()) this.#set(place, userId, undefined);
  }

  #set(place: Place, userId: number, untilMs: number | undefined): void {
    const there = new Map(this.#all.get(placeKey(place)));
    if (untilMs === undefined) there.delete(userId);
    else there.set(userId, untilMs);
    const all = new Map(this.#all);
    if (there.size === 0) all.delete(placeKey(place));
    else all.set(placeKey(place), there);
    this.#all = all;
    this.changed();
  }
}
