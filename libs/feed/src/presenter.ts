import type { JsonObject } from '#kernel';
import type { FeedCatalogue } from './feed-catalogue.js';
import type { ClientEvent, ClientEvents, Presentable, Recipient } from './feed-entry.js';
import { EVENTS_PER_POSITION, PASSED_INDEX } from './feed-entry.js';

/** What features loaded for a batch of entries. */
export type Prepared = ReadonlyMap<ClientEvents, unknown>;

/** Client events as they go out: each one's JSON text, its ID included, and the highest ID. */
export interface Presented {
  readonly texts: readonly string[];
  readonly lastId: number;
}

/** One fact had more client events for one queue than there are IDs: the client has to fetch its state afresh. */
export class TooManyEvents extends Error {
  constructor(position: number) {
    super(`The fact at position ${position} has more than ${PASSED_INDEX} client events for one queue.`);
    this.name = 'TooManyEvents';
  }
}

/** Turns entries into the client events of one recipient. */
export class Presenter {
  constructor(private readonly catalogue: FeedCatalogue) {}

  /** The client events of an entry that needs nothing prepared. */
  presentOne(entry: Presentable, recipient: Recipient): readonly ClientEvent[] {
    return this.catalogue.presenterOf(entry.entry.type).present(entry, recipient, undefined);
  }

  /** Lets every feature load, once for the batch, what presenting needs. */
  async prepare(entries: readonly Presentable[], userIds: ReadonlySet<number>): Promise<Prepared> {
    const byFeature = new Map<ClientEvents, Presentable[]>();
    for (const presentable of entries) {
      const feature = this.catalogue.presenterOf(presentable.entry.type);
      const batch = byFeature.get(feature);
      if (batch === undefined) byFeature.set(feature, [presentable]);
      else batch.push(presentable);
    }
    const prepared = new Map<ClientEvents, unknown>();
    for (const [feature, batch] of byFeature) prepared.set(feature, await feature.prepare(batch, userIds));
    return prepared;
  }

  /**
   * The events of these entries, in order. Entries of one position must come together: an event's ID counts within it.
   * Events up to `afterId` have been received and are left out.
   */
  present(entries: readonly Presentable[], recipient: Recipient, prepared: Prepared, afterId: number): Presented {
    const texts: string[] = [];
    let lastId = afterId;
    let position = -1;
    let index = 0;
    for (const presentable of entries) {
      if (presentable.position !== position) {
        position = presentable.position;
        index = 0;
      }
      const feature = this.catalogue.presenterOf(presentable.entry.type);
      for (const event of feature.present(presentable, recipient, prepared.get(feature))) {
        if (index === PASSED_INDEX) throw new TooManyEvents(position);
        const id = position * EVENTS_PER_POSITION + index++;
        if (id <= afterId) continue;
        texts.push(eventText(event, id));
        lastId = id;
      }
    }
    return { texts, lastId };
  }
}

/** Text of objects that several recipients share, such as the message of a `message` event. */
const sharedTexts = new WeakMap<object, string>();

/**
 * The event as JSON. The objects right inside it are serialized once and remembered as long as they live: a feature that
 * hands the same message object to a thousand recipients pays for its text once.
 */
export function eventText(event: ClientEvent, id: number): string {
  let text = '{';
  for (const key in event) {
    const value = event[key];
    if (value === undefined) continue;
    text += `${JSON.stringify(key)}:${valueText(value)},`;
  }
  return `${text}"id":${id}}`;
}

function valueText(value: NonNullable<JsonObject[string]> | null): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  let text = sharedTexts.get(value);
  if (text === undefined) {
    text = JSON.stringify(value);
    sharedTexts.set(value, text);
  }
  return text;
}
