import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type CacheLimits,
  type Decider,
  type DomainEvent,
  type JsonObject,
  newId,
  type Origin,
  Refusal,
  KeyedMutex,
  NO_SPANS,
  SegmentedCache,
  Slices,
  type Spans,
  weightOf,
} from '#kernel';
import {
  type Appended,
  AppendTooLarge,
  type EventStore,
  EventStoreUnavailable,
  type ExpectedRevision,
  type NewEvent,
  RevisionConflict,
} from './event-store.js';
import { withEarlier } from './origins/earlier.js';
import { originTextIn } from './origins/event-origin.js';
import { ORIGIN_FIELD, originText } from './origins/origin-text.js';
import { Visits } from './origins/visits.js';
import type { ReadBarrier } from './read-barrier.js';

/**
 * Lost races before a command fails. Commands on one stream queue up within a process, so only another process can win
 * a race.
 */
const ATTEMPTS_MAX = 8;

/**
 * Streams whose state is kept in memory: enough for all that are busy at one time, without growing with the number of
 * streams, or with what they hold. All but a few states have some kilobytes.
 */
const KEPT_STATES: CacheLimits = { entriesMax: 10_000, weightMax: 64 * 1024 * 1024 };

/** Weight of a stream without its states. */
const STREAM_BYTES = 500;

/** Bytes of events after which the weight of a small state is computed again. */
const WEIGHED_AFTER_BYTES = 4_096;

/** Events read and folded in one turn of the event loop. One may be 1 MiB; most have a few hundred bytes. */
const PAGE_EVENTS = 32;

export interface CommandOptions {
  /** The stream most likely does not exist, so the first attempt does not read it. */
  readonly isNew?: boolean;
  /** The command is over when its events are recorded, before readers see them. */
  readonly isUnseen?: true;
}

export interface AppendOptions {
  /** Stored with every event, besides its origin. */
  readonly metadata?: JsonObject | undefined;
  /** Event ids, when the events may have been appended before; new ids when absent. */
  readonly ids?: readonly string[] | undefined;
  /** Revision that the stream is known to have reached: a damaged log that has lost its end gives no revision again. */
  readonly known?: number | undefined;
}

export interface CommandResult<Event> {
  /** Events that the command recorded; empty when there was nothing to do. */
  readonly events: readonly Event[];
  /** Place of the events in the log; undefined when there was nothing to do. */
  readonly appended: Appended | undefined;
}

type AnyEvent = DomainEvent<string, object>;

/** State that follows the log by itself, such as the directory: all events of one stream up to a revision. */
export interface FollowedState {
  readonly stream: string;
  /** Revision of the last event of the stream that the state holds; -1 when it holds none. */
  readonly revision: number;
  /** Whether the state can apply events of this type. One that it cannot would be in its stream for ever. */
  handles(type: string): boolean;
  /** What the state holds of what the event changes. */
  earlier?(event: AnyEvent): object | undefined;
}

/** Decision of a function of followed state: the events, and a result for the caller. */
export interface Decided<Event extends AnyEvent = AnyEvent> {
  readonly events: readonly Event[];
}

/** A decider's state as of one event of its stream. */
interface View<State> {
  state: State;
  /** Revision of the last event folded in; -1 when there is none. */
  revision: number;
  /** Position of the last event folded in; 0 when there is none. */
  position: number;
  /** Bytes of the state when it was last weighed. */
  weight: number;
  /** Bytes of the events folded in since: no state gains more than they hold. */
  foldedBytes: number;
}

/** Last known state of a stream. */
interface KnownStream {
  /** Revision of the stream's last event. */
  head: number;
  /** Views by decider: several deciders may fold the same stream. */
  readonly views: Map<unknown, View<unknown>>;
}

/**
 * Runs every command: loads the stream, decides, appends at the revision that was decided on, and waits until readers
 * see it. A lost race is decided again. When the decision appends nothing (a refusal, or nothing to do), the end of the
 * stream is read first, so the answer never rests on a state that another process has changed.
 */
