import { addAbortListener } from 'node:events';
import { hostname } from 'node:os';
import { type DynamicModule, type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { EventStore } from '#event-store';
import { PendingWork } from '#feature';
import { FeedFollower, QueueReaper } from '#feed';
import { type Logger, LoginAttempts, Shutdown, VisitorMails } from '#http';
import { Clock, newId, Refusal, sleep, SystemClock } from '#kernel';
import { MoveLock } from '#messages';
import { Site } from '#realm/model';
import {
  BackgroundRunner,
  type HeldLease,
  PROJECTOR_LEASE,
  ProjectionEngine,
  ProjectorHeartbeat,
  type ReadStore,
  SetAside,
  StandbyReadStore,
} from '#read-store';
import { type Composition, scrollback } from '../composition.js';
import { blobStoreOf } from '../blobs.js';
import { exportFolder } from '../exports.js';
import { mailTransportOf } from '../mail.js';
import { pushServiceOf } from '../push.js';
import { nowAndThen, untilAvailable } from '../stores/until-available.js';
import { EndingSteps } from '../ending.js';
import type { WatchedPart } from '../metrics/metrics.js';
import { pendingWork } from '../metrics/pending-work.js';
import type { Observers } from '../observers.js';
import { ReadSideModule } from '../read-side.module.js';
import { servicesOf } from '../services.js';
import { StartProgress } from '../start-progress.js';
import { type Settings, SettingsError } from '../settings/settings.js';
import { closeStores, type CommonStores, openCommonStores } from '../stores/stores.js';
import { type Foundations, StoresModule } from '../stores/stores.module.js';
import { standBy } from './stand-by.js';

/** A projector without a sign of life for this long is replaced. */
const LEASE_MS = 3_000;
const STAND_BY_POLL_MS = 300;
/** A stand-by that has not looked at the lease for this long is blocked by a store. */
const SILENCE_LIMIT_MS = 3_000;
/** An engine's failure stays visible to operators for this long before a new attempt. */
const FAILED_FOR_MS = 10_000;

/** Stubs for HTTP-only providers; the projector serves no HTTP. */
const EDGE = [
  { provide: LoginAttempts, useFactory: () => new LoginAttempts({ rateLimits: false, clock: new SystemClock() }) },
  { provide: VisitorMails, useFactory: () => new VisitorMails({ rateLimits: false, clock: new SystemClock() }) },
  Shutdown,
];

@Module({ providers: EDGE, exports: EDGE })
class EdgeModule {}

@Module({})
class ProjectorModule {
  static with(composition: Composition, foundations: Foundations, logger: Logger, observers: Observers): DynamicModule {
    const imports = [
      { module: EdgeModule, global: true },
      StoresModule.with(composition, foundations, logger, observers),
      ReadSideModule.writing(composition, logger),
      // It serves no HTTP: controllers may ask for what only an api has, such as clients' queues.
      ...composition.features.modules.map((feature) => ({ ...feature, controllers: [] })),
    ];
    return { module: ProjectorModule, imports };
  }
}

/** All that a projector needs to work, built while it stands by. */
interface Prepared {
  readonly stores: CommonStores;
  readonly readStore: StandbyReadStore;
  readonly context: INestApplicationContext;
  readonly engine: ProjectionEngine;
}

/** The parts of a projector that holds the lease. */
interface Working {
  readonly engine: ProjectionEngine;
  readonly background: BackgroundRunner;
  readonly pending: ReturnType<typeof pendingWork>;
}

/**
 * Writes the read models and the feed while it holds the lease, and stands by while another process does. Only `stop`,
 * and settings that can never work, end it: after any failure of the stores or the lease it starts over as a stand-by.
 */
export class Projector {
  readonly #holder = `${hostname()}-${process.pid}-${newId()}`;
  readonly #ending = new AbortController();
  readonly #steps: EndingSteps;
  #running: Promise<void> = Promise.resolve();
  #working: Working | undefined;
  #complaint: () => string | undefined = starting;
  /** While it is starting. */
  #progress: StartProgress | undefined;
  readonly #onError = nowAndThen((error) => {
    this.logger.warn({ err: error }, 'The projector could not tell its status, or look for orders.');
  });

  readonly #onMissed = nowAndThen(({ message }) => {
    this.logger.warn({ reason: message }, 'A stand-by could not look for the lease; it tries again.');
  });

  constructor(
    private readonly settings: Settings,
    private readonly logger: Logger,
    private readonly composition: Composition = scrollback,
    private readonly observers: Observers = {},
  ) {
    this.#steps = observers.ending ?? new EndingSteps();
  }

  /** Why it neither works nor could take over at once, if so. */
  get complaint(): string | undefined {
    return this.#complaint();
  }

  /** The same, with how far it has come while it builds read models. */
  get refusal(): Refusal | undefined {
    const complaint = this.#complaint();
    return complaint === undefined ? undefined : new Refusal('SERVER_NOT_READY', complaint, this.#progress?.data ?? {});
  }

  start(): this {
    const unwatch = this.observers.metrics?.watch(this.#watched());
    this.#running = this.#run().finally(() => unwatch?.());
    this.#running.catch(() => undefined); // Errors are reported by `ended`.
    return this;
  }

  /** Resolves when it has been stopped. @throws SettingsError */
  get ended(): Promise<void> {
    return this.#running;
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#steps.run('projector', () => this.#running.catch(() => undefined));
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
        await sleep(FAILED_FOR_MS, this.#ending.signal);
      }
    }
  }

  /** One round: waits for the lease, and works until it is lost or the projector is stopped. */
  async #takePart(): Promise<void> {
    const stores = await openCommonStores(this.settings, this.composition.registry, this.logger, this.observers);
    try {
      const readStore = new StandbyReadStore();
      const context = await this.#contextOn(stores, readStore);
      try {
        await this.#takeTurn({ stores, readStore, context, engine: context.get(ProjectionEngine) });
      } finally {
        await this.#steps.run('modules', () => context.close());
      }
    } finally {
      this.#complaint = starting;
      await closeStores(stores, this.#steps);
    }
  }

  async #takeTurn(prepared: Prepared): Promise<void> {
    const held = await this.#standBy(prepared);
    if (held === undefined) return;
    try {
      await this.#work(prepared, held);
    } finally {
      await this.#steps.run('lease', () => held.release());
    }
  }

  /** Undefined when it was stopped before it got the lease. */
  #standBy({ stores: { events, reads }, engine }: Prepared): Promise<HeldLease | undefined> {
    const parts = {
      leases: reads.leases,
      acquire: () => reads.leases.acquire(PROJECTOR_LEASE, this.#holder, LEASE_MS),
      leaseMs: LEASE_MS,
      lookEveryMs: STAND_BY_POLL_MS,
      probe: () => events.head(),
      warmUp: async (signal: AbortSignal) => engine.warmUp(await reads.progress.position(), signal),
      looked: () => {
        const lookedMs = performance.now();
        const isSilent = (): boolean => performance.now() - lookedMs > SILENCE_LIMIT_MS;
        this.#complaint = () => complaintOf(events) ?? (isSilent() ? 'A store does not answer.' : undefined);
      },
      missed: this.#onMissed,
      onError: this.#onError,
    };
    return standBy(parts, this.#ending.signal);
  }

  async #work({ stores, readStore, context, engine }: Prepared, held: HeldLease): Promise<void> {
    const { lease } = held;
    this.logger.info({ term: lease.term }, 'This process is the projector now.');
    this.#complaint = starting;
    readStore.become(await stores.reads.writing(lease));
    const background = context.get(BackgroundRunner);
    // A long catch-up ends as soon as it is stopped, or another process is the projector.
    const end = (): void => void engine.stop();
    const listening = [this.#ending.signal, held.lost].map((signal) => addAbortListener(signal, end));
    const { side, broadcast } = stores.reads;
    this.#working = {
      engine,
      background,
      pending: pendingWork(readStore, this.composition, context.get(Clock), context.get(PendingWork)),
    };
    const signs = new ProjectorHeartbeat(side, broadcast, engine, held, this.#onError);
    try {
      signs.start();
      await this.#catchUp(engine, held);
      background.start([context.get(QueueReaper)]);
      this.#complaint = () => complaintOf(stores.events) ?? silenceOf(held) ?? complaintIn(engine);
      await this.#untilOver(engine, held);
      this.#complaint = starting;
      if (held.isLost) this.logger.warn({ term: lease.term }, 'Another process is the projector now.');
    } finally {
      for (const each of listening) each[Symbol.dispose]();
      this.#working = undefined;
      const steps = this.#steps;
      await steps.run('heartbeat', () => signs.stop());
      await steps.run('background work', () => background.stop());
      await steps.run('projections', () => engine.stop());
      if (held.isSure) await steps.run('feed', () => context.get(FeedFollower).close());
      await steps.run('read models', () => readStore.close({ isLost: !held.isSure }));
    }
  }

  /** What metrics ask of it; while it stands by, another process tells of the projections. */
  #watched(): WatchedPart {
    const working = (): Working | undefined => this.#working;
    return {
      name: 'projector',
      complaint: () => this.complaint,
      work: () => working()?.background.status() ?? [],
      get engine() {
        return working()?.engine;
      },
      get pending() {
        return working()?.pending;
      },
    };
  }

  async #catchUp(engine: ProjectionEngine, held: HeldLease): Promise<void> {
    const progress = new StartProgress(this.logger);
    this.#progress = progress;
    progress.reads(() => engine.status().catchUp);
    try {
      await engine.start();
    } catch (error) {
      if (!held.isLost && !engine.hasLostReadModels) throw error;
    } finally {
      progress.end();
      this.#progress = undefined;
    }
  }

  async #untilOver(engine: ProjectionEngine, held: HeldLease): Promise<void> {
    const ends = [this.#ending.signal, held.lost];
    await aborted(AbortSignal.any([...ends, engine.over]));
    // Nothing is wrong with the events when the read models are lost: they are built again from where they are now.
    if (!engine.hasLostReadModels) await sleep(FAILED_FOR_MS, AbortSignal.any(ends));
  }

  #contextOn({ events, reads }: CommonStores, readStore: ReadStore): Promise<INestApplicationContext> {
    const { side, broadcast } = reads;
    const { secret, siteUrl } = this.settings;
    const site = new Site(siteUrl ?? 'http://localhost');
    // This process runs no commands.
    const moveLock = (): MoveLock => new MoveLock();
    const blobs = blobStoreOf(this.settings);
    const mail = mailTransportOf(this.settings, site);
    const services = servicesOf(this.settings);
    const push = pushServiceOf(this.settings);
    const foundations = {
      events,
      readStore,
      setAside: new SetAside(),
      side,
      broadcast,
      moveLock,
      site,
      services,
      blobs,
      exportFolder: exportFolder(this.settings),
      mail,
      push,
      secret,
    };
    const module = ProjectorModule.with(this.composition, foundations, this.logger, this.observers);
    // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment -- Nest declares its options as a class and reads them as a plain object.
    return NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
  }

  #isEnding(): boolean {
    return this.#ending.signal.aborted;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => void addAbortListener(signal, () => resolve()));
}

function starting(): string {
  return 'The projector is starting.';
}

function complaintOf({ failure }: EventStore): string | undefined {
  return failure === undefined ? undefined : 'The event store is not available.';
}

/** The last call to the store may still wait for its answer. */
function silenceOf({ isSure }: HeldLease): string | undefined {
  return isSure ? undefined : 'The read store does not answer.';
}

function complaintIn(engine: ProjectionEngine): string | undefined {
  const { state } = engine.status();
  return state === 'live' ? undefined : `The projections are ${state}.`;
}
