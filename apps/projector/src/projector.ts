import { addAbortListener } from 'node:events';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { type DynamicModule, type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ChannelsModule } from '#channels';
import type { EventStore } from '#event-store';
import { FeedFollower, QueueWarden } from '#feed';
import { type Logger, LoginAttempts, Shutdown } from '#http';
import { newId, SystemClock } from '#kernel';
import { MessagesModule, MoveTurns } from '#messages';
import { Site } from '#organization';
import { type Lease, ProjectionEngine, ProjectorSigns, type ReadStore } from '#read-store';
import { UsersModule } from '#users';
import { nowAndThen, untilAvailable } from '../../api/src/patience.js';
import { ReadSideModule } from '../../api/src/read-side.module.js';
import { type Settings, SettingsError } from '../../api/src/settings.js';
import { closeStores, type CommonStores, openCommonStores } from '../../api/src/stores.js';
import { type Foundations, StoresModule } from '../../api/src/stores.module.js';
import { HeldLease } from './held-lease.js';

/** The lease that whoever writes the read models must hold. */
const PROJECTOR = 'projector';
/** A projector that gives no sign for this long is replaced. */
const LEASE_MS = 3_000;
const STAND_BY_POLL_MS = 300;
/** So often, in looks at the lease, a stand-by asks the log whether it is there. */
const LOOKS_PER_PROBE = 10;
/** A stand-by that has not come to look at the lease for this long is hindered by a store. */
const SILENCE_LIMIT_MS = 3_000;
const WATCH_EVERY_MS = 200;
/** What an engine could not pass stays in sight of operators this long before it is tried again. */
const FAILED_FOR_MS = 10_000;

/** What features ask of the edge. There is none here, and nobody calls them through it. */
const EDGE = [
  { provide: LoginAttempts, useFactory: () => new LoginAttempts({ rateLimits: false, clock: new SystemClock() }) },
  Shutdown,
];

@Module({ providers: EDGE, exports: EDGE })
class EdgeModule {}

@Module({})
class ProjectorModule {
  static with(foundations: Foundations, logger: Logger): DynamicModule {
    const imports = [
      { module: EdgeModule, global: true },
      StoresModule.with(foundations, logger),
      ReadSideModule.writing(logger),
      ChannelsModule,
      MessagesModule,
      UsersModule,
    ];
    return { module: ProjectorModule, imports };
  }
}

/**
 * Writes the read models and the feed while it holds the lease, and stands by while another one does. Nothing ends it but
 * `stop`, and settings that can never work: whatever goes wrong with the stores, or with the lease, it starts over as a
 * stand-by.
 */
export class Projector {
  readonly #holder = `${hostname()}-${process.pid}-${newId()}`;
  readonly #ending = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #complaint: () => string | undefined = starting;

  constructor(
    private readonly settings: Settings,
    private readonly logger: Logger,
  ) {}

  /** Why it neither works nor could take over at once, if so. */
  get complaint(): string | undefined {
    return this.#complaint();
  }

  start(): this {
    this.#running = this.#run();
    this.#running.catch(() => undefined); // Told to whoever asks by `ended`.
    return this;
  }

