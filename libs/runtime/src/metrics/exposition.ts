import { collectDefaultMetrics, Counter, Gauge, type Histogram, Registry } from 'prom-client';
import type { RetentionProgress } from '#messages';
import type { EngineState, EngineStatus, WorkStatus } from '#read-store';
import type { Durations } from './durations.js';
import type { Metrics, Waiting, WatchedPart } from './metrics.js';

/** Room of the file system that holds something. */
export interface Place {
  readonly name: string;
  readonly freeBytes: number;
  readonly sizeBytes: number;
}

/** What is asked for at a scrape. */
export interface Looked extends Waiting {
  readonly places: readonly Place[];
}

export interface ExpositionParts {
  readonly metrics: Metrics;
  readonly version: string;
  readonly look: () => Promise<Looked>;
}

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [labels: Labels, value: number];
type Series = readonly [labels: Labels, durations: Durations];

/** Gauges of the library with the name of a counter, which promtool warns of; the sums of others. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

const STATES: readonly EngineState[] = ['starting', 'live', 'stalled', 'stopped'];

/**
 * Shows metrics in the format of Prometheus. The numbers are kept elsewhere, and taken over at each scrape: labels and checks of
 * the library would cost a request more than all counting does.
 */
export class Exposition {
  readonly #registry = new Registry();
  #looked: Looked = { places: [], pending: [], failing: [] };
  #statuses: readonly EngineStatus[] = [];

