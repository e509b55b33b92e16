import { Injectable } from '@nestjs/common';
import { Directory } from '#people';
import { preferencesPart } from '#preferences/model';
import { MISSED_MAX } from '../missed/missed.projection.js';

/** Batches in memory; those that are due by now are dropped when there are more. */
const OPEN_MAX = 50_000;

interface OpenBatch {
  /** Seconds since the epoch. */
  readonly dueAt: number;
  /** Messages that joined it since its user last read anything. */
  unread: number;
}

/**
 * The next mail about missed messages of each user: its batch is open from the first message on for the user's batching period. A
 * batch that holds as many unread messages as a mail is about takes no more, so that somebody who is away does not make the server
 * record each message of a busy topic a second time. The times are in the recorded notices; a process that does not know of an open
 * batch begins another one.
 */
@Injectable()
export class MailBatches {
  readonly #open = new Map<number, OpenBatch>();

  constructor(private readonly directory: Directory) {}

  /** Whether a message that the user misses now joins their batch. */
  hasRoom(userId: number, now: number): boolean {
    const open = this.#open.get(userId);
    return open === undefined || open.dueAt <= now || open.unread < MISSED_MAX;
  }

  /**
   * Adds a message to the user's batch.
   * @returns when the mail is due
   */
  join(userId: number, now: number): number {
    const open = this.#open.get(userId);
    if (open !== undefined && open.dueAt > now) {
      open.unread++;
      return open.dueAt;
    }
    if (this.#open.size >= OPEN_MAX) this.#prune(now);
    const dueAt =
      now + this.directory.of(preferencesPart).setting(userId, 'email_notifications_batching_period_seconds');
    this.#open.set(userId, { dueAt, unread: 1 });
    return dueAt;
  }

  /** The user has read messages, which leaves room for others. */
  read(userId: number): void {
    const open = this.#open.get(userId);
    if (open !== undefined) open.unread = 0;
  }

  #prune(now: number): void {
    for (const [userId, { dueAt }] of this.#open) if (dueAt <= now) this.#open.delete(userId);
    if (this.#open.size >= OPEN_MAX) this.#open.clear();
  }
}
