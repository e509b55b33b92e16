import { setTimeout as pause } from 'node:timers/promises';
import { EventStoreUnavailable } from '#event-store';
import {
  newId,
  Refusal,
  Repetition,
  SingleFlight,
  sleep,
  tellFailure,
  type JsonObject,
  type RefusalCode,
} from '#kernel';
import type { EngineStatus, RebuildProgress } from './engine/engine-status.js';
import type { ProjectionEngine } from './engine/projection-engine.js';
import { notReady } from './engine/position-waiters.js';
import type { Undone } from './engine/former-builds.js';
import type { Compared } from './engine/rebuild-run.js';
import type { HeldLease } from './held-lease.js';
import { cannotRebuild, type LeftOvers, ReadSideOperations, type Rebuilt } from './read-side-operations.js';
import { type KeyValueStore, ReadStoreUnavailable } from './read-store.js';
import type { SetAside } from './set-aside.js';
import type { Broadcast, Leases, LeaseSign } from './sharing.js';

/** Lease of the process that writes the read models. Its holder tells its status with each renewal. */
export const PROJECTOR_LEASE = 'projector';
const REBUILDS = 'rebuilds';
/** Key of an order to end all rebuilds; names of projections are other words. */
const CANCEL = '!cancel';
/** Begins the key of an order to undo. */
const UNDO = '!undo ';
/** Key of an order about collections that other releases kept. */
const LEFT_OVERS = '!left-overs';
/** Topic that tells the projector of a new order. */
const ORDERED = 'rebuild-ordered';

/** For orders of which the projector was not told: all of them where it does not tail. An operator waits for each. */
const ORDERS_EVERY_MS = 2_000;
const LOOK_EVERY_MS = 2_000;
/** While no projector is known to be able to work. */
const SEARCH_EVERY_MS = 250;
/** Commands wait for the successor of a projector that ends in order for as long as for that of a killed one (`STALL_LIMIT_MS` of the replica). */
const HAND_OVER_LIMIT_MS = 5_000;
/** Without a heartbeat for this long, the projector counts as gone and not replaced. */
const SILENCE_LIMIT_MS = 6_000;
const ANSWER_POLL_MS = 100;
/** A rebuild that the projector has not begun in this time is refused. */
const BEGIN_WITHIN_MS = 10_000;

/** A rebuild requested from the projector, and its outcome. */
interface RebuildOrder {
  readonly orderId: string;
  readonly state: 'asked' | 'running' | 'done' | 'refused';
  /** Absent in an order to cancel, and in those of earlier releases, whose key is the name. */
  readonly names?: readonly string[];
  /** Outcome; of a projector of an earlier release, of one projection. */
  readonly progress?: Rebuilt | RebuildProgress;
  /** The new one is compared with the live one, instead of taking its place. */
  readonly compares?: boolean;
  /** Outcome of an order to compare. */
  readonly compared?: Compared;
  /** Name of the projection whose former build is to be live again. An order of its own: `names` is empty, for earlier releases. */
  readonly undoes?: string;
  /** Outcome of an order to undo. */
  readonly undone?: Undone;
  /** What is to be done with collections that other releases kept. `names` is empty, for earlier releases. */
  readonly leftOvers?: 'name' | 'remove';
  /** Outcome of that. */
  readonly found?: LeftOvers;
  /** Outcome of an order to cancel. */
  readonly cancelled?: readonly string[];
  readonly code?: string;
  readonly message?: string;
}

type Wanted = Pick<RebuildOrder, 'names' | 'compares' | 'undoes' | 'leftOvers'>;

const GOES_ON =
  'Nothing is heard of the projector at the moment. What it has begun may go on: `status` tells of rebuilds; until one ends, the old collection stays live.';
const NOT_REBUILT = 'The rebuild failed; the old collection stays live.';
const NOT_REMOVED = 'The read store failed. Some of the collections may be removed: ask again.';
const NOT_BEGUN = 'The projector has not begun with it. Nothing is changed.';
const FOLLOWED = 'Another call about the same has followed. What the projector has begun of this one goes on.';
const GIVEN_UP = 'Another projector has taken over. The old collection stays live: ask again.';
const REMOVAL_GIVEN_UP = 'Another projector has taken over. Some of the collections may be removed: ask again.';