  constructor(private readonly parts: ExpositionParts) {
    collectDefaultMetrics({ register: this.#registry });
    for (const name of MISNAMED) this.#registry.removeSingleMetric(name);
    this.#describeProcess();
    this.#describeRequests();
    this.#describeStores();
    this.#describeReadSide();
    this.#describeDelivery();
    this.#describeWork();
    this.#describeRetention();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  async text(): Promise<string> {
    const looked = await this.parts.look();
    // From here on nothing waits for a store, so that all series are of one moment.
    this.#looked = looked;
    this.#statuses = this.#parts().flatMap(({ engine }) => (engine === undefined ? [] : [engine.status()]));
    return this.#registry.metrics();
  }

  #describeProcess(): void {
    const { version } = this.parts;
    this.#gauge('scrollback_build_info', 'Version of the server and of Node; always 1.', ['version', 'node'], () => [
      [{ version, node: process.version }, 1],
    ]);
    this.#gauge('scrollback_ready', '1 while this part of the process is ready, 0 otherwise.', ['part'], () =>
      this.#parts().map(({ name, complaint }) => [{ part: name }, Number(complaint() === undefined)]),
    );
    this.#gauge('scrollback_disk_free_bytes', 'Room left for the server where it keeps its files.', ['place'], () =>
      this.#looked.places.map(({ name, freeBytes }) => [{ place: name }, freeBytes]),
    );
    this.#gauge('scrollback_disk_size_bytes', 'Size of the file system of that place.', ['place'], () =>
      this.#looked.places.map(({ name, sizeBytes }) => [{ place: name }, sizeBytes]),
    );
  }

  #describeRequests(): void {
    const { requests } = this.parts.metrics;
    this.#histogram(
      'scrollback_http_request_duration_seconds',
      'Requests by route and class of status, from their headers to the end of the answer.',
      () =>
        Array.from(requests.routes(), ({ method, route, status, durations }) => [{ method, route, status }, durations]),
    );
    this.#gauge('scrollback_http_requests_in_progress', 'Requests in progress, held polls among them.', [], () => [
      [{}, total(this.#parts(), (part) => part.requests?.())],
    ]);
    this.#counter(
      'scrollback_messages_acknowledged_total',
      'Sends of messages that were answered with success.',
      [],
      () => [[{}, requests.sends]],
    );
    this.#counter('scrollback_http_rate_limited_total', 'Requests that were refused by a limit of calls.', [], () => [
      [{}, requests.rateLimited],
    ]);
  }

  #describeStores(): void {
    const { stores, syncs, damaged } = this.parts.metrics;
    const calls = Object.entries(stores).flatMap(([store, { kinds }]) => ({ store, kinds }));
    this.#histogram(
      'scrollback_store_call_duration_seconds',
      'Calls to the log, the read models and what is kept beside them, by kind.',
      () =>
        calls.flatMap(({ store, kinds }) => Array.from(kinds, ([call, { durations }]) => [{ store, call }, durations])),
    );
    this.#counter(
      'scrollback_store_call_failures_total',
      'Calls to stores that failed. An append that lost a race is none.',
      ['store', 'call'],
      () =>
        calls.flatMap(({ store, kinds }) => Array.from(kinds, ([call, { failures }]) => [{ store, call }, failures])),
    );
    this.#histogram('scrollback_log_sync_duration_seconds', 'Commits of the embedded log to the disk.', () => [
      [{}, syncs],
    ]);
    this.#gauge(
      'scrollback_log_damaged_records',
      'Damaged records of the log that readers have met since the start.',
      [],
      () => [[{}, damaged.size]],
    );
  }

  #describeReadSide(): void {
    const ofAll = (samplesOf: (status: EngineStatus) => readonly Sample[]) => () => this.#statuses.flatMap(samplesOf);
    this.#gauge(
      'scrollback_read_side_state',
      '1 for the state of the projections, 0 for the others.',
      ['state'],
      ofAll(({ state }) => STATES.map((each) => [{ state: each }, Number(each === state)])),
    );
    this.#gauge(
      'scrollback_log_position',
      'Position of the last event in the log.',
      [],
      ofAll(({ head }) => [[{}, head]]),
    );
    this.#gauge(
      'scrollback_read_side_position',
      'Position that all projections have passed.',
      [],
      ofAll(({ position }) => [[{}, position]]),
    );
    this.#gauge(
      'scrollback_read_side_lag_seconds',
      'Age of the oldest event that is not visible yet.',
      [],
      ofAll(({ lagMs }) => [[{}, lagMs / 1000]]),
    );
    this.#gauge(
      'scrollback_read_side_waiting_requests',
      'Requests that wait for their events to become visible.',
      [],
      ofAll(({ waiting }) => [[{}, waiting]]),
    );
    this.#gauge(
      'scrollback_projection_lag',
      'Positions between a projection and the end of the log.',
      ['projection'],
      ofAll(({ participants }) => participants.map(({ name, lagEvents }) => [{ projection: name }, lagEvents])),
    );
    this.#gauge(
      'scrollback_projection_set_aside',
      '1 for a projection that failed on an event and is set aside, else 0.',
      ['projection'],
      ofAll(({ participants }) =>
        participants.map(({ name, setAside }) => [{ projection: name }, Number(setAside !== undefined)]),
      ),
    );
    this.#counter(
      'scrollback_projection_events_total',
      'Events that a projection has handled.',
      ['projection'],
      ofAll(({ participants }) => participants.map(({ name, handled }) => [{ projection: name }, handled])),
    );
    this.#gauge(
      'scrollback_rebuild_done_ratio',
      'Share of the log that a rebuild in progress has passed.',
      ['projection'],
      ofAll(({ rebuilds }) =>
        rebuilds.map(({ name, position, head }) => [{ projection: name }, ratio(position, head)]),
      ),
    );
    this.#gauge(
      'scrollback_rebuild_elapsed_seconds',
      'Time since a rebuild in progress began.',
      ['projection'],
      ofAll(({ rebuilds }) => rebuilds.map(({ name, elapsedMs }) => [{ projection: name }, elapsedMs / 1000])),
    );
  }

  #describeDelivery(): void {
    const { deliveries } = this.parts.metrics;
    this.#gauge('scrollback_event_queues', 'Event queues of clients that this process serves.', [], () => [
      [{}, total(this.#parts(), (part) => part.queues?.size)],
    ]);
    this.#gauge('scrollback_held_polls', 'Polls that wait for an event.', [], () => [
      [{}, total(this.#parts(), (part) => part.queues?.heldCount)],
    ]);
    this.#histogram(
      'scrollback_delivery_delay_seconds',
      'Answers to held polls, by the time from the record of their first event to the answer.',
      () => [[{}, deliveries]],
    );
  }

  #describeWork(): void {
    const { outgoingFailures } = this.parts.metrics;
    const ofAll = (valueOf: (status: WorkStatus) => number) => (): readonly Sample[] =>
      this.#parts().flatMap(({ work }) => work().map((status) => [{ work: status.name }, valueOf(status)] as const));
    this.#gauge(
      'scrollback_work_failures',
      'Turns of work in the background that failed since the last that succeeded.',
      ['work'],
      ofAll(({ failures }) => failures),
    );
    this.#counter(
      'scrollback_work_turns_total',
      'Turns of work in the background that succeeded.',
      ['work'],
      ofAll(({ turns }) => turns),
    );
    this.#gauge('scrollback_pending', 'Work that waits for its time or for another attempt.', ['kind'], () =>
      this.#looked.pending.map(({ kind, count }) => [{ kind }, count]),
    );
    this.#gauge('scrollback_pending_overdue_seconds', 'How late the oldest such work is.', ['kind'], () =>
      this.#looked.pending.map(({ kind, overdueSeconds }) => [{ kind }, overdueSeconds]),
    );
    this.#gauge(
      'scrollback_pending_failing_age_seconds',
      'How long the oldest work has waited that failed and is to be tried next.',
      ['kind'],
      () => this.#looked.failing.map(({ kind, ageSeconds }) => [{ kind }, ageSeconds]),
    );
    this.#counter(
      'scrollback_outgoing_failures_total',
      'Mails, notifications and calls of services that failed; each may be tried again.',
      ['kind'],
      () => Object.entries(outgoingFailures).map(([kind, count]) => [{ kind }, count]),
    );
  }

  #describeRetention(): void {
    const ofAll = (valueOf: (status: RetentionProgress) => number | undefined) => (): readonly Sample[] =>
      this.#parts().flatMap(({ retention }) => {
        const status = retention?.();
        const value = status && valueOf(status);
        return value === undefined ? [] : [[{}, value] as const];
      });
    this.#counter(
      'scrollback_retention_removed_messages_total',
      'Messages that this process has removed since their time is over.',
      [],
      ofAll(({ removed }) => removed),
    );
    this.#counter(
      'scrollback_retention_failures_total',
      'Turns of such removals that failed.',
      [],
      ofAll(({ failures }) => failures),
    );
    this.#gauge(
      'scrollback_retention_pass_age_seconds',
      'Time since a turn left nothing to remove, or since the start while none has.',
      [],
      ofAll(({ passAgeSeconds }) => passAgeSeconds),
    );
    this.#gauge(
      'scrollback_retention_behind_seconds',
      'How long ago the oldest message of the last step should have gone; 0 when nothing is left.',
      [],
      ofAll(({ behindSeconds }) => behindSeconds),
    );
  }

  #parts(): WatchedPart[] {
    return [...this.parts.metrics.parts];
  }

  #gauge(name: string, help: string, labelNames: string[], samples: () => readonly Sample[]): void {
    new Gauge({
      name,
      help,
      labelNames,
      registers: [this.#registry],
      collect() {
        clear(this, labelNames);
        for (const [labels, value] of samples()) this.set(labels, value);
      },
    });
  }

  #counter(name: string, help: string, labelNames: string[], samples: () => readonly Sample[]): void {
    new Counter({
      name,
      help,
      labelNames,
      registers: [this.#registry],
      collect() {
        clear(this, labelNames);
        for (const [labels, value] of samples()) this.inc(labels, value);
      },
    });
  }

  #histogram(name: string, help: string, series: () => readonly Series[]): void {
    // A registry asks a metric for its name and its values alone.
    this.#registry.registerMetric(new KeptHistogram(name, help, series) as unknown as Histogram);
  }
}