export class CommandRunner {
  readonly #streams: SegmentedCache<string, KnownStream>;
  /** One command at a time per stream: a busy stream would otherwise lose most races against itself. */
  readonly #mutex = new KeyedMutex();
  readonly #visits: Visits;

  constructor(
    private readonly store: EventStore,
    private readonly barrier: ReadBarrier,
    keptStates: CacheLimits = KEPT_STATES,
    private readonly spans: Spans = NO_SPANS,
  ) {
    this.#streams = new SegmentedCache(keptStates);
    this.#visits = new Visits(store);
  }

  /**
   * Runs a command on a stream. A function builds the command again for each attempt, for input that comes from
   * elsewhere and may have changed.
   * @param origin who acts; stored with every event
   * @throws Refusal of the decider; `SERVER_NOT_READY` when the command could not be recorded or shown;
   * `PAYLOAD_TOO_LARGE` when its events exceed what one append may hold.
   */
  async run<State, Command extends object, Event extends AnyEvent>(
    decider: Decider<State, Command, Event>,
    stream: string,
    command: Command | (() => Command | Promise<Command>),
    origin: Origin,
    options: CommandOptions = {},
  ): Promise<CommandResult<Event>> {
    this.barrier.assertAccepting();
    const makeCommand = typeof command === 'function' ? command : () => command;
    const { events, appended, seenUpTo } = await this.#mutex.run(stream, () =>
      this.#decideAndAppend(decider, stream, makeCommand, origin, options),
    );
    // Also waits when there was nothing to do: a repeated request is answered once readers see the events that made it
    // redundant.
    if (seenUpTo > 0 && options.isUnseen !== true) await this.#show(seenUpTo);
    return { events, appended };
  }

  /**
   * Decides on followed state and appends at its revision. After a lost race it waits until the state holds what the winner
   * appended, and decides again.
   * @returns the decision, and where its events stand in the log
   * @throws Refusal of the decision; `SERVER_NOT_READY` and `PAYLOAD_TOO_LARGE` as `run`
   */
  runOn<State extends FollowedState, Decision extends Decided>(
    state: State,
    decide: (state: State) => Decision,
    origin: Origin,
  ): Promise<Decision & { readonly appended: Appended | undefined }> {
    return this.#mutex.run(state.stream, async () => {
      for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
        this.barrier.assertAccepting();
        const { revision } = state;
        const slices = new Slices();
        const decision = this.spans.run('decide', () => decide(state));
        if (decision.events.length === 0) return { ...decision, appended: undefined };
        const unhandled = decision.events.find(({ type }) => !state.handles(type));
        if (unhandled !== undefined) throw new Error(`No events of type ${unhandled.type} belong in ${state.stream}.`);
        const earlier = decision.events.map((event) => state.earlier?.(event));
        // What took long to decide takes long to check and to write as well: others run in between, and the revision tells.
        if (slices.isOver) await slices.next();
        const appended = await this.#appendAt(revision, state.stream, decision.events, origin, earlier);
        if (appended !== undefined) {
          await this.#show(appended.position);
          return { ...decision, appended };
        }
        await this.catchUp(state.stream);
      }
      throw lostEveryRace();
    });
  }

  /** Resolves when the read side shows what the stream holds now. @throws EventStoreUnavailable; Refusal `SERVER_NOT_READY` */
  async catchUp(stream: string): Promise<void> {
    const [last] = await this.store.readStream(stream, { direction: 'backwards', limit: 1 });
    if (last !== undefined) await this.barrier.waitFor(last.position);
  }

  /**
   * Records events that no earlier event can contradict, such as a send.
   * @throws Refusal as `run` does.
   */
  async appendOnly(
    stream: string,
    events: readonly AnyEvent[],
    origin: Origin,
    options?: AppendOptions,
  ): Promise<Appended> {
    this.barrier.assertAccepting();
    const appended = await this.#append(stream, 'any', events, origin, options);
    if (events.length > 0) await this.#show(appended.position);
    return appended;
  }

  /** Waits until readers see what was appended. */
  #show(position: number): Promise<void> {
    return this.spans.run('wait', () => this.barrier.waitFor(position));
  }

  /**
   * An origin as events have it (`parseOrigin`); a promise when its visit has to be recorded first.
   * @throws EventStoreUnavailable
   */
  originText(origin: Origin): string | Promise<string> {
    const visit = origin.request && this.#visits.numberOf(origin.request.visit());
    return visit instanceof Promise ? visit.then((number) => originText(origin, number)) : originText(origin, visit);
  }

  async #decideAndAppend<State, Command, Event extends AnyEvent>(
    decider: Decider<State, Command, Event>,
    stream: string,
    makeCommand: () => Command | Promise<Command>,
    origin: Origin,
    options: CommandOptions,
  ): Promise<CommandResult<Event> & { readonly seenUpTo: number }> {
    const known = this.#streams.get(stream) ?? { head: -1, views: new Map<unknown, View<unknown>>() };
    try {
      return await this.#decideOn(known, decider, stream, makeCommand, origin, options);
    } finally {
      this.#streams.set(stream, known, weightOfStream(known));
    }
  }

  async #decideOn<State, Command, Event extends AnyEvent>(
    known: KnownStream,
    decider: Decider<State, Command, Event>,
    stream: string,
    makeCommand: () => Command | Promise<Command>,
    origin: Origin,
    { isNew = false }: CommandOptions,
  ): Promise<CommandResult<Event> & { readonly seenUpTo: number }> {
    const view = viewOf(known, decider);
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      // The first attempt trusts the cached state, because the append at its revision verifies it.
      const isRead = attempt > 1 || (view.revision < 0 && !isNew) || view.revision < known.head;
      if (isRead) await this.#catchUp(stream, known, view, decider);
      const command = await makeCommand();
      const decided = attemptTo(() => this.spans.run('decide', () => decider.decide(view.state, command)));
      if ('error' in decided || decided.value.length === 0) {
        if (!isRead && (await this.#catchUp(stream, known, view, decider))) continue;
        if ('error' in decided) throw decided.error;
        return { events: decided.value, appended: undefined, seenUpTo: view.position };
      }
      const events = decided.value;
      const earlier = events.map((event) => decider.earlier?.(view.state, event));
      const appended = await this.#appendAt(view.revision, stream, events, origin, earlier);
      if (appended === undefined) continue;
      known.head = appended.lastRevision;
      foldDecided(known, view, decider, events, appended);
      return { events, appended, seenUpTo: appended.position };
    }
    throw lostEveryRace();
  }

  /** Folds in the events that the stream has gained since; true when there were any. */
  async #catchUp<State, Command, Event extends AnyEvent>(
    stream: string,
    known: KnownStream,
    view: View<State>,
    decider: Decider<State, Command, Event>,
  ): Promise<boolean> {
    const before = view.revision;
    for (;;) {
      const page = await this.store.readStream(stream, { from: view.revision + 1, limit: PAGE_EVENTS });
      for (const { type, data, revision, position } of page) {
        // The registry has checked the data against the schema of the type; the decider knows which types its stream
        // holds.
        const event = { type, data: data as object } as Event;
        view.state = evolveOrForget(known, decider, view.state, event);
        view.foldedBytes += weightOf(data);
        view.revision = revision;
        view.position = position;
      }
      known.head = Math.max(known.head, view.revision);
      if (page.length < PAGE_EVENTS) return view.revision > before;
      await nextTurn();
    }
  }

  /** Returns undefined when the race was lost. */
  async #appendAt(
    revision: number,
    stream: string,
    events: readonly AnyEvent[],
    origin: Origin,
    earlier: readonly (object | undefined)[],
  ): Promise<Appended | undefined> {
    try {
      return await this.#append(stream, revision < 0 ? 'none' : revision, events, origin, { earlier });
    } catch (error) {
      if (error instanceof RevisionConflict) return undefined;
      throw error;
    }
  }

  async #append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly AnyEvent[],
    origin: Origin,
    {
      metadata,
      ids = [],
      known: reached,
      earlier = [],
    }: AppendOptions & { readonly earlier?: readonly (object | undefined)[] } = {},
  ): Promise<Appended> {
    try {
      const known = this.originText(origin);
      // Mostly the visit is known, and nobody waits.
      const text = typeof known === 'string' ? known : await known;
      const newEvents = events.map(({ type, data }, index): NewEvent => {
        const own = { ...metadata, [ORIGIN_FIELD]: originTextIn(type, data, text), ...withEarlier(earlier[index]) };
        return { id: ids[index] ?? newId(), type, data, metadata: own };
      });
      return await this.spans.run('append', () => this.store.append(stream, expected, newEvents, reached));
    } catch (error) {
      throw asRefusal(error);
    }
  }
}

