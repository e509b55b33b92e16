import type { EventStore, RecordedEvent } from '#event-store';
import type { Clock, Spans } from '#kernel';
import type { Directory } from '#people';
import type { Broadcast, Progress, ReadStore, KeyValueStore } from '#read-store';
import { DirectorySnapshots } from './directory/directory-snapshots.js';
import { EventQueues } from './queues/event-queues.js';
import { FeedCatalogue } from './log/feed-catalogue.js';
import type { ClientEvents } from './log/feed-entry.js';
import { FeedFollower } from './log/feed-follower.js';
import type { FeedDocument } from './log/feed-history.js';
import { feedCollection, FeedHistory } from './log/feed-history.js';
import { FeedRetention } from './log/feed-retention.js';
import { FeedTail } from './log/feed-tail.js';
import { HeldPolls } from './queues/held-polls.js';
import { LiveDelivery } from './delivery/live-delivery.js';
import { type FeedListener, LiveFeed, NOBODY_LISTENS } from './delivery/live-feed.js';
import { Presenter } from './delivery/presenter.js';
import { QueueStore } from './queues/queue-store.js';
import { QueueRegistry } from './queues/queue-registry.js';
import { QueueReaper } from './queues/queue-reaper.js';
import { Replica } from './replica/replica.js';
import { EphemeralDelivery } from './delivery/ephemeral-delivery.js';

/** A waiting poll gets a heartbeat after 45 to 55 seconds (events.md §1). */
export const HEARTBEAT_SECONDS = 50;

/** Parts of the feed in every process. */
interface FeedParts {
  readonly directory: Directory;
  /** The features' client events. */
  readonly features: readonly ClientEvents[];
  readonly readStore: ReadStore;
  readonly side: KeyValueStore;
  readonly store: EventStore;
  readonly clock: Clock;
  /** Called with errors that clients recover from by themselves, for the log. */
  readonly onError: (error: unknown) => void;
}

/** Options of the queues, in a process that serves them. */
interface QueueOptions {
  /** Reaches all processes that serve clients. */
  readonly broadcast: Broadcast;
  /** Setting `EVENT_QUEUE_IDLE_SECONDS`: lifespan of a queue without a poll. */
  readonly idleLimitSeconds?: number;
  /** Setting `HEARTBEAT_SECONDS`: approximate time that a poll is held. */
  readonly heartbeatSeconds?: number;
  /** Called after each answer to a held poll, with the time at which its first event was recorded, in ms since the epoch. */
  readonly onDelivered?: (recordedAtMs: number) => void;
  readonly spans?: Spans;
}

export type FeedOptions = FeedParts & QueueOptions;

/** Both ends of the feed in one process: the follower for the engine, and the queues for clients. */
export interface Feed {
  readonly follower: FeedFollower;
  /** To be started once the engine has caught up. */
  readonly queues: EventQueues;
}

/** Opens the feed in a process that writes it and serves all clients. */
export async function openFeed(options: FeedOptions): Promise<Feed> {
  const stored = await openStored(options, false);
  const { queues, listener } = openQueues(options, stored, false);
  return { follower: openFollower(options, stored, listener), queues };
}

/** Opens the feed in the process that writes it, while others serve clients. */
export async function openFeedWriter(options: FeedParts): Promise<{
  readonly follower: FeedFollower;
  /** To be started once the engine has caught up. */
  readonly reaper: QueueReaper;
}> {
  const stored = await openStored(options, true);
  const { directory, clock } = options;
  const { records, retention } = stored;
  const reaper = new QueueReaper({ directory, records, retention, clock });
  return { follower: openFollower(options, stored, NOBODY_LISTENS), reaper };
}

/** Opens the feed in a process that serves clients, while another one writes it. */
export async function openFeedReader(
  options: FeedOptions & {
    readonly progress: Progress;
    readonly projectorComplaint: () => string | undefined;
    readonly shown: (event: RecordedEvent) => void;
  },
): Promise<{
  readonly replica: Replica;
  /** To be started once the replica has caught up. */
  readonly queues: EventQueues;
}> {
  const stored = await openStored(options, true);
  const { queues, listener } = openQueues(options, stored, true);
  const { store, progress, directory, clock, projectorComplaint, shown, onError } = options;
  const { catalogue, snapshots, history, retention } = stored;
  const replica = new Replica({
    store,
    progress,
    directory,
    recorded: (event) => {
      catalogue.recorded(event);
    },
    shown,
    snapshots,
    history,
    retention,
    listener,
    clock,
    projectorComplaint,
    onError,
  });
  return { replica, queues };
}

interface Stored {
  readonly catalogue: FeedCatalogue;
  readonly history: FeedHistory;
  readonly retention: FeedRetention;
  readonly snapshots: DirectorySnapshots;
  readonly records: QueueStore;
}

async function openStored(
  { directory, features, readStore, side, store, onError }: FeedParts,
  /** Several processes serve the same clients. */
  isShared: boolean,
): Promise<Stored> {
  const history = new FeedHistory(await readStore.collection<FeedDocument>(feedCollection));
  return {
    catalogue: new FeedCatalogue(features),
    history,
    retention: new FeedRetention(side, history),
    snapshots: new DirectorySnapshots(side, store, directory),
    records: new QueueStore({ side, isShared, onError }),
  };
}

function openFollower(
  { directory, clock, onError }: FeedParts,
  { catalogue, retention, snapshots }: Stored,
  listener: FeedListener,
): FeedFollower {
  return new FeedFollower({ directory, catalogue, listener, retention, snapshots, clock, onError });
}

function openQueues(
  options: FeedOptions,
  { catalogue, history, retention, records }: Stored,
  /** Whether other processes serve queues as well. */
  isShared: boolean,
): { readonly queues: EventQueues; readonly listener: FeedListener } {
  const { directory, clock, onError, broadcast, idleLimitSeconds, onDelivered, spans } = options;
  const tail = new FeedTail();
  const presenter = new Presenter(catalogue);
  const polls: HeldPolls = new HeldPolls({
    heartbeatMs: (options.heartbeatSeconds ?? HEARTBEAT_SECONDS) * 1000,
    nowMs: () => clock.nowMs(),
    deliveredUpTo: () => delivery.deliveredUpTo,
  });
  const delivery = new LiveDelivery({
    directory,
    presenter,
    polls,
    onError,
    ...(onDelivered === undefined ? {} : { onDelivered }),
    ...(spans === undefined ? {} : { spans }),
  });
  const table = new QueueRegistry({ records, clock, onError, ...(isShared ? { broadcast } : {}) });
  const deliveredUpTo = (): number => delivery.deliveredUpTo;
  const transient = new EphemeralDelivery({ directory, presenter, table, broadcast, clock, deliveredUpTo, onError });
  const queues = new EventQueues({
    directory,
    tail,
    history,
    retention,
    presenter,
    polls,
    delivery,
    table,
    transient,
    clock,
    onError,
    ...(idleLimitSeconds === undefined ? {} : { idleLimitSeconds }),
  });
  return { queues, listener: new LiveFeed(tail, delivery) };
}
