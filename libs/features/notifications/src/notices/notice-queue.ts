import { Injectable } from '@nestjs/common';
import { CommandRunner, streams } from '#event-store';
import { Clock, type Origin } from '#kernel';
import { noticeDecider } from './notice.decider.js';
import type { NoticeQueued } from './notice.events.js';

/** Bounds the size of one event, and the work for one notice. */
const RECIPIENTS_MAX = 500;

/** Name of the notice of a message; one with many recipients has several parts. */
export function noticeIdOf(messageId: number, part: number): string {
  return `m${messageId}-${part}`;
}

/** Records who is to be notified; the timers do the rest. */
@Injectable()
export class NoticeQueue {
  constructor(
    private readonly runner: CommandRunner,
    private readonly clock: Clock,
  ) {}

  /** Notices of a new message. Repeated calls for the same message change nothing. */
  async message(messageId: number, push: NoticeQueued['data']['push'], origin: Origin): Promise<void> {
    const parts = Math.ceil(push.length / RECIPIENTS_MAX);
    for (let part = 0; part < parts; part++) {
      const from = part * RECIPIENTS_MAX;
      await this.#queue(
        {
          noticeId: noticeIdOf(messageId, part),
          kind: 'message',
          messageIds: [messageId],
          push: push.slice(from, from + RECIPIENTS_MAX),
          mail: [],
        },
        origin,
      );
    }
  }

  /**
   * Removes notifications of messages that a user has read, or cannot read any more.
   * @param name unique among the removals of the user
   */
  async removal(userId: number, name: string, messageIds: readonly number[], origin: Origin): Promise<void> {
    const push = [{ userId, trigger: 'read' }];
    await this.#queue({ noticeId: `r${userId}-${name}`, kind: 'removal', messageIds, push, mail: [] }, origin);
  }

  async #queue(data: Omit<NoticeQueued['data'], 'at'>, origin: Origin): Promise<void> {
    const command = { type: 'queue-notice', ...data, at: this.clock.nowSeconds() } as const;
    await this.runner.run(noticeDecider, streams.notice(data.noticeId), command, origin, { isNew: true });
  }
}
