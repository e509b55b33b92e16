import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Decider, type Fact, type JsonObject, newId, Refusal, TurnsByKey } from '#kernel';
import { BoundedMap } from './bounded-map.js';
import {
  type Appended,
  AppendTooLarge,
  type EventStore,
  EventStoreUnavailable,
  type ExpectedRevision,
  type NewEvent,
  RevisionConflict,
} from './event-store.js';
import type { Visibility } from './visibility.js';

/** Races a command may lose. Within a process commands on a stream queue up, so only another process can win one. */
const ATTEMPTS_MAX = 8;

/** States kept in memory: every stream that is busy at one time, and never all streams there are. */
const STREAMS_MAX = 10_000;

const PAGE_EVENTS = 500;

export interface CommandOptions {
  /** Stored with every event of the command. */
  readonly metadata?: JsonObject;
}

export interface CommandResult<Event> {
  /** What the command made true; empty when there was nothing to do. */
  readonly events: readonly Event[];
  /** Where it stands in the log; undefined when there was nothing to do. */
  readonly appended: Appended | undefined;
}

type AnyFact = Fact<string, object>;

/** A decider's state as of one event of its stream. */
interface View<State> {
  state: State;
  /** Of the last event folded in; -1 when there is none. */
  revision: number;
  /** Of the same event; 0 when there is none. */
  position: number;
}

/** A stream as it was last seen. */
interface KnownStream {
  /** Revision of its last event. */
  head: number;
  /** By decider: several may look at one stream. */
  readonly views: Map<unknown, View<unknown>>;
}

/**
 * How every command takes effect (DESIGN, decisions 2 and 4): load, decide, append at the revision decided on, wait
 * until everybody can see it. A lost race is decided afresh. What is decided without appending, a refusal or nothing to
 * do, is only answered once the stream's end has been read, so it never rests on a state that another process has changed.
 */
export class CommandPath {
  readonly #streams = new BoundedMap<string, KnownStream>(STREAMS_MAX);
  /** One command at a time on a stream: a busy stream would otherwise lose most of its races against itself. */
  readonly #turns = new TurnsByKey();

  constructor(
    private readonly store: EventStore,
    private readonly visibility: Visibility,
  ) {}

