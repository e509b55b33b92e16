import { apply } from './core/apply.js';
import { type State, stateOf } from './core/state.js';
import { bringsUntold } from './core/untold.js';
import type { Draft, Drafts } from './session/drafts.js';
import type { FlagBatch } from './session/flag-batch.js';
import { type Destination, Outbox, type Outgoing } from './session/outbox.js';
import { Pauses, SETTLING_MS, type Surroundings } from './session/pauses.js';
import { Session, type SessionStatus } from './session/session.js';
import type { Outcome, Transport } from './session/transport.js';
import type { Storage } from './store/storage.js';
import { Store } from './store/store.js';
import { Fetching, type Reach } from './windows/fetching.js';
import { applied, NO_WINDOWS, outdated, type Windows } from './windows/windows.js';
import { type AnswerOf, callOf, type Operation, type ParamsAfter } from './session/operations.js';
import type { Event } from './wire/types.generated.js';
import type { Fields, Message, NarrowTerm, Registered, ServerEvent } from './wire/types.js';

/** What the interface can tell a client that understands all of it. */
export const CAPABILITIES: Fields = {
  notification_settings_null: true,
  bulk_message_deletion: true,
  user_avatar_url_field_optional: true,
  stream_typing_notifications: true,
  user_settings_object: true,
  linkifier_url_template: true,
  user_list_incomplete: true,
  include_deactivated_groups: true,
  archived_channels: true,
  empty_topic_name: true,
  simplified_presence_events: true,
};

const REGISTER: Fields = { apply_markdown: true, slim_presence: true, client_capabilities: CAPABILITIES };

/** Unknown events that are kept for whoever wants to look. */
const UNKNOWN_MAX = 100;

/** All that views show. Immutable. */
export interface ClientState {
  readonly status: SessionStatus;
  /** Undefined before the first registration. */
  readonly state: State | undefined;
  readonly windows: Windows;
  /** Messages on their way, the oldest first. */
  readonly outgoing: readonly Outgoing[];
  /** Drafts by `draftKey`. */
  readonly drafts: ReadonlyMap<string, Draft>;
  /** Events that this version does not know, the latest last. */
  readonly unknown: readonly ServerEvent[];
}

export interface ClientOptions {
  readonly transport: Transport;
  /** Keeps messages on their way, and drafts, for the next run. */
  readonly storage?: Storage;
  /** Pass `Drafts` to keep drafts; left out of the bundle otherwise. */
  readonly drafts?: typeof Drafts;
  /** Pass `FlagBatch` to set flags of messages; left out of the bundle otherwise. */
  readonly flags?: typeof FlagBatch;
  /** Parameters of `POST /register`, besides the usual ones. */
  readonly register?: Fields;
  /** A state that an earlier run has kept (`registeredOf`): it is there at once, until the first registration replaces it. */
  readonly kept?: Registered;
  /**
   * Receives each event after it was applied: for bots, and for what comes and goes, such as typing. A later server may also send
   * others than this version knows. What it throws is reported, also later, in a promise; the events go on, and do not wait for it.
   */
  readonly onEvent?: (event: Event, state: State) => unknown;
  /** Receives what a developer should know. */
  readonly onReport?: (text: string) => void;
  readonly betweenPollsMs?: number;
  readonly surroundings?: Surroundings;
}

/** A client of the server: a store that follows it, and what one can do there. */
export class Client {
  readonly store = new Store<ClientState>({
    status: { kind: 'connecting' },
    state: undefined,
    windows: NO_WINDOWS,
    outgoing: [],
    drafts: new Map(),
    unknown: [],
  });
  readonly session: Session;
  readonly outbox: Outbox;
  /** Undefined unless the options have the class. */
  readonly drafts: Drafts | undefined;
  /** Undefined unless the options have the class. */
  readonly flags: FlagBatch | undefined;
  readonly #fetching: Fetching;

