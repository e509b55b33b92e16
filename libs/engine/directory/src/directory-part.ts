import type { EventOf, EventType } from '#event-store';
import type { JsonObject } from '#kernel';

/** Place of an event in the log. */
export interface LogPoint {
  readonly position: number;
  /** ID of the newest message sent up to it; 0 before the first. */
  readonly lastMessageId: number;
}

interface AnyEvent {
  readonly type: string;
  readonly data: object;
}

/** One handler per event type of a union: an event type without a handler does not compile. */
export type Handlers<Event extends AnyEvent> = {
  readonly [Type in Event['type']]: (event: Extract<Event, { readonly type: Type }>, at: LogPoint) => void;
};

/** A handler as the directory calls it: it gets the events of its type alone. */
export type Handler = (event: AnyEvent, at: LogPoint) => void;

/** What a state holds of what an event changes, by event type; asked before the event is recorded, with which it is kept. */
export type Earlier<State, Event extends AnyEvent> = {
  readonly [Type in Event['type']]?: (
    state: State,
    data: Extract<Event, { readonly type: Type }>['data'],
  ) => object | undefined;
};

/** Looks up the state of another part. */
export type PartLookup = <State>(part: DirectoryPart<State>) => State;

/** State of a part in one directory. */
export interface PartState<State = unknown> {
  /** The state as it is now. */
  readonly current: State;
  /** By event type. */
  readonly on: Readonly<Record<string, Handler>>;
  /** Plain JSON, and never changed afterwards; undefined for nothing. */
  snapshot(): unknown;
  /** Fills an empty part. @param saved undefined in snapshots from before there was the part */
  restore(saved: unknown): void;
}

/** How the records of a snapshot that is a list are stored in less space. */
export interface Packing {
  pack(records: readonly unknown[]): JsonObject;
  unpack(packed: JsonObject): readonly unknown[];
}

/**
 * A part of the directory: what one feature keeps in memory, folded from the log. The features name their parts in their manifests;
 * whoever has the part reaches its state by `directory.of(part)`.
 */
export interface DirectoryPart<State = unknown> {
  /** Of its snapshot as well, so that it never changes. */
  readonly name: string;
  /** Place in the directory. */
  readonly index: number;
  /** The events that are the part's own. It may handle those of other parts as well. */
  readonly events: readonly EventType[];
  /** Parts that it reads. They handle each event before it does. */
  readonly needs: readonly DirectoryPart[];
  readonly packing: Packing | undefined;
  readonly earlier: Readonly<Record<string, (state: never, data: never) => object | undefined>>;
  /** A new, empty one. */
  open(of: PartLookup): PartState<State>;
}

interface Common<Events extends readonly EventType[]> {
  readonly name: string;
  readonly events: Events;
  readonly needs?: readonly DirectoryPart[];
}

/** A mutable index with handlers for all of its events, and for those of others that it hears. */
interface Book<Event extends AnyEvent> {
  readonly on: Handlers<Event>;
  snapshot(): unknown;
  restore(saved: never): void;
}

let parts = 0;

/** A part whose state is a book: an object that its handlers change. */
export function directoryBook<
  const Events extends readonly EventType[],
  State extends Book<EventOf<Events[number]> & AnyEvent>,
>(
  part: Common<Events> & {
    /** A new, empty book. */
    readonly open: (of: PartLookup) => State;
    readonly earlier?: Earlier<State, EventOf<Events[number]> & AnyEvent>;
    readonly packing?: { pack(records: never): object; unpack(packed: never): readonly unknown[] };
  },
): DirectoryPart<State> {
  const { name, events, needs = [], packing, earlier = {} } = part;
  return {
    name,
    index: parts++,
    events,
    needs,
    packing: packing as Packing | undefined,
    earlier,
    open: (of) => {
      const book = part.open(of);
      return {
        current: book,
        on: book.on as unknown as PartState['on'],
        snapshot: () => book.snapshot(),
        restore: (saved) => {
          book.restore(saved as never);
        },
      };
    },
  };
}

/** A part whose state is a value, which each event replaces. */
export function directoryValue<
  const Events extends readonly EventType[],
  State,
  const Heard extends readonly EventType[] = [],
>(
  part: Common<Events> & {
    /** Events of other parts that it hears. */
    readonly hears?: Heard;
    readonly initial: State;
    readonly earlier?: Earlier<State, EventOf<(Events | Heard)[number]> & AnyEvent>;
    readonly evolve: (state: State, event: EventOf<(Events | Heard)[number]>, at: LogPoint) => State;
    /** The value itself when absent, which is plain JSON then. */
    readonly snapshot?: (state: State) => unknown;
    /** @param saved what `snapshot` returned */
    readonly restore?: (saved: never, of: PartLookup) => State;
  },
): DirectoryPart<State> {
  const { name, events, needs = [], hears = [], initial, earlier = {}, evolve, snapshot, restore } = part;
  return {
    name,
    index: parts++,
    events,
    needs,
    packing: undefined,
    earlier,
    open: (of) => {
      const state = {
        current: initial,
        on: Object.fromEntries([...events, ...hears].map((type) => [type.name, take])),
        snapshot: () => (snapshot === undefined ? state.current : snapshot(state.current)),
        restore: (saved: unknown): void => {
          if (restore !== undefined) state.current = restore(saved as never, of);
          else if (saved !== undefined) state.current = saved as State;
        },
      };
      function take(event: AnyEvent, at: LogPoint): void {
        state.current = evolve(state.current, event as EventOf<(Events | Heard)[number]>, at);
      }
      return state;
    },
  };
}
