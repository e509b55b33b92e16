import { setTimeout as pause } from 'node:timers/promises';
import type { ReadBarrier } from '#event-store';
import { newId, Refusal, Repetition } from '#kernel';
import { ApiSigns, type Broadcast, HeldLease, type Lease, type Leases, type KeyValueStore } from '#read-store';
import { ignored, MoveLock } from './move-lock.js';

/** Lease of the process that moves messages. */
const MOVES = 'moves';

/**
 * Broadcast topics: a mover asks all members to wait, repeats that while it moves, and announces its end. Members
 * confirm that they wait.
 */
const BEGIN = 'moves-begin';
const STANDING = 'moves-standing';
const END = 'moves-end';

const LEASE_MS = 5_000;
const ASK_EVERY_MS = 100;
/** Members that hear nothing from the mover resume after this time. */
const SILENCE_MS = 4_000;
const SIGN_EVERY_MS = 2_000;
const LOOK_EVERY_MS = 1_000;
const WAIT_MAX_MS = 20_000;

export interface SharedMoveLockParts {
  readonly leases: Leases;
  readonly side: KeyValueStore;
  readonly broadcast: Broadcast;
  readonly barrier: ReadBarrier;
  readonly onError: (error: unknown) => void;
  /** Which collections this process reads, for its signs of life. */
  readonly reads?: string;
  /** Maximum wait of a move for the lease, and then for the other members. */
  readonly waitMaxMs?: number;
  /** After this time without a renewal, another process may move. */
  readonly leaseMs?: number;
}

/** A member whose confirmation a mover awaits. */
interface Awaited {
  beat: number;
  heardMs: number;
}

/**
 * Move lock across any number of processes. Changes cost nothing extra while nobody moves. A mover takes a lease, and
 * begins when every other process has confirmed that its changes are done and new ones wait, or has given no sign of
 * life for seconds. A mover whose lease was lost records nothing more. One case remains in which an event can name an outdated place
 * of a message: a process that is suspended for that long while it appends, and then resumes.
 */
export class SharedMoveLock extends MoveLock {
  readonly #member = newId();
  readonly #waitMaxMs: number;
  readonly #leaseMs: number;
  /** Members are the processes that may change messages. One that is gone has no changes in progress. */
  readonly #members: ApiSigns;
  #beat = 0;
  /** The move in progress here, and its lease. */
  #move: { readonly held: HeldLease; readonly over: Promise<unknown> } | undefined;
  /** Changes in progress, without those that wait for a move. */
  readonly #running = new Set<Promise<unknown>>();
  readonly #signs = new Repetition(() => this.#sign(), SIGN_EVERY_MS);
  readonly #unsubscribes: (() => void)[] = [];
  /** Set while another process moves: resolves when changes may resume. */
  #held: { readonly over: Promise<void>; readonly end: () => void; term: number; heardMs: number } | undefined;
  #watching: NodeJS.Timeout | undefined;
  #standing: ((member: string, term: number) => void) | undefined;

  constructor(private readonly parts: SharedMoveLockParts) {
    super();
    this.#waitMaxMs = parts.waitMaxMs ?? WAIT_MAX_MS;
    this.#leaseMs = parts.leaseMs ?? LEASE_MS;
    this.#members = new ApiSigns(parts.side);
  }

