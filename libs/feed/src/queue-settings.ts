import type { JsonObject } from '#kernel';
import type { QueueSettings } from './feed-entry.js';

/**
 * One copy of equal settings. Ten thousand queues of the same app differ in nothing but their user, and an idle queue is
 * to cost next to nothing.
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

/** A queue as it is remembered across restarts. */
export interface SavedQueue {
  readonly userId: number;
  readonly settings: QueueSettings;
  readonly lifespanMs: number;
  /** The `last_event_id` that it was registered with. */
  readonly startId: number;
  readonly ackedId: number;
  /** When it was last known to be polled, in milliseconds since the epoch. */
  readonly activeAtMs: number;
  /** Which process was polled for it last, as far as has been written down. */
  readonly server: string;
}

export function savedQueue(saved: SavedQueue): JsonObject {
  return { version: 2, ...saved, settings: { ...saved.settings } };
}

/** Undefined for a record that this version cannot read: its client registers again. */
export function readSavedQueue(value: JsonObject): SavedQueue | undefined {
  return value.version === 2 ? (value as unknown as SavedQueue) : undefined;
}
