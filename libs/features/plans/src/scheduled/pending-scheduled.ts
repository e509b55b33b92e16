import { Injectable } from '@nestjs/common';
import { streams } from '#event-store';
import { Decisions, inStream, type PendingItem, type PendingSource, type PendingStep } from '#feature';
import type { OmitEach, Origin } from '#kernel';
import type { Collection, Stored } from '#read-store';
import { readOf } from './change-scheduled.js';
import type { FailedScheduledDocument } from './failed-scheduled.projection.js';
import type { ScheduledCommand } from './scheduled.commands.js';
import { scheduledDecider } from './scheduled.decider.js';
import { ScheduledReader } from './scheduled.reader.js';

/** Reads the scheduled messages that could not be sent. */
export class FailedScheduledReader {
  constructor(private readonly failed: Collection<FailedScheduledDocument>) {}

  list(limit: number): Promise<readonly Stored<FailedScheduledDocument>[]> {
    return this.failed.find({ sort: [{ field: 'failedAt', direction: 'ascending' }], limit });
  }

  get(key: string): Promise<FailedScheduledDocument | undefined> {
    return this.failed.get(key);
  }
}

/** Scheduled messages that could not be sent. Nobody tries again, unless the sender or the operator asks for it. */
@Injectable()
export class PendingScheduled implements PendingSource {
  readonly kind = 'scheduled';

  constructor(
    private readonly failed: FailedScheduledReader,
    private readonly reader: ScheduledReader,
    private readonly decisions: Decisions,
  ) {}

  async list(limit: number): Promise<readonly PendingItem[]> {
    return (await this.failed.list(limit)).map(({ doc }) => itemOf(doc));
  }

  async find(id: string): Promise<PendingItem | undefined> {
    const doc = await this.failed.get(id);
    return doc && itemOf(doc);
  }

  async history(id: string): Promise<readonly PendingStep[]> {
    const doc = await this.failed.get(id);
    return doc === undefined ? [] : [{ type: 'scheduled-message.failed.v1', at: doc.failedAt, reason: doc.reason }];
  }

  async retry(id: string, origin: Origin): Promise<boolean> {
    const doc = await this.reader.byKey(id);
    if (doc?.phase !== 'failed') return false;
    return this.#run({ type: 'retry-scheduled', userId: doc.userId, read: readOf(doc) }, origin);
  }

  async drop(id: string, reason: string, origin: Origin): Promise<boolean> {
    const doc = await this.reader.byKey(id);
    if (doc?.phase !== 'failed') return false;
    const { userId, scheduledId } = doc;
    return this.#run({ type: 'drop-scheduled', userId, scheduledId, reason }, origin);
  }

  #run(asked: OmitEach<ScheduledCommand, 'at'>, origin: Origin): Promise<boolean> {
    const make = (at: number): ScheduledCommand => ({ ...asked, at });
    const decision = inStream(scheduledDecider, streams.plans(asked.userId), make);
    return this.decisions.carryThrough(
      decision.answering(({ events }) => events.length > 0),
      origin,
    );
  }
}

function itemOf({ key, reason, failedAt }: FailedScheduledDocument): PendingItem {
  const [userId = '', scheduledId = ''] = key.split(':');
  return {
    id: key,
    what: `scheduled message ${Number(scheduledId)} of user ${userId}`,
    since: failedAt,
    attempts: 1,
    reason,
    nextAt: null,
  };
}