  /** Resolves when it has been stopped. @throws SettingsError */
  get ended(): Promise<void> {
    return this.#running;
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#running.catch(() => undefined);
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending;
    while (!this.#isEnding()) {
      try {
        await untilAvailable(() => this.#takePart(), this.logger, signal);
      } catch (error) {
        if (this.#isEnding()) return;
        if (error instanceof SettingsError) throw error;
        this.logger.error({ err: error }, 'The projector failed; it starts over.');
        await this.#pause(FAILED_FOR_MS);
      }
    }
  }

  /** One round: waits for the lease, and works until it is lost or there is no more to do. */
  async #takePart(): Promise<void> {
    const stores = await openCommonStores(this.settings, this.logger);
    try {
      const lease = await this.#standBy(stores);
      if (lease === undefined) return;
      const held = new HeldLease(stores.reads.leases, lease, LEASE_MS);
      try {
        await this.#work(stores, held);
      } finally {
        await held.release();
      }
    } finally {
      this.#complaint = starting;
      await closeStores(stores);
    }
  }

  /** Undefined when it was stopped before it got the lease. */
  async #standBy({ events, reads }: CommonStores): Promise<Lease | undefined> {
    for (let look = 0; !this.#isEnding(); look++) {
      // Whoever could not work is no stand-by.
      if (look % LOOKS_PER_PROBE === 0) await events.head();
      const lease = await reads.leases.acquire(PROJECTOR, this.#holder, LEASE_MS);
      if (lease !== undefined) return lease;
      const lookedMs = performance.now();
      const isSilent = (): boolean => performance.now() - lookedMs > SILENCE_LIMIT_MS;
      this.#complaint = () => complaintOf(events) ?? (isSilent() ? 'A store does not answer.' : undefined);
      await this.#pause(STAND_BY_POLL_MS);
    }
    return undefined;
  }

  async #work(stores: CommonStores, held: HeldLease): Promise<void> {
    const { lease } = held;
    this.logger.info({ term: lease.term }, 'This process is the projector now.');
    const readStore = await stores.reads.writing(lease);
    const context = await this.#contextOn(stores, readStore);
    const engine = context.get(ProjectionEngine);
    const warden = context.get(QueueWarden);
    const onError = nowAndThen((error) => {
      this.logger.warn({ err: error }, 'The projector could not say how it fares.');
    });
    // A long catch-up ends as soon as it is told to.
    const listening = addAbortListener(this.#ending.signal, () => void engine.stop());
    const signs = new ProjectorSigns(stores.reads.side, engine, lease, onError);
    try {
      signs.start();
      await engine.start();
      warden.start();
      this.#complaint = () => complaintOf(stores.events) ?? complaintIn(engine);
      await this.#untilOver(engine, held);
      this.#complaint = starting;
      if (held.isLost) this.logger.warn({ term: lease.term }, 'Another process is the projector now.');
    } finally {
      listening[Symbol.dispose]();
      await signs.stop();
      await warden.close();
      await engine.stop();
      if (!held.isLost) await context.get(FeedFollower).close();
      await context.close();
      await readStore.close();
    }
  }

  async #untilOver(engine: ProjectionEngine, held: HeldLease): Promise<void> {
    let failedAtMs: number | undefined;
    while (!this.#isEnding() && !held.isLost) {
      if (engine.status().state === 'stopped') failedAtMs ??= performance.now();
      if (failedAtMs !== undefined && performance.now() - failedAtMs > FAILED_FOR_MS) return;
      await this.#pause(WATCH_EVERY_MS);
    }
  }

  #contextOn({ events, reads }: CommonStores, readStore: ReadStore): Promise<INestApplicationContext> {
    const { side, broadcast } = reads;
    const { secret, siteUrl } = this.settings;
    const site = new Site(siteUrl ?? 'http://localhost');
    // Nobody sends commands here.
    const turns = (): MoveTurns => new MoveTurns();
    const module = ProjectorModule.with({ events, readStore, side, broadcast, turns, site, secret }, this.logger);
    // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment -- Nest declares its options as a class and reads them as a plain object.
    return NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
  }

  #isEnding(): boolean {
    return this.#ending.signal.aborted;
  }

  async #pause(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.#ending.signal }).catch(() => undefined);
  }
}

function starting(): string {
  return 'The projector is starting.';
}

function complaintOf({ failure }: EventStore): string | undefined {
  return failure === undefined ? undefined : 'The event store is not available.';
}

function complaintIn(engine: ProjectionEngine): string | undefined {
  const { state } = engine.status();
  return state === 'live' ? undefined : `The projections are ${state}.`;
}