function viewOf<State, Command, Event extends AnyEvent>(
  known: KnownStream,
  decider: Decider<State, Command, Event>,
): View<State> {
  // The map is keyed by decider, so this state belongs to this decider.
  const view = (known.views.get(decider) as View<State> | undefined) ?? {
    state: decider.initial(),
    revision: -1,
    position: 0,
    weight: 0,
    foldedBytes: 0,
  };
  known.views.set(decider, view);
  return view;
}

/**
 * Approximate memory of the stream's states. A state is weighed again only when as many bytes were folded in as it had: commands on a large
 * state cost what they change.
 */
function weightOfStream({ views }: KnownStream): number {
  let weight = STREAM_BYTES;
  for (const view of views.values()) {
    if (view.foldedBytes > Math.max(view.weight, WEIGHED_AFTER_BYTES)) {
      view.weight = weightOf(view.state);
      view.foldedBytes = 0;
    }
    weight += view.weight + view.foldedBytes;
  }
  return weight;
}

function attemptTo<Value>(work: () => Value): { readonly value: Value } | { readonly error: unknown } {
  try {
    return { value: work() };
  } catch (error) {
    return { error };
  }
}

/** A fold that throws may leave the state half changed, so the state is dropped. */
function evolveOrForget<State, Command, Event extends AnyEvent>(
  known: KnownStream,
  decider: Decider<State, Command, Event>,
  state: State,
  event: Event,
): State {
  try {
    return decider.evolve(state, event);
  } catch (error) {
    known.views.delete(decider);
    throw error;
  }
}