  constructor(private readonly options: ClientOptions) {
    const { transport, storage, surroundings, betweenPollsMs, kept } = options;
    if (kept !== undefined) this.#change({ state: stateOf(kept) });
    this.session = new Session(
      transport,
      {
        registered: (state) => {
          this.#registered(state);
        },
        event: (event) => {
          this.#event(event);
        },
        status: (status) => {
          this.#change({ status });
        },
        report: (text) => options.onReport?.(text),
      },
      { register: { ...REGISTER, ...options.register }, betweenPollsMs, surroundings },
    );
    const parts = {
      transport,
      storage,
      surroundings,
      report: (text: string): void => {
        this.session.report(text);
      },
    };
    this.outbox = new Outbox({
      ...parts,
      queueId: () => this.session.queueId,
      changed: (outgoing) => {
        this.#change({ outgoing });
      },
    });
    this.drafts =
      options.drafts &&
      new options.drafts({
        ...parts,
        changed: (drafts) => {
          this.#change({ drafts });
        },
        settings: () => this.store.get().state?.fields.user_settings,
      });
    this.flags =
      options.flags &&
      new options.flags({
        ...parts,
        show: (event) => {
          this.#apply(event);
        },
        refused: () => {
          this.session.registerAnew();
        },
      });
    this.#fetching = new Fetching({
      ...parts,
      get: this.store.get,
      set: (windows) => {
        this.#change({ windows });
      },
      unconfirmed: () => this.flags?.unconfirmed() ?? [],
    });
  }

  /** Begins to follow the server. What an earlier run has left in the storage is sent. */
  async start(): Promise<void> {
    this.session.start();
    await Promise.all([this.drafts?.load(), this.outbox.load()]);
  }

  async stop(): Promise<void> {
    this.#fetching.stop();
    await Promise.all([this.outbox.stop(), this.flags?.stop(), this.drafts?.stop()]);
    await this.session.stop();
  }

  /**
   * Resolves when flags are told, no registration is due, and windows are fetched, all at once, for tests and for programs that end.
   * Waits while the server is out of reach, until `stop`.
   */
  async settled(): Promise<void> {
    const pauses = new Pauses(this.options.surroundings);
    while (!(this.flags?.isIdle !== false && this.session.isSettled && this.#fetching.isIdle))
      await pauses.sleep(SETTLING_MS);
  }

  /** The machine is online again, or the page is visible: whatever waits tries again at once. */
  wake(): void {
    this.session.wake();
    this.outbox.wake();
    this.flags?.wake();
    this.#fetching.wake();
  }

  /**
   * Any call of the interface: `call('PATCH /messages/{message_id}', { message_id: 214, content: 'Hello' })`.
   * @throws RangeError for a parameter that cannot be a part of the path: absent, empty, `.` or `..`
   */
  async call<Name extends Operation>(name: Name, ...[params]: ParamsAfter<Name>): Promise<Outcome<AnswerOf<Name>>> {
    return this.options.transport.send(callOf(name, params as Fields | undefined));
  }

  /**
   * Opens a narrow, and keeps what is around the anchor up to date until `close`. Resolves when it is there, or was refused.
   * @returns the refusal
   */
  open(narrow: readonly NarrowTerm[], reach: Reach): Promise<Outcome | undefined> {
    return this.#fetching.open(narrow, reach);
  }

  /**
   * Keeps a narrow up to date around there until `close`, and fetches it only when it is not here or outdated. What is refused is
   * `refused` of the window.
   * @param looker tells apart those who look at the same narrow, each with a reach of its own
   */
  lookAt(narrow: readonly NarrowTerm[], reach: Reach, looker?: object): void {
    this.#fetching.lookAt(narrow, reach, looker);
  }

  /** The looker looks at the narrow no more. Once nobody does, what events tell of it is still taken in, and nothing is fetched. */
  close(narrow: readonly NarrowTerm[], looker?: object): void {
    this.#fetching.close(narrow, looker);
  }

  /** Fetches messages before, or after, the run in which this message is, and has the looker look there. */
  more(
    narrow: readonly NarrowTerm[],
    id: number,
    side: 'older' | 'newer',
    count = 100,
    looker?: object,
  ): Promise<Outcome | undefined> {
    return this.#fetching.more(narrow, id, side, count, looker);
  }

  /** Sends a message. @returns the row that stands for it until the server's own is there */
  send(to: Destination, content: string): Outgoing {
    return this.outbox.send(to, content);
  }

  #registered(registered: Registered): void {
    this.#change({ state: stateOf(registered), windows: outdated(this.store.get().windows) });
    this.outbox.forgetSent();
    this.#fetching.registered();
    // The server may not know them yet.
    for (const event of this.flags?.registered() ?? []) this.#apply(event);
    // Last, since they may not fit.
    this.drafts?.take(registered['drafts'] ?? []);
  }

  #event(event: ServerEvent): void {
    const before = this.store.get().state;
    this.#apply(event);
    if (before !== undefined && bringsUntold(event, before)) this.session.registerAnew();
    if (event.type === 'message') {
      const { id } = event['message'] as Message;
      this.outbox.arrived(event['local_message_id'] as string | undefined, id);
    }
    this.drafts?.event(event);
    this.flags?.event(event);
    void this.#tell(event);
  }

  async #tell(event: ServerEvent): Promise<void> {
    try {
      // Events come after a registration.
      await this.options.onEvent?.(event as unknown as Event, this.store.get().state as State);
    } catch (error) {
      // The event is applied all the same, and those that follow it are told.
      this.session.report(`onEvent: ${String(error)}`);
    }
  }

  #apply(event: ServerEvent): void {
    const { state: before, windows, unknown } = this.store.get();
    if (before === undefined) return;
    const state = apply(before, event);
    if (state === undefined) {
      this.session.report(`The event ${event.type}/${event.op ?? ''} is not known.`);
      this.#change({ unknown: [...unknown, event].slice(-UNKNOWN_MAX) });
      return;
    }
    this.#change({ state, windows: applied(windows, event, state) });
    this.#fetching.applied(event);
  }

  #change(change: Partial<ClientState>): void {
    this.store.set({ ...this.store.get(), ...change });
  }
}
