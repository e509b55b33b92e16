import { Injectable } from '@nestjs/common';
import { type Checkpoint, EventStore, ForeignCheckpoint, type RecordedEvent } from '#event-store';
import { Clock, sleep } from '#kernel';
import { KeyValueStore, type LookingWork, ReadStore } from '#read-store';
import { bytesOf, count, dayOf, type LogCounts, readStored, stored } from './log-counts.js';

const EVERY_MS = 60_000;
/** Counting is less urgent than everything else: it takes a quarter of the time at most. */
const REST_SHARE = 3;
/** Counts are kept after so many events, so that a long first count goes on where it was. */
const KEPT_AFTER_EVENTS = 20_000;
/** Counts of single days are kept for somewhat more than a year. */
const DAYS_KEPT = 400;
/** Measuring reads every page of the read models. */
const SIZES_EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;

const KIND = 'log-statistics';
const STATE = 'state';
const TOTAL = 'total';
const SIZES = 'sizes';

/** Sizes of the read models, as they were measured last. */
export interface MeasuredSizes {
  readonly atMs: number;
  /** By collection; former builds have names of their own. */
  readonly bytes: ReadonlyMap<string, number>;
}

/**
 * Counts the events and bytes of the log by type and day, and measures the read models, beside the requests. What is lost with the
 * store of keys is counted again from the beginning.
 */
@Injectable()
export class LogStatistics implements LookingWork {
  readonly name = 'log-statistics';
  readonly complaint = 'The log cannot be counted at the moment.';
  readonly isExclusive = true;

  constructor(
    private readonly events: EventStore,
    private readonly readStore: ReadStore,
    private readonly side: KeyValueStore,
    private readonly clock: Clock,
  ) {}

  /** On the prototype, where a test shortens it. */
  get everyMs(): number {
    return EVERY_MS;
  }

  async look(signal: AbortSignal): Promise<void> {
    try {
      await this.#count(signal);
    } catch (error) {
      if (!(error instanceof ForeignCheckpoint)) throw error;
      // The counts are those of another log.
      for (const { id } of await this.side.list(KIND)) await this.side.remove(KIND, id);
    }
    // It reads every page: whoever ends the server does not wait for that.
    if (!signal.aborted) await this.#measure();
  }

  /** Counts of the whole log. */
  async total(): Promise<LogCounts> {
    return readStored(await this.side.get(KIND, TOTAL));
  }

  /** Counts of the last days up to today, oldest first. @param days at most a few dozen */
  async days(days: number): Promise<readonly { readonly day: string; readonly counts: LogCounts }[]> {
    const now = this.clock.nowMs();
    const names = Array.from({ length: days }, (_, back) => dayOf(now - (days - 1 - back) * DAY_MS));
    return Promise.all(names.map(async (day) => ({ day, counts: await this.#day(day) })));
  }

  async #day(day: string): Promise<LogCounts> {
    return readStored(await this.side.get(KIND, day));
  }

  /** Undefined while they have not been measured. */
  async sizes(): Promise<MeasuredSizes | undefined> {
    const found = await this.side.get(KIND, SIZES);
    if (found === undefined) return undefined;
    return { atMs: found['atMs'] as number, bytes: new Map(found['bytes'] as [string, number][]) };
  }

  /** Leaves collections that are gone out of the sizes that were measured last. */
  async forget(collections: readonly string[]): Promise<void> {
    const found = await this.sizes();
    if (found === undefined) return;
    const bytes = [...found.bytes].filter(([name]) => !collections.includes(name));
    await this.side.put(KIND, SIZES, { atMs: found.atMs, bytes });
  }

  async #measure(): Promise<void> {
    const last = (await this.sizes())?.atMs ?? 0;
    if (this.clock.nowMs() - last < SIZES_EVERY_MS) return;
    const bytes = [...(await this.readStore.sizes())];
    await this.side.put(KIND, SIZES, { atMs: this.clock.nowMs(), bytes });
  }

  async #count(signal: AbortSignal): Promise<void> {
    const state = await this.side.get(KIND, STATE);
    const after = state?.['checkpoint'] as Checkpoint | undefined;
    const counting = new Counting(await this.total(), this.clock.nowMs(), (day) => this.#day(day));
    let begunMs = performance.now();
    for await (const page of this.events.readAll(after === undefined ? {} : { after })) {
      if (signal.aborted) return;
      await counting.add(page);
      if (counting.events >= KEPT_AFTER_EVENTS) await this.#keep(counting);
      await sleep((performance.now() - begunMs) * REST_SHARE, signal);
      begunMs = performance.now();
    }
    await this.#keep(counting);
  }

  /** Days and total before the state: what is read again after a crash in between is in them, and not counted again. */
  async #keep(counting: Counting): Promise<void> {
    const { last } = counting;
    if (last === undefined) return;
    for (const [day, counts] of counting.days) {
      await this.side.put(KIND, day, stored(counts));
      await this.side.remove(KIND, dayOf(Date.parse(day) - DAYS_KEPT * DAY_MS));
    }
    await this.side.put(KIND, TOTAL, stored(counting.total));
    await this.side.put(KIND, STATE, { checkpoint: this.events.checkpointAfter(last) });
    counting.kept();
  }
}

/** Counts in memory, of the days of the events that were read since they were stored. */
class Counting {
  readonly days = new Map<string, LogCounts>();
  last: RecordedEvent | undefined;
  /** Events counted since the counts were stored. */
  events = 0;

  constructor(
    readonly total: LogCounts,
    private readonly nowMs: number,
    private readonly read: (day: string) => Promise<LogCounts>,
  ) {}

  async add(page: readonly RecordedEvent[]): Promise<void> {
    for (const event of page) {
      const bytes = bytesOf(event);
      count(this.total, event, bytes);
      const counts = await this.#of(event);
      if (counts !== undefined) count(counts, event, bytes);
    }
    this.last = page.at(-1) ?? this.last;
    this.events += page.length;
  }

  kept(): void {
    this.days.clear();
    this.last = undefined;
    this.events = 0;
  }

  async #of(event: RecordedEvent): Promise<LogCounts | undefined> {
    if (this.nowMs - event.recordedAtMs > DAYS_KEPT * DAY_MS) return undefined;
    const day = dayOf(event.recordedAtMs);
    let counts = this.days.get(day);
    if (counts === undefined) this.days.set(day, (counts = await this.read(day)));
    return counts;
  }
}
