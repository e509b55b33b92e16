import { type JsonObject, memoized } from '#kernel';
import type { FeedCatalogue } from '../log/feed-catalogue.js';
import type { ClientEvent, ClientEvents, Presentable, Recipient, WholeState } from '../log/feed-entry.js';
import { EVENTS_PER_POSITION, PASSED_INDEX } from '../log/feed-entry.js';

/** Data that features loaded for a batch of entries. */
export type Prepared = ReadonlyMap<ClientEvents, unknown>;

/** Client events ready to be sent: the JSON text of each, including its ID, and the highest ID. */
export interface Presented {
  readonly texts: readonly string[];
  readonly lastId: number;
  /** There are more events than this answer has room for. */
  readonly isFull: boolean;
}

/**
 * Approximate maximum bytes of events in one answer: the client events of one event are never split, and the client
 * asks for the rest at once.
 */
export const EVENTS_BYTES_MAX = 8_000_000;

/**
 * One event of the log had more client events for one queue than there are IDs: the client has to fetch its state
 * again.
 */
class TooManyEvents extends Error {
  constructor(position: number) {
    super(`The event at position ${position} has more than ${PASSED_INDEX} client events for one queue.`);
    this.name = 'TooManyEvents';
  }
}

/** Turns entries into client events of one recipient. */
export class Presenter {
  constructor(private readonly catalogue: FeedCatalogue) {}

  /** The client events of an entry that needs no preparation. */
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
   * Of the entries of one answer, those whose whole state another one tells, which is not acknowledged. Entries that all hold the
   * state of then are not repeated: beside one that is told as of delivery, an earlier state could be told last.
   */
  repeated(entries: readonly Presentable[], afterId: number): ReadonlySet<Presentable> {
    // As in nearly all answers to held polls.
    if (entries.length < 2) return NONE_REPEATED;
    const ofStates = new Map<string, { readonly told: WholeState['told']; readonly tellers: Presentable[] }>();
    for (const presentable of entries) {
      const { position, entry } = presentable;
      if (position * EVENTS_PER_POSITION <= afterId) continue;
      const state = this.catalogue.presenterOf(entry.type).wholeState?.(entry);
      if (state === undefined) continue;
      const others = ofStates.get(state.name);
      if (others === undefined) ofStates.set(state.name, { told: state.told, tellers: [presentable] });
      else others.tellers.push(presentable);
    }
    const repeated = new Set<Presentable>();
    for (const { told, tellers } of ofStates.values()) {
      const asOfDelivery = tellers.findIndex(({ entry }) => !('state' in entry.body));
      if (asOfDelivery === -1) continue;
      for (const other of told === 'last' ? tellers.slice(0, -1) : tellers.slice(asOfDelivery + 1)) repeated.add(other);
    }
    return repeated;
  }

  /**
   * Presents entries, in order. Entries of one position must come together: an event's ID counts within it. Events up
   * to `afterId` are acknowledged and left out.
   * @param bytesMax no further position is begun beyond this size
   * @param repeated entries to leave out: those of the whole answer, of which these may be a part
   */
  present(
    entries: readonly Presentable[],
    recipient: Recipient,
    prepared: Prepared,
    afterId: number,
    bytesMax = EVENTS_BYTES_MAX,
    repeated = this.repeated(entries, afterId),
  ): Presented {
    const told: Told[] = [];
    let bytes = 0;
    let lastId = afterId;
    /** Place of the last state that an earlier event of this answer tells. */
    let passedId = -1;
    let position = -1;
    let index = 0;
    let isFull = false;
    for (const presentable of entries) {
      if (presentable.position !== position) {
        isFull = bytes >= bytesMax;
        if (isFull) break;
        position = presentable.position;
        index = 0;
      }
      const feature = this.catalogue.presenterOf(presentable.entry.type);
      const isLeftOut = repeated.has(presentable);
      const events = isLeftOut ? NO_EVENTS : feature.present(presentable, recipient, prepared.get(feature));
      const state = events.length === 0 ? feature.wholeState?.(presentable.entry) : undefined;
      if (isLeftOut && state?.told === 'first') passedId = position * EVENTS_PER_POSITION + index;
      // IDs do not move with what the answer has besides: a client may have some of the events already.
      if (state !== undefined) index++;
      for (const event of events) {
        if (index === PASSED_INDEX) throw new TooManyEvents(position);
        const id = position * EVENTS_PER_POSITION + index++;
        if (id <= afterId) continue;
        const text = eventText(event, id);
        bytes += Buffer.byteLength(text);
        told.push({ feature, event, id, text });
        lastId = id;
      }
    }
    const texts = textsOf(told);
    // The client acknowledges what was left out as well, or it would be told the same state with each answer.
    if (passedId > lastId) texts.push(eventText(HEARTBEAT, (lastId = passedId)));
    return { texts, lastId, isFull };
  }
}

const NONE_REPEATED: ReadonlySet<Presentable> = new Set();
const NO_EVENTS: readonly ClientEvent[] = [];
const HEARTBEAT: ClientEvent = { type: 'heartbeat' };

interface Told {
  readonly feature: ClientEvents;
  readonly event: ClientEvent;
  readonly id: number;
  /** undefined when the feature leaves the event out. */
  text: string | undefined;
}

/** The events that remain when the features have reduced theirs. IDs do not move: a client may have some of the events already. */
function textsOf(told: readonly Told[]): string[] {
  const features = told.length > 1 ? new Set(told.map(({ feature }) => feature)) : [];
  for (const feature of features) {
    if (feature.reduce === undefined) continue;
    const own = told.filter((one) => one.feature === feature);
    const reduced = feature.reduce(own.map(({ event }) => event));
    for (const [index, one] of own.entries()) {
      const event = reduced[index];
      if (event !== one.event) one.text = event === undefined ? undefined : eventText(event, one.id);
    }
  }
  return told.flatMap(({ text }) => text ?? []);
}

/** Text of objects that several recipients share, such as the message of a `message` event. */
const sharedText = memoized((value: object) => JSON.stringify(value));

/** Shorter lists, such as flags, are rarely shared. */
const SHARED_LIST_MIN = 100;

/**
 * The event as JSON. Objects and long lists directly inside it are serialized once and cached as long as they live: a message object
 * for a thousand recipients is serialized once.
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
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value) && value.length < SHARED_LIST_MIN) return JSON.stringify(value);
  return sharedText(value);
}