  async start(): Promise<void> {
    const { broadcast, onError } = this.parts;
    await this.#sign();
    this.#signs.start(onError);
    this.#unsubscribes.push(
      broadcast.subscribe(BEGIN, ({ term, member }) => {
        if (member !== this.#member) this.#holdBack(Number(term)).catch(onError);
      }),
      broadcast.subscribe(END, ({ term }) => {
        if (Number(term) >= (this.#held?.term ?? Infinity)) this.#goOn();
      }),
      broadcast.subscribe(STANDING, ({ term, member }) => {
        if (typeof member === 'string') this.#standing?.(member, Number(term));
      }),
    );
  }

  async stop(): Promise<void> {
    await this.#signs.stop();
    for (const unsubscribe of this.#unsubscribes) unsubscribe();
    this.#goOn();
    await this.#members.remove(this.#member);
  }

  override shared<Result>(work: () => Promise<Result>): Promise<Result> {
    return super.shared(async () => {
      // Checked right before the change begins: another move may have begun in between.
      while (this.#held !== undefined) await this.#whenFree();
      const result = work();
      const settled: Promise<unknown> = result.then(ignored, ignored).finally(() => this.#running.delete(settled));
      this.#running.add(settled);
      return result;
    });
  }

  override exclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    return super.exclusive(() => this.#alone(work));
  }

  async #whenFree(): Promise<void> {
    await this.#held?.over;
    // Moved messages must be visible here before a change is decided on their place.
    await this.parts.barrier.sync();
  }

  override assertHeld(): void {
    if (this.#move?.held.isSure === false) throw busy();
  }

  async #alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const { broadcast, onError } = this.parts;
    const held = await this.#acquire();
    const { lease } = held;
    const asking = setInterval(() => {
      if (!held.isLost) this.#ask(lease).catch(onError);
    }, ASK_EVERY_MS);
    const result = this.#moveUnder(held, work);
    this.#move = { held, over: result.catch(ignored) };
    try {
      return await result;
    } finally {
      this.#move = undefined;
      clearInterval(asking);
      await held.release();
      await broadcast.publish(END, { term: lease.term, member: this.#member }).catch(onError);
    }
  }

  async #moveUnder<Result>(held: HeldLease, work: () => Promise<Result>): Promise<Result> {
    await this.#everybodyStands(held);
    await this.parts.barrier.sync();
    if (!held.isSure) throw busy();
    return work();
  }

  async #acquire(): Promise<HeldLease> {
    const { leases, onError } = this.parts;
    const deadlineMs = performance.now() + this.#waitMaxMs;
    for (;;) {
      const askedMs = performance.now();
      const lease = await leases.acquire(MOVES, this.#member, this.#leaseMs);
      if (lease !== undefined) return new HeldLease(leases, lease, this.#leaseMs, onError, askedMs);
      if (performance.now() > deadlineMs) throw busy();
      await pause(20 + 40 * Math.random());
    }
  }

  /** Resolves when every other process holds its changes back, or is gone. */
  async #everybodyStands({ lease, lost }: HeldLease): Promise<void> {
    const awaited = new Map<string, Awaited>();
    const standing = new Set<string>([this.#member]);
    let wake = (): void => undefined;
    this.#standing = (member, term) => {
      if (term !== lease.term) return;
      standing.add(member);
      wake();
    };
    try {
      await this.#look(awaited);
      await this.#ask(lease);
      const beganMs = performance.now();
      let lookedMs = beganMs;
      for (;;) {
        if (lost.aborted) throw busy();
        const missing = [...awaited].filter(([member]) => !standing.has(member));
        const now = performance.now();
        const gone = missing.filter(([, { heardMs }]) => now - heardMs > ApiSigns.goneAfterMs);
        if (gone.length === missing.length) {
          await Promise.all(gone.map(([member]) => this.#members.remove(member)));
          return;
        }
        // The process is alive, but does not hear or does not finish its changes: all others are held back while this
        // waits.
        if (now - beganMs > this.#waitMaxMs) throw busy();
        if (now - lookedMs > LOOK_EVERY_MS) {
          await this.#look(awaited);
          lookedMs = now;
        }
        const woken = new Promise<void>((resolve) => (wake = resolve));
        await Promise.race([woken, pause(ASK_EVERY_MS)]);
      }
    } finally {
      this.#standing = undefined;
    }
  }

  /** Updates which members exist, and which have given a sign of life since. */
  async #look(awaited: Map<string, Awaited>): Promise<void> {
    const members = await this.#members.all();
    const now = performance.now();
    const present = new Set(members.map(({ id }) => id));
    for (const member of awaited.keys()) if (!present.has(member)) awaited.delete(member);
    for (const { id, beat } of members) {
      const known = awaited.get(id);
      if (known?.beat !== beat) awaited.set(id, { beat, heardMs: now });
    }
  }

  #ask({ term }: Lease): Promise<void> {
    return this.parts.broadcast.publish(BEGIN, { term, member: this.#member });
  }

  /** Another process wants to move messages: changes in progress finish, and new ones wait. */
  async #holdBack(term: number): Promise<void> {
    const heardMs = performance.now();
    if (this.#held === undefined) {
      let end = (): void => undefined;
      const over = new Promise<void>((resolve) => (end = resolve));
      this.#held = { over, end, term, heardMs };
      this.#watching = setInterval(this.#listen, ASK_EVERY_MS).unref();
    }
    if (term < this.#held.term) return;
    this.#held.term = term;
    this.#held.heardMs = heardMs;
    // A move here has lost its lease to the other one: it ends before its next event.
    await Promise.all([...this.#running, this.#move?.over]);
    await this.parts.broadcast.publish(STANDING, { term, member: this.#member });
  }

  readonly #listen = (): void => {
    if (this.#held !== undefined && performance.now() - this.#held.heardMs > SILENCE_MS) this.#goOn();
  };

  #goOn(): void {
    clearInterval(this.#watching);
    this.#held?.end();
    this.#held = undefined;
  }

  async #sign(): Promise<void> {
    await this.#members.give({ id: this.#member, beat: ++this.#beat, reads: this.parts.reads });
  }
}

function busy(): Refusal {
  return new Refusal('SERVER_NOT_READY', 'Other messages are being moved or changed. Please try again in a moment.');
}
