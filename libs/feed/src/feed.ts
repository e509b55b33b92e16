import type { EventStore } from '#event-store';
import type { Clock } from '#kernel';
import type { Directory } from '#organization';
import type { ReadStore, SideStore } from '#read-store';
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
import { Presenter } from './presenter.js';

/** A waiting poll gets a heartbeat after 45 to 55 seconds (specification, "Events"; supplement, events.md §1). */
export const HEARTBEAT_SECONDS = 50;

export interface FeedOptions {
  readonly directory: Directory;
  /** The features that have something to say to clients. */
  readonly features: readonly ClientEvents[];
  readonly readStore: ReadStore;
  readonly side: SideStore;
  readonly store: EventStore;
  readonly clock: Clock;
  /** Trouble that clients recover from by themselves, for the log. */
  readonly onError: (error: unknown) => void;
  /** Setting `EVENT_QUEUE_IDLE_SECONDS`: how long a queue lives unpolled. */
  readonly idleLimitSeconds?: number;
  /** Setting `HEARTBEAT_SECONDS`: about how long a poll is held. */
  readonly heartbeatSeconds?: number;
}

/** The feed's two ends: the follower for the engine, and the queues for clients. Start the queues once the engine has caught up. */
export interface Feed {
  readonly follower: FeedFollower;
  readonly queues: EventQueues;
}

export async function openFeed(options: FeedOptions): Promise<Feed> {
  const { directory, side, clock, onError } = options;
  const catalogue = new FeedCatalogue(options.features);
  const history = new FeedHistory(await options.readStore.collection<FeedDocument>(feedCollection));
  const retention = new FeedRetention(side, history);
  const tail = new FeedTail();
  const presenter = new Presenter(catalogue);
  const polls: HeldPolls = new HeldPolls({
    heartbeatMs: (options.heartbeatSeconds ?? HEARTBEAT_SECONDS) * 1000,
    nowMs: () => clock.nowMs(),
    toldUpTo: () => delivery.toldUpTo,
  });
  const delivery = new LiveDelivery({ directory, presenter, polls, onError });
  const snapshots = new DirectorySnapshots(side, options.store);
  const follower = new FeedFollower({ directory, catalogue, tail, delivery, retention, snapshots, clock, onError });
  const queues = new EventQueues({
    directory,
    tail,
    history,
    retention,
    presenter,
    polls,
    side,
    clock,
    onError,
    ...(options.idleLimitSeconds === undefined ? {} : { idleLimitSeconds: options.idleLimitSeconds }),
  });
  return { follower, queues };
}