const UNKNOWN: EngineStatus = {
  state: 'starting',
  position: 0,
  head: 0,
  lagEvents: 0,
  lagMs: 0,
  waiting: 0,
  participants: [],
  rebuilds: [],
};

/** Projector side: tells the engine's status with the lease, and executes operators' orders. */
export class ProjectorHeartbeat {
  readonly #looks = new SingleFlight(() => this.#look());
  readonly #repeated: Repetition;
  #told: string | undefined;
  readonly #ends: (() => void)[] = [];
  /**
   * Orders that this projector has taken, for its lifetime: operators give few, and a list may be older than their end.
   */
  readonly #taken = new Set<string>();

  constructor(
    private readonly side: KeyValueStore,
    private readonly broadcast: Broadcast,
    private readonly operations: Pick<
      ReadSideOperations,
      'status' | 'rebuild' | 'compare' | 'undo' | 'cancelRebuilds' | 'removeLeftOvers'
    > &
      Pick<ProjectionEngine, 'onAbleChanged'>,
    private readonly held: Pick<HeldLease, 'tell' | 'isSure'>,
    private readonly onError: (error: unknown) => void,
    ordersEveryMs = ORDERS_EVERY_MS,
  ) {
    this.#repeated = new Repetition(() => this.#looks.run(), ordersEveryMs);
  }

  start(): void {
    const heard = (): void => void this.#looks.run().catch(this.onError);
    this.#ends.push(
      this.operations.onAbleChanged(() => {
        this.#tellIfChanged();
      }),
      this.broadcast.subscribe(ORDERED, heard, { isSpared: true }),
    );
    this.#tellIfChanged();
    this.#repeated.start(this.onError, { isDue: true });
  }

  async stop(): Promise<void> {
    for (const end of this.#ends.splice(0)) end();
    await this.#repeated.stop();
  }

  /** What it is able to do is told at once; how far it has come, with each renewal. */
  #tellIfChanged(): void {
    const { state, participants } = this.operations.status();
    const able = [state, ...participants.flatMap(({ name, setAside }) => (setAside === undefined ? [] : name))].join();
    if (able === this.#told) return;
    this.#told = able;
    this.held.tell(() => this.operations.status() as unknown as JsonObject);
  }

  async #look(): Promise<void> {
    // Otherwise another process may be the projector by now.
    if (!this.held.isSure) return;
    for (const { id, value } of await this.side.list(REBUILDS)) {
      const order = value as unknown as RebuildOrder;
      if (this.#taken.has(order.orderId)) continue;
      if (order.state === 'asked') void this.#carryOut(id, order).catch(this.onError);
      else if (order.state === 'running') await this.#giveUp(id, order.orderId);
    }
  }

  /** The projector that began it is gone, and its work with it. */
  async #giveUp(name: string, orderId: string): Promise<void> {
    const { code, message } = notReady(name === LEFT_OVERS ? REMOVAL_GIVEN_UP : GIVEN_UP);
    const refused: RebuildOrder = { orderId, state: 'refused', code, message };
    await this.side.put(REBUILDS, name, refused as unknown as JsonObject);
  }

  async #carryOut(id: string, order: RebuildOrder): Promise<void> {
    const { orderId, names = [id], compares = false, undoes, leftOvers } = order;
    this.#taken.add(orderId);
    const put = async (outcome: Omit<RebuildOrder, 'orderId'>): Promise<boolean> => {
      // A later order about the same may have taken its place, or who asked has taken it back.
      if ((await this.side.get(REBUILDS, id))?.['orderId'] !== orderId) return false;
      await this.side.put(REBUILDS, id, { orderId, ...outcome } as unknown as JsonObject);
      return true;
    };
    if (!(await put({ state: 'running' }))) return;
    try {
      if (id === CANCEL) await put({ state: 'done', cancelled: await this.operations.cancelRebuilds() });
      else if (leftOvers !== undefined)
        await put({ state: 'done', found: await this.operations.removeLeftOvers(leftOvers === 'name') });
      else if (undoes !== undefined) await put({ state: 'done', undone: await this.operations.undo(undoes) });
      else if (compares) await put({ state: 'done', compared: await this.operations.compare(names[0] ?? id) });
      else await put({ state: 'done', progress: await this.operations.rebuild(names) });
    } catch (error) {
      const { code, message } = refusalOf(error, leftOvers === undefined ? NOT_REBUILT : NOT_REMOVED);
      await put({ state: 'refused', code, message });
    }
  }
}