  /**
   * Runs a command on a stream. A function makes the command anew for every attempt, for answers that come from
   * elsewhere and may have changed by then.
   * @throws Refusal of the decider; `SERVER_NOT_READY` when the command could not be recorded or shown;
   *   `PAYLOAD_TOO_LARGE` when its events exceed what one append may hold.
   */
  async run<State, Command extends object, Event extends AnyFact>(
    decider: Decider<State, Command, Event>,
    stream: string,
    command: Command | (() => Command | Promise<Command>),
    options: CommandOptions = {},
  ): Promise<CommandResult<Event>> {
    this.visibility.assertAccepting();
    const makeCommand = typeof command === 'function' ? command : () => command;
    const { events, appended, seenUpTo } = await this.#turns.run(stream, () =>
      this.#decideAndAppend(decider, stream, makeCommand, options),
    );
    // Also when there was nothing to do: a repeated request is answered when everybody can see what made it needless.
    if (seenUpTo > 0) await this.visibility.reached(seenUpTo);
    return { events, appended };
  }

  /**
   * Records facts that no earlier fact could contradict, such as a send.
   * @param ids of the events, for those that may have been appended before; new ones when absent
   * @throws Refusal as `run` does.
   */
  async appendOnly(
    stream: string,
    events: readonly AnyFact[],
    metadata?: JsonObject,
    ids?: readonly string[],
  ): Promise<Appended> {
    this.visibility.assertAccepting();
    const appended = await this.#append(stream, 'any', events, metadata, ids);
    if (events.length > 0) await this.visibility.reached(appended.position);
    return appended;
  }

  async #decideAndAppend<State, Command, Event extends AnyFact>(
    decider: Decider<State, Command, Event>,
    stream: string,
    makeCommand: () => Command | Promise<Command>,
    { metadata }: CommandOptions,
  ): Promise<CommandResult<Event> & { readonly seenUpTo: number }> {
    const known = this.#known(stream);
    const view = viewOf(known, decider);
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      // The first attempt trusts what is cached, because an append at its revision proves it.
      const isRead = attempt > 1 || view.revision < 0 || view.revision < known.head;
      if (isRead) await this.#catchUp(stream, known, view, decider);
      const command = await makeCommand();
      const decided = attemptTo(() => decider.decide(view.state, command));
      if ('error' in decided || decided.value.length === 0) {
        if (!isRead && (await this.#catchUp(stream, known, view, decider))) continue;
        if ('error' in decided) throw decided.error;
        return { events: decided.value, appended: undefined, seenUpTo: view.position };
      }
      const events = decided.value;
      const appended = await this.#appendAt(view.revision, stream, events, metadata);
      if (appended === undefined) continue;
      known.head = appended.lastRevision;
      foldDecided(known, view, decider, events, appended);
      return { events, appended, seenUpTo: appended.position };
    }
    throw new Refusal('SERVER_NOT_READY', 'This is being changed by many others at the same time. Please try again.');
  }

  #known(stream: string): KnownStream {
    const known = this.#streams.get(stream) ?? { head: -1, views: new Map<unknown, View<unknown>>() };
    this.#streams.set(stream, known);
    return known;
  }

  /** Folds in what the stream has gained since; true when there was anything. */
  async #catchUp<State, Command, Event extends AnyFact>(
    stream: string,
    known: KnownStream,
    view: View<State>,
    decider: Decider<State, Command, Event>,
  ): Promise<boolean> {
    const before = view.revision;
    for (;;) {
      const page = await this.store.readStream(stream, { from: view.revision + 1, limit: PAGE_EVENTS });
      for (const { type, data, revision, position } of page) {
        // The registry has checked the data against the schema of their type; which types a stream holds, its decider knows.
        const event = { type, data: data as object } as Event;
        view.state = evolveOrForget(known, decider, view.state, event);
        view.revision = revision;
        view.position = position;
      }
      known.head = Math.max(known.head, view.revision);
      if (page.length < PAGE_EVENTS) return view.revision > before;
      await nextTurn();
    }
  }

  /** Undefined when the race was lost. */
  async #appendAt(
    revision: number,
    stream: string,
    events: readonly AnyFact[],
    metadata: JsonObject | undefined,
  ): Promise<Appended | undefined> {
    try {
      return await this.#append(stream, revision < 0 ? 'none' : revision, events, metadata);
    } catch (error) {
      if (error instanceof RevisionConflict) return undefined;
      throw error;
    }
  }

  async #append(
    stream: string,
    expected: ExpectedRevision,
    facts: readonly AnyFact[],
    metadata: JsonObject | undefined,
    ids: readonly string[] = [],
  ): Promise<Appended> {
    const events = facts.map(({ type, data }, index): NewEvent => {
      const id = ids[index] ?? newId();
      return metadata === undefined ? { id, type, data } : { id, type, data, metadata };
    });
    try {
      return await this.store.append(stream, expected, events);
    } catch (error) {
      throw asRefusal(error);
    }
  }
}

function viewOf<State, Command, Event extends AnyFact>(
  known: KnownStream,
  decider: Decider<State, Command, Event>,
): View<State> {
  // The map is keyed by the decider, so the state in it is that decider's.
  const view = (known.views.get(decider) as View<State> | undefined) ?? {
    state: decider.initial(),
    revision: -1,
    position: 0,
  };
  known.views.set(decider, view);
  return view;
}

function attemptTo<Value>(work: () => Value): { readonly value: Value } | { readonly error: unknown } {
  try {
    return { value: work() };
  } catch (error) {
    return { error };
  }
}

/** A fold that breaks off may leave the state half changed, so it is not kept. */
function evolveOrForget<State, Command, Event extends AnyFact>(
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

/** Folds in what was just appended, in the shape in which a reader of the log gets it. */
function foldDecided<State, Command, Event extends AnyFact>(
  known: KnownStream,
  view: View<State>,
  decider: Decider<State, Command, Event>,
  events: readonly Event[],
  appended: Appended,
): void {
  try {
    for (const { type, data } of events) {
      const event = { type, data: JSON.parse(JSON.stringify(data)) as object } as Event;
      view.state = decider.evolve(view.state, event);
    }
  } catch {
    // The command has succeeded. The next one on this stream reads it anew and meets the same error, in the open.
    known.views.delete(decider);
    return;
  }
  view.revision = appended.lastRevision;
  view.position = appended.position;
}

/** What a command says to its caller when its events could not be appended; other errors as they are. */
export function asRefusal(error: unknown): unknown {
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

/** Keeps the reason for the server's own log; clients never see it. */
function causedBy(cause: Error, refusal: Refusal): Refusal {
  refusal.cause = cause;
  return refusal;
}
