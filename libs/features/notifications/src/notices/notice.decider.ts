import { type Decider, unreachable } from '#kernel';
import type { NoticeEvent, NoticeQueued } from './notice.events.js';

/** Seconds between attempts: together some four hours, after which a notification is of no use. */
export const PAUSES_SECONDS = [5, 30, 120, 600, 1_800, 3_600, 7_200] as const;

export type NoticeCommand =
  | ({ readonly type: 'queue-notice' } & NoticeQueued['data'])
  | {
      readonly type: 'report-notice';
      readonly noticeId: string;
      /** Users of whom the push service has taken it in this attempt. */
      readonly told: readonly number[];
      /** Whether other users are still to be notified. */
      readonly isLeft: boolean;
      /** Why the push service has not taken it for others. */
      readonly reason?: string | undefined;
      readonly at: number;
    }
  /** The operator asks for an attempt at once. */
  | { readonly type: 'hasten-notice'; readonly noticeId: string; readonly at: number }
  /** The operator gives it up. */
  | { readonly type: 'drop-notice'; readonly noticeId: string; readonly reason: string; readonly at: number };

interface Notice {
  readonly queued: Pick<NoticeQueued['data'], 'kind' | 'messageIds'> | undefined;
  readonly isOver: boolean;
  readonly attempts: number;
  /** Earliest time of the next attempt. */
  readonly until: number;
}

/** One notice, in a stream of its own: any number of processes may decide it and tell it, and the first one counts. */
export const noticeDecider: Decider<Notice, NoticeCommand, NoticeEvent> = {
  initial: () => ({ queued: undefined, isOver: false, attempts: 0, until: 0 }),
  decide,
  evolve,
};

function decide(notice: Notice, command: NoticeCommand): readonly NoticeEvent[] {
  switch (command.type) {
    case 'queue-notice': {
      const { type: _, ...data } = command;
      return notice.queued === undefined ? [{ type: 'notice.queued.v1', data }] : [];
    }
    case 'report-notice': {
      const { noticeId, told, isLeft, reason, at } = command;
      if (notice.queued === undefined || notice.isOver || notice.until > at) return [];
      const { kind, messageIds } = notice.queued;
      const data = { noticeId, kind, messageIds: [...messageIds], told, at };
      const pause = PAUSES_SECONDS[notice.attempts];
      if (!isLeft || pause === undefined) return [{ type: 'notice.finished.v1', data }];
      return [{ type: 'notice.postponed.v1', data: { ...data, ...(reason && { reason }), until: at + pause } }];
    }
    case 'hasten-notice': {
      const { noticeId, at } = command;
      if (notice.queued === undefined || notice.isOver || notice.until <= at) return [];
      const data = { noticeId, ...copyOf(notice.queued), told: [], at };
      return [{ type: 'notice.postponed.v1', data: { ...data, isRetry: true, until: at } }];
    }
    case 'drop-notice': {
      const { noticeId, reason, at } = command;
      if (notice.queued === undefined || notice.isOver) return [];
      return [{ type: 'notice.finished.v1', data: { noticeId, ...copyOf(notice.queued), told: [], reason, at } }];
    }
    default:
      return unreachable(command);
  }
}

function copyOf({
  kind,
  messageIds,
}: NonNullable<Notice['queued']>): Pick<NoticeQueued['data'], 'kind' | 'messageIds'> {
  return { kind, messageIds: [...messageIds] };
}

function evolve(notice: Notice, event: NoticeEvent): Notice {
  switch (event.type) {
    case 'notice.queued.v1': {
      const { kind, messageIds, push, at } = event.data;
      return { queued: { kind, messageIds }, isOver: push.length === 0, attempts: 0, until: at };
    }
    case 'notice.postponed.v1':
      return { ...notice, attempts: notice.attempts + (event.data.isRetry === true ? 0 : 1), until: event.data.until };
    case 'notice.finished.v1':
      return { ...notice, isOver: true };
  }
}