/** Only where a store is away does it help to try again. */
function refusalOf(error: unknown, text: string): Refusal {
  if (error instanceof Refusal) return error;
  const isAway = error instanceof ReadStoreUnavailable || error instanceof EventStoreUnavailable;
  return isAway ? notReady(text) : new Refusal('INTERNAL_SERVER_ERROR', text);
}

/** API side: whether a projector is running, and operators' orders to it. */
export class ProjectorMonitor extends ReadSideOperations {
  readonly #ending = new AbortController();
  #looking: Promise<void> = Promise.resolve();
  #sign: LeaseSign | undefined;
  #status = UNKNOWN;
  /** Time of the last heartbeat; undefined before the first. */
  #heardMs: number | undefined;
  /** Until when commands count on a projector: for ever while one is at work. */
  #ableUntilMs = -Infinity;

  constructor(
    private readonly leases: Pick<Leases, 'sign'>,
    private readonly side: KeyValueStore,
    private readonly broadcast: Broadcast,
    private readonly onError: (error: unknown) => void,
    /** Follows what the projector tells. */
    private readonly setAside: SetAside,
    private readonly lookEveryMs = LOOK_EVERY_MS,
  ) {
    super();
  }

  async start(): Promise<void> {
    await this.#look();
    this.#looking = this.#goOn();
  }

  stop(): Promise<void> {
    this.#ending.abort();
    return this.#looking;
  }

  /** Why appended events would not be shown at the moment, if so. */
  complaint(): string | undefined {
    if (this.#isSilent()) return 'No projector is at work.';
    if (performance.now() < this.#ableUntilMs) return undefined;
    return this.#status.state === 'starting' ? 'The projector is starting.' : 'The projector is not able to work.';
  }

  #assertAble(): void {
    const complaint = this.complaint();
    if (complaint !== undefined) throw notReady(complaint);
  }

  override status(): EngineStatus {
    return this.#status;
  }

  override async rebuild(names?: readonly string[]): Promise<Rebuilt> {
    const wanted = await this.#wanted(names);
    const { progress = [] } = await this.#ordered(wanted.join('+'), { names: wanted });
    return [progress].flat();
  }

  override async compare(name: string): Promise<Compared> {
    const names = await this.#wanted([name]);
    const { compared } = await this.#ordered(name, { names, compares: true });
    // A projector of an earlier release rebuilds it instead.
    if (compared === undefined) throw notReady('The projector cannot compare: it is of an earlier release.');
    return compared;
  }

  override async undo(name: string): Promise<Undone> {
    await this.#wanted([name]);
    const { undone } = await this.#ordered(`${UNDO}${name}`, { names: [], undoes: name });
    if (undone === undefined) throw notReady('The projector cannot undo a rebuild: it is of an earlier release.');
    return undone;
  }

  override async removeLeftOvers(isDryRun: boolean): Promise<LeftOvers> {
    this.#assertAble();
    const { found } = await this.#ordered(LEFT_OVERS, { names: [], leftOvers: isDryRun ? 'name' : 'remove' });
    if (found === undefined) throw notReady('The projector cannot remove collections: it is of an earlier release.');
    return found;
  }

  async #wanted(names: readonly string[] | undefined): Promise<readonly string[]> {
    this.#assertAble();
    const { participants } = this.status();
    const known = participants.filter(({ rebuildable }) => rebuildable).map(({ name }) => name);
    const wanted = [...new Set(names ?? known)];
    const begun = await this.#begun();
    for (const name of wanted) {
      if (!known.includes(name)) throw cannotRebuild(name, participants);
      if (begun.has(name)) throw new Refusal('BAD_REQUEST', `The projection '${name}' is being rebuilt already.`);
    }
    return wanted;
  }