/** Folds in the appended events, in the shape in which a reader of the log gets them. */
function foldDecided<State, Command, Event extends AnyEvent>(
  known: KnownStream,
  view: View<State>,
  decider: Decider<State, Command, Event>,
  events: readonly Event[],
  appended: Appended,
): void {
  try {
    for (const { type, data } of events) {
      const text = JSON.stringify(data);
      const event = { type, data: JSON.parse(text) as object } as Event;
      view.state = decider.evolve(view.state, event);
      view.foldedBytes += text.length;
    }
  } catch {
    // The command has succeeded. The next command on this stream reads it again and reports the same error.
    known.views.delete(decider);
    return;
  }
  view.revision = appended.lastRevision;
  view.position = appended.position;
}

function lostEveryRace(): Refusal {
  return new Refusal('SERVER_NOT_READY', 'This is being changed by many others at the same time. Please try again.');
}

/** Maps an error of an append to the refusal for the caller; returns other errors unchanged. */
function asRefusal(error: unknown): unknown {
  if (error instanceof AppendTooLarge) {
    return causedBy(
      error,
      new Refusal('PAYLOAD_TOO_LARGE', 'This is too much for one request. Split it into several.'),
    );
  }
  if (error instanceof EventStoreUnavailable) {
    return causedBy(
      error,
      new Refusal('SERVER_NOT_READY', 'The server cannot record anything at the moment. Please try again later.'),
    );
  }
  return error;
}

/** Keeps the cause for the server's log; clients never see it. */
function causedBy(cause: Error, refusal: Refusal): Refusal {
  refusal.cause = cause;
  return refusal;
}
