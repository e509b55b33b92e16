import { type RecordedEvent, streams } from '#event-store';
import type { Directory } from '#organization';
import { messagesProjection } from '../projections/messages.projection.js';

/** Maximum changed messages tracked individually: reading so many again takes a few milliseconds. */
const CHANGED_MAX = 500;

/** Records, from its construction on, changes that affect what one user has with messages. */
export class MessageChanges {
  readonly #messageIds = new Set<number>();
  #isBeyondMessages = false;
  readonly end: () => void;

  constructor(directory: Directory, userId: number) {
    // Events of these streams may change anything: access, muting, read state.
    const beyond = new Set([streams.organization, streams.user(userId), streams.flags(userId)]);
    this.end = directory.listen((event) => {
      if (beyond.has(event.stream)) this.#isBeyondMessages = true;
      else this.#note(event);
    });
  }

  /** Existing messages that were changed or deleted; undefined when other things changed too, or too many. */
  get messageIds(): ReadonlySet<number> | undefined {
    return this.#isBeyondMessages || this.#messageIds.size > CHANGED_MAX ? undefined : this.#messageIds;
  }

  #note(event: RecordedEvent): void {
    if (event.stream === streams.messages || !messagesProjection.handles.has(event.type)) return;
    for (const { key } of messagesProjection.keys(event)) {
      if (this.#messageIds.size > CHANGED_MAX) return;
      this.#messageIds.add(key as number);
    }
  }
}
