import { type RecordedEvent, streams } from '#event-store';
import { messagesProjection, parseConversation } from '#messages';
import type { Directory } from '#people';
import { conversationsProjection } from '../topics/conversations.projection.js';

/** Maximum changed messages, and direct conversations, tracked individually: reading so many again takes a few milliseconds. */
const CHANGED_MAX = 500;

/** Changes that affect what one user has with messages. */
export interface MessageChange {
  /** Existing messages that were changed or deleted. */
  readonly messageIds: ReadonlySet<number>;
  /** Direct conversations of the user that got or lost a message, as in message documents. */
  readonly directConversations: ReadonlySet<string>;
}

/** Records, from its construction on, changes that affect what one user has with messages. */
export class MessageChanges {
  readonly #messageIds = new Set<number>();
  readonly #directConversations = new Set<string>();
  #isBeyondMessages = false;
  readonly end: () => void;

  constructor(
    directory: Directory,
    private readonly userId: number,
  ) {
    // Events of these streams may change anything: access, muting, read state.
    const beyond = new Set([streams.organization, streams.user(userId), streams.flags(userId)]);
    this.end = directory.listen((event) => {
      if (beyond.has(event.stream)) this.#isBeyondMessages = true;
      else this.#note(event);
    });
  }

  /** All changes so far; undefined when other things changed too, or too many. */
  get change(): MessageChange | undefined {
    const isTooMuch = Math.max(this.#messageIds.size, this.#directConversations.size) > CHANGED_MAX;
    if (this.#isBeyondMessages || isTooMuch) return undefined;
    return { messageIds: this.#messageIds, directConversations: this.#directConversations };
  }

  #note(event: RecordedEvent): void {
    if (conversationsProjection.handles.has(event.type)) this.#noteConversations(event);
    if (event.stream === streams.messages || !messagesProjection.handles.has(event.type)) return;
    for (const { key } of messagesProjection.keys(event)) {
      if (this.#messageIds.size > CHANGED_MAX) return;
      this.#messageIds.add(key as number);
    }
  }

  #noteConversations(event: RecordedEvent): void {
    for (const { key } of conversationsProjection.keys(event)) {
      if (this.#directConversations.size > CHANGED_MAX) return;
      const place = parseConversation(key as string);
      const isOwn = 'participants' in place && place.participants.includes(this.userId);
      if (isOwn) this.#directConversations.add(key as string);
    }
  }
}
