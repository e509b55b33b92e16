import { Injectable } from '@nestjs/common';
import { CommandRunner, EventStore, type RecordedEvent, streams } from '#event-store';
import { sinceFirst, TimedWork, type Work } from '#feature';
import { Clock, type Origin } from '#kernel';
import { DueTimers } from '#timers';
import { noticeDecider, type NoticeCommand } from './notice.decider.js';
import type { NoticeQueued } from './notice.events.js';

/** Notices that the push service has not taken for all users, and that are not given up. */
@Injectable()
export class PendingNotices extends TimedWork {
  override readonly kind = 'push';

  constructor(
    due: DueTimers,
    store: EventStore,
    private readonly runner: CommandRunner,
    private readonly clock: Clock,
  ) {
    super('notice', due, store);
  }

  override retry(noticeId: string, origin: Origin): Promise<boolean> {
    return this.#run({ type: 'hasten-notice', noticeId, at: this.clock.nowSeconds() }, origin);
  }

  override drop(noticeId: string, reason: string, origin: Origin): Promise<boolean> {
    return this.#run({ type: 'drop-notice', noticeId, reason, at: this.clock.nowSeconds() }, origin);
  }

  protected override streamOf(noticeId: string): string {
    return streams.notice(noticeId);
  }

  protected override work(_noticeId: string, events: readonly RecordedEvent[]): Work {
    const queued = events.find(({ type }) => type === ('notice.queued.v1' satisfies NoticeQueued['type']));
    const { kind, messageIds = [], push = [] } = (queued?.data ?? {}) as Partial<NoticeQueued['data']>;
    const about = messageIds.length === 1 ? `message ${messageIds[0] ?? ''}` : `${messageIds.length} messages`;
    return {
      what: `${kind === 'removal' ? 'removal of ' : ''}${about}, users ${push.map(({ userId }) => userId).join(' ')}`.slice(
        0,
        200,
      ),
      since: sinceFirst(events),
    };
  }

  async #run(
    command: Extract<NoticeCommand, { type: 'hasten-notice' | 'drop-notice' }>,
    origin: Origin,
  ): Promise<boolean> {
    const { events } = await this.runner.run(noticeDecider, streams.notice(command.noticeId), command, origin);
    return events.length > 0;
  }
}
