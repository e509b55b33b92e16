import { Injectable } from '@nestjs/common';
import type { FollowUp, Trigger } from '#follow-ups';
import { causedBy } from '#kernel';
import { MarkRead } from '#reading';
import type { MuteAdded } from './model/preferences.events.js';

/**
 * Messages after a mute arrive read; those before it are marked as read by this follow-up, so that none is missed in
 * between.
 */
@Injectable()
export class MuteFollowUp implements FollowUp<MuteAdded['data']> {
  constructor(private readonly marks: MarkRead) {}

  async carryOut({ key, data: { userId, mutedUserId } }: Trigger<MuteAdded['data']>): Promise<void> {
    await this.marks.sentByMuted(userId, mutedUserId, causedBy({ key }));
  }
}
