import type { EventStore, RecordedEvent } from '#event-store';
import type { Origin } from '#kernel';
import type { DueTimers, TimerDocument } from '#timers';
import type { PendingItem, PendingSource, PendingStep } from './pending-work.js';

/** Events read of one piece of work: more than its attempts make, also where it shares a stream with some others. */
const HISTORY_MAX = 100;

export interface Work {
  /** Without contents. */
  readonly what: string;
  /** Seconds since the epoch. */
  readonly since: number;
}

/** What the work's own events say. */
export interface Attempts {
  readonly attempts: number;
  readonly reason: string | null;
}

type Data = Readonly<Record<string, unknown>>;

/** Work that waits for its timer. */
export abstract class TimedWork implements PendingSource {
  abstract readonly kind: string;

  /** @param timer kind of the timers */
  constructor(
    private readonly timer: string,
    private readonly due: DueTimers,
    protected readonly store: EventStore,
  ) {}

  async list(limit: number): Promise<readonly PendingItem[]> {
    const items: PendingItem[] = [];
    for (const timer of await this.due.of(this.timer, limit)) items.push(await this.#item(timer));
    return items;
  }

  async find(id: string): Promise<PendingItem | undefined> {
    const timer = await this.due.get(this.timer, id);
    return timer && this.#item(timer);
  }

  async history(id: string): Promise<readonly PendingStep[]> {
    return (await this.#events(id)).map(({ type, recordedAtMs, data }) => ({
      type,
      at: Math.floor(recordedAtMs / 1000),
      reason: reasonIn(data as Data),
    }));
  }

  abstract retry(id: string, origin: Origin): Promise<boolean>;
  abstract drop(id: string, reason: string, origin: Origin): Promise<boolean>;

  protected abstract streamOf(id: string): string;
  protected abstract work(id: string, events: readonly RecordedEvent[]): Promise<Work> | Work;

  /** Those of the newest events of its stream that are about the work; by default all, since it has a stream of its own. */
  protected ofWork(_id: string, events: readonly RecordedEvent[]): readonly RecordedEvent[] {
    return events;
  }

  /** By default, each event that postpones the work is an attempt that failed, unless somebody asked for it. */
  protected attempts(_id: string, events: readonly RecordedEvent[]): Attempts {
    const failed = events.filter(({ type, data }) => type.includes('.postponed.') && !('isRetry' in (data as Data)));
    return { attempts: failed.length, reason: reasonIn(failed.at(-1)?.data as Data | undefined) };
  }

  async #item({ subject, dueAt }: TimerDocument): Promise<PendingItem> {
    const events = await this.#events(subject);
    return {
      id: subject,
      ...(await this.work(subject, events)),
      ...this.attempts(subject, events),
      nextAt: dueAt,
    };
  }

  async #events(id: string): Promise<readonly RecordedEvent[]> {
    const newest = await this.store.readStream(this.streamOf(id), { direction: 'backwards', limit: HISTORY_MAX });
    return this.ofWork(id, newest.toReversed());
  }
}

function reasonIn(data: Data | undefined): string | null {
  const reason = data?.['reason'];
  return typeof reason === 'string' ? reason : null;
}

/** When the first of the events was recorded, in seconds since the epoch; 0 without any. */
export function sinceFirst(events: readonly RecordedEvent[]): number {
  return Math.floor((events[0]?.recordedAtMs ?? 0) / 1000);
}
