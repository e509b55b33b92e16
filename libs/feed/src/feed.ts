import type { EventStore } from '#event-store';
import type { Clock } from '#kernel';
import type { Directory } from '#organization';
import type { Broadcast, Progress, ReadStore, SideStore } from '#read-store';
import { DirectorySnapshots } from './directory-snapshots.js';
import { EventQueues } from './event-queues.js';
import { FeedCatalogue } from './feed-catalogue.js';
import type { ClientEvents } from './feed-entry.js';
import { FeedFollower } from './feed-follower.js';
import type { FeedDocument } from './feed-history.js';
import { feedCollection, FeedHistory } from './feed-history.js';
import { FeedRetention } from './feed-retention.js';
import { FeedTail } from './feed-tail.js';
import { HeldPolls } from './held-polls.js';
import { LiveDelivery } from './live-delivery.js';
import { type FeedListener, LiveFeed, NOBODY_LISTENS } from './live-feed.js';
import { Presenter } from './presenter.js';
import { QueueRecords } from './queue-records.js';
import { QueueTable } from './queue-table.js';
import { QueueWarden } from './queue-warden.js';
import { Replica } from './replica.js';
import { TransientEvents } from './transient-events.js';

/** A waiting poll gets a heartbeat after 45 to 55 seconds (specification, "Events"; supplement, events.md §1). */
export const HEARTBEAT_SECONDS = 50;

/** What the feed is made of in every process. */
interface FeedParts {
  readonly directory: Directory;
  /** The features that have something to say to clients. */
  readonly features: readonly ClientEvents[];
  readonly readStore: ReadStore;
  readonly side: SideStore;
  readonly store: EventStore;
  readonly clock: Clock;
  /** Trouble that clients recover from by themselves, for the log. */
  readonly onError: (error: unknown) => void;
}

/** How queues live, in a process that serves them. */
interface QueueOptions {
  /** Reaches all processes that serve clients. */
  readonly broadcast: Broadcast;
  /** Setting `EVENT_QUEUE_IDLE_SECONDS`: how long a queue lives unpolled. */
  readonly idleLimitSeconds?: number;
  /** Setting `HEARTBEAT_SECONDS`: about how long a poll is held. */
  readonly heartbeatSeconds?: number;
}

export type FeedOptions = FeedParts & QueueOptions;

/** The feed's two ends in one process: the follower for the engine, and the queues for clients. */
export interface Feed {
  readonly follower: FeedFollower;
  /** To be started once the engine has caught up. */
  readonly queues: EventQueues;
}

/** For a process that writes the feed and serves all its clients. */
export async function openFeed(options: FeedOptions): Promise<Feed> {
  const stored = await openStored(options);
  const { queues, listener } = openQueues(options, stored, false);
  return { follower: openFollower(options, stored, listener), queues };
}

/** For the process that writes the feed, while others serve clients. */
export async function openFeedWriter(options: FeedParts): Promise<{
  readonly follower: FeedFollower;
  /** To be started once the engine has caught up. */
  readonly warden: QueueWarden;
}> {
  const stored = await openStored(options);
  const { directory, clock, onError } = options;
  const { records, retention } = stored;
  const warden = new QueueWarden({ directory, records, retention, clock, onError });
  return { follower: openFollower(options, stored, NOBODY_LISTENS), warden };
}

/** For a process that serves clients, while another one writes the feed. */
export async function openFeedReader(
  options: FeedOptions & {
    readonly progress: Progress;
    readonly projectorComplaint: () => string | undefined;
  },
): Promise<{
  readonly replica: Replica;
  /** To be started once the replica has caught up. */
  readonly queues: EventQueues;
}> {
  const stored = await openStored(options);
  const { queues, listener } = openQueues(options, stored, true);
  const { store, progress, directory, clock, projectorComplaint, onError } = options;
  const { snapshots, history, retention } = stored;
  const replica = new Replica({
    store,
    progress,
    directory,
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
  readonly records: QueueRecords;
}

async function openStored({ features, readStore, side, store }: FeedParts): Promise<Stored> {
  const history = new FeedHistory(await readStore.collection<FeedDocument>(feedCollection));
  return {
    catalogue: new FeedCatalogue(features),
    history,
    retention: new FeedRetention(side, history),
    snapshots: new DirectorySnapshots(side, store),
    records: new QueueRecords(side),
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
  /** Other processes serve queues as well. */
  isShared: boolean,
): { readonly queues: EventQueues; readonly listener: FeedListener } {
  const { directory, clock, onError, broadcast, idleLimitSeconds } = options;
  const tail = new FeedTail();
  const presenter = new Presenter(catalogue);
  const polls: HeldPolls = new HeldPolls({
    heartbeatMs: (options.heartbeatSeconds ?? HEARTBEAT_SECONDS) * 1000,
    nowMs: () => clock.nowMs(),
    toldUpTo: () => delivery.toldUpTo,
  });
  const delivery = new LiveDelivery({ directory, presenter, polls, onError });
  const table = new QueueTable({ records, clock, onError, ...(isShared ? { broadcast } : {}) });
  const toldUpTo = (): number => delivery.toldUpTo;
  const transient = new TransientEvents({ directory, presenter, table, broadcast, clock, toldUpTo, onError });
  const queues = new EventQueues({
    directory,
    tail,
    history,
    retention,
    presenter,
    polls,
    table,
    transient,
    clock,
    onError,
    ...(idleLimitSeconds === undefined ? {} : { idleLimitSeconds }),
  });
  return { queues, listener: new LiveFeed(tail, delivery) };
}