  /**
   * Projections whose rebuild is ordered or goes on. The last heartbeat alone may name rebuilds that have ended since; an order alone
   * may be one whose end the projector could not write.
   */
  async #begun(): Promise<ReadonlySet<string>> {
    const told = new Set(this.status().rebuilds.map(({ name }) => name));
    const orders = await this.side.list(REBUILDS);
    const begun = orders.flatMap(({ id, value }) => {
      const { state, names = [id] } = value as unknown as RebuildOrder;
      if (state === 'asked') return names;
      return state === 'running' ? names.filter((name) => told.has(name)) : [];
    });
    return new Set(begun);
  }

  override async cancelRebuilds(): Promise<readonly string[]> {
    this.#assertAble();
    return (await this.#ordered(CANCEL)).cancelled ?? [];
  }

  /** Gives the projector an order, and waits until it is carried out. */
  async #ordered(id: string, order: Wanted = {}): Promise<RebuildOrder> {
    const orderId = newId();
    const asked: RebuildOrder = { orderId, state: 'asked', ...order };
    await this.side.put(REBUILDS, id, asked as unknown as JsonObject);
    // It finds the order a little later without it.
    await this.broadcast.publish(ORDERED, { id }).catch(this.onError);
    return this.#outcome(id, orderId);
  }

  async #outcome(id: string, orderId: string): Promise<RebuildOrder> {
    const askedMs = performance.now();
    let hasBegun = false;
    for (;;) {
      await pause(ANSWER_POLL_MS);
      const order = (await this.side.get(REBUILDS, id)) as unknown as RebuildOrder | undefined;
      const isMine = order?.orderId === orderId;
      if (order !== undefined && !isMine) throw notReady(FOLLOWED);
      if (isMine && order.state === 'done') return order;
      if (isMine && order.state === 'refused')
        throw new Refusal((order.code ?? 'SERVER_NOT_READY') as RefusalCode, order.message ?? '');
      if (isMine) hasBegun = order.state === 'running';
      if (!isMine || this.complaint() !== undefined || (!hasBegun && performance.now() - askedMs > BEGIN_WITHIN_MS)) {
        // Only an order that nobody has begun can be taken back: what has begun may go on, and its end is for those who ask then.
        if (isMine && !hasBegun) await this.side.remove(REBUILDS, id);
        throw notReady(hasBegun ? GOES_ON : NOT_BEGUN);
      }
    }
  }

  #isSilent(): boolean {
    return this.#heardMs === undefined || performance.now() - this.#heardMs > SILENCE_LIMIT_MS;
  }

  async #goOn(): Promise<void> {
    const { signal } = this.#ending;
    for (;;) {
      const searchMs = Math.min(this.lookEveryMs, SEARCH_EVERY_MS);
      const isFound = this.#status.state === 'live' && !this.#isSilent();
      await sleep(isFound ? this.lookEveryMs : searchMs, signal, { ref: false });
      if (signal.aborted) return;
      try {
        await this.#look();
      } catch (error) {
        tellFailure(this.onError, error);
      }
    }
  }

  #heard({ state, failure }: EngineStatus): void {
    this.#heardMs = performance.now();
    if (state === 'live') this.#ableUntilMs = Infinity;
    else if (state === 'stalled' || failure !== undefined) this.#ableUntilMs = -Infinity;
    else this.#ableUntilMs = Math.min(this.#ableUntilMs, this.#heardMs + HAND_OVER_LIMIT_MS);
  }

  async #look(): Promise<void> {
    const sign = await this.leases.sign(PROJECTOR_LEASE);
    if (sign?.note === undefined || (sign.beat === this.#sign?.beat && sign.term === this.#sign.term)) return;
    this.#status = sign.note as unknown as EngineStatus;
    // The first heartbeat found may be an old one: it counts once another one follows.
    if (this.#sign !== undefined) this.#heard(this.#status);
    this.#sign = sign;
    const setAside = this.#status.participants.flatMap(({ name, setAside: failure }) =>
      failure === undefined ? [] : [[name, failure] as const],
    );
    this.setAside.replace(new Map(setAside));
  }
}
