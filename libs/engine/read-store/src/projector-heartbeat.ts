import { setTimeout as pause } from 'node:timers/promises';
import { newId, Refusal, Repetition, type JsonObject, type RefusalCode } from '#kernel';
import type { EngineStatus, RebuildProgress } from './engine/engine-status.js';
import { notReady } from './engine/position-waiters.js';
import { cannotRebuild, ReadSideOperations } from './read-side-operations.js';
import type { KeyValueStore } from './read-store.js';

const PROJECTOR = 'projector';
const STATUS = 'status';
const REBUILDS = 'rebuilds';

const SIGN_EVERY_MS = 500;
/** Without a heartbeat for this long, the projector counts as gone and not replaced. */
const SILENCE_LIMIT_MS = 6_000;
const ANSWER_POLL_MS = 100;
/** A rebuild that the projector has not begun in this time is refused. */
const BEGIN_WITHIN_MS = 10_000;

interface Sign {
  /** Increases with each heartbeat. */
  readonly beat: number;
  readonly holder: string;
  readonly term: number;
  readonly status: EngineStatus;
}

/** A rebuild requested from the projector, and its outcome. */
interface RebuildOrder {
  readonly orderId: string;
  readonly state: 'asked' | 'running' | 'done' | 'refused';
  readonly progress?: RebuildProgress;
  readonly code?: string;
  readonly message?: string;
}

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

/** Projector side: publishes a heartbeat with the engine's status, and executes operators' orders. */
export class ProjectorHeartbeat {
  readonly #signs = new Repetition(() => this.#sign(), SIGN_EVERY_MS);
  #beat = 0;
  /**
   * Orders that this projector has taken, for its lifetime: operators give few, and a list may be older than their end.
   */
  readonly #taken = new Set<string>();

  constructor(
    private readonly side: KeyValueStore,
    private readonly operations: Pick<ReadSideOperations, 'status' | 'rebuild'>,
    private readonly lease: { readonly holder: string; readonly term: number },
    private readonly onError: (error: unknown) => void,
    /** Whether no other process can be the projector by now: two must not publish at once. */
    private readonly isActive: () => boolean = () => true,
  ) {}

  start(): void {
    this.#signs.start(this.onError, { isDue: true });
  }

  stop(): Promise<void> {
    return this.#signs.stop();
  }

  async #sign(): Promise<void> {
    if (!this.isActive()) return;
    const { holder, term } = this.lease;
    const sign: Sign = { beat: ++this.#beat, holder, term, status: this.operations.status() };
    await this.side.put(PROJECTOR, STATUS, sign as unknown as JsonObject);
    for (const { id, value } of await this.side.list(REBUILDS)) {
      const { orderId, state } = value as unknown as RebuildOrder;
      if (this.#taken.has(orderId)) continue;
      if (state === 'asked') void this.#rebuild(id, orderId).catch(this.onError);
      else if (state === 'running') await this.#giveUp(id, orderId);
    }
  }

  /** The projector that began it is gone, and its work with it. */
  async #giveUp(name: string, orderId: string): Promise<void> {
    const { code, message } = notReady('Another projector has taken over. The old collection stays live: ask again.');
    const refused: RebuildOrder = { orderId, state: 'refused', code, message };
    await this.side.put(REBUILDS, name, refused as unknown as JsonObject);
  }

  async #rebuild(name: string, orderId: string): Promise<void> {
    this.#taken.add(orderId);
    const put = (order: Omit<RebuildOrder, 'orderId'>): Promise<void> =>
      this.side.put(REBUILDS, name, { orderId, ...order } as unknown as JsonObject);
    await put({ state: 'running' });
    try {
      await put({ state: 'done', progress: await this.operations.rebuild(name) });
    } catch (error) {
      const { code, message } =
        error instanceof Refusal ? error : notReady('The rebuild failed; the old collection stays live.');
      await put({ state: 'refused', code, message });
    }
  }
}

/** API side: whether a projector is running, and operators' orders to it. */
export class ProjectorMonitor extends ReadSideOperations {
  readonly #looks = new Repetition(() => this.#look(), SIGN_EVERY_MS);
  #sign: Sign | undefined;
  /** Time of the last heartbeat; undefined before the first. */
  #heardMs: number | undefined;

  constructor(
    private readonly side: KeyValueStore,
    private readonly onError: (error: unknown) => void,
  ) {
    super();
  }

  async start(): Promise<void> {
    await this.#look();
    this.#looks.start(this.onError);
  }

  stop(): Promise<void> {
    return this.#looks.stop();
  }

  /** Why appended events would not be shown at the moment, if so. */
  complaint(): string | undefined {
    if (this.#heardMs === undefined || performance.now() - this.#heardMs > SILENCE_LIMIT_MS)
      return 'No projector is at work.';
    switch (this.status().state) {
      case 'live':
        return undefined;
      case 'starting':
        return 'The projector is starting.';
      default:
        return 'The projector is not able to work.';
    }
  }

  override status(): EngineStatus {
    return this.#sign?.status ?? UNKNOWN;
  }

  override async rebuild(name: string): Promise<RebuildProgress> {
    const complaint = this.complaint();
    if (complaint !== undefined) throw notReady(complaint);
    const { participants } = this.status();
    if (!participants.some((participant) => participant.name === name && participant.rebuildable))
      throw cannotRebuild(name, participants);
    const before = (await this.side.get(REBUILDS, name)) as unknown as RebuildOrder | undefined;
    if (before?.state === 'asked' || this.status().rebuilds.some((rebuild) => rebuild.name === name))
      throw new Refusal('BAD_REQUEST', `The projection '${name}' is being rebuilt already.`);
    const orderId = newId();
    await this.side.put(REBUILDS, name, { orderId, state: 'asked' } satisfies RebuildOrder);
    return this.#outcome(name, orderId);
  }

  async #outcome(name: string, orderId: string): Promise<RebuildProgress> {
    const askedMs = performance.now();
    for (;;) {
      await pause(ANSWER_POLL_MS);
      const order = (await this.side.get(REBUILDS, name)) as unknown as RebuildOrder | undefined;
      const isMine = order?.orderId === orderId;
      if (isMine && order.state === 'done' && order.progress !== undefined) return order.progress;
      if (isMine && order.state === 'refused')
        throw new Refusal((order.code ?? 'SERVER_NOT_READY') as RefusalCode, order.message ?? '');
      const hasBegun = isMine && order.state === 'running';
      if (!isMine || this.complaint() !== undefined || (!hasBegun && performance.now() - askedMs > BEGIN_WITHIN_MS)) {
        await this.side.remove(REBUILDS, name);
        throw notReady('The projector did not finish the rebuild. The old collection stays live.');
      }
    }
  }

  async #look(): Promise<void> {
    const sign = (await this.side.get(PROJECTOR, STATUS)) as unknown as Sign | undefined;
    if (sign === undefined || (sign.beat === this.#sign?.beat && sign.term === this.#sign.term)) return;
    // The first heartbeat found may be an old one: it counts once another one follows.
    if (this.#sign !== undefined) this.#heardMs = performance.now();
    this.#sign = sign;
  }
}
