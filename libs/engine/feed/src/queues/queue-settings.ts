import type { JsonObject } from '#kernel';
import type { QueueSettings } from '../log/feed-entry.js';

/**
 * Shares equal settings. Ten thousand queues of the same app differ only in their user, and an idle queue must cost
 * next to nothing.
 */
export class SharedSettings {
  readonly #byText = new Map<string, { readonly settings: QueueSettings; uses: number }>();

  share(settings: QueueSettings): QueueSettings {
    const text = JSON.stringify(settings);
    const shared = this.#byText.get(text);
    if (shared === undefined) {
      this.#byText.set(text, { settings, uses: 1 });
      return settings;
    }
    shared.uses++;
    return shared.settings;
  }

  release(settings: QueueSettings): void {
    const text = JSON.stringify(settings);
    const shared = this.#byText.get(text);
    if (shared !== undefined && --shared.uses === 0) this.#byText.delete(text);
  }
}

/** A queue's stored record, which survives restarts. */
export interface SavedQueue {
  readonly userId: number;
  readonly settings: QueueSettings;
  readonly lifespanMs: number;
  /** The browser's session that registered it; none for other clients. */
  readonly session?: string | undefined;
  /** Events up to this ID are in the answer of the registration. */
  readonly startId: number;
  readonly ackedId: number;
  /** Last known time of a poll, in milliseconds since the epoch. */
  readonly activeAtMs: number;
  /** The process that was polled for it last, as far as recorded. */
  readonly server: string;
}

export function savedQueue(saved: SavedQueue): JsonObject {
  return { version: 2, ...saved, settings: { ...saved.settings } };
}

/** Undefined for a record that this version cannot read: the client has to register again. */
export function readSavedQueue(value: JsonObject): SavedQueue | undefined {
  return value.version === 2 ? (value as unknown as SavedQueue) : undefined;
}