/** Removes all values. `reset` leaves one of 0 where there are no labels, also of what the process does not do. */
function clear(metric: Gauge | Counter, labelNames: readonly string[]): void {
  metric.reset();
  if (labelNames.length === 0) metric.remove();
}

/** A histogram whose counts are kept elsewhere. */
class KeptHistogram {
  constructor(
    readonly name: string,
    private readonly help: string,
    private readonly series: () => readonly Series[],
  ) {}

  get(): Promise<object> {
    const { name, help } = this;
    const values = this.series().flatMap(([labels, { boundsSeconds, counts, sumSeconds }]) => {
      let count = 0;
      const buckets = counts.map((inBucket, index) => {
        count += inBucket;
        return {
          labels: { ...labels, le: boundsSeconds[index] ?? '+Inf' },
          value: count,
          metricName: `${name}_bucket`,
        };
      });
      return [
        ...buckets,
        { labels, value: sumSeconds, metricName: `${name}_sum` },
        { labels, value: count, metricName: `${name}_count` },
      ];
    });
    return Promise.resolve({ name, help, type: 'histogram', values });
  }
}

function total(parts: readonly WatchedPart[], valueOf: (part: WatchedPart) => number | undefined): number {
  return parts.reduce((sum, part) => sum + (valueOf(part) ?? 0), 0);
}

function ratio(done: number, all: number): number {
  return all === 0 ? 1 : Math.min(1, done / all);
}
