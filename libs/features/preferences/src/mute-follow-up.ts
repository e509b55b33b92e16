import { Injectable } from '@nestjs/common';
import { type Trigger, type FollowUp, FollowUps } from '#follow-ups';
import { MarkRead } from '#reading';
import type { MuteAdded } from '#organization';

/**
 * Messages after a mute arrive read; those before it are marked as read by this follow-up, so that none is missed in
 * between.
 */
@Injectable()
export class MuteFollowUp implements FollowUp<MuteAdded['data']> {
  readonly cause = 'mute.added.v1' satisfies MuteAdded['type'];

  constructor(
    private readonly marks: MarkRead,
    followUps: FollowUps,
  ) {
    followUps.add(this);
  }

  async carryOut({ data: { userId, mutedUserId } }: Trigger<MuteAdded['data']>): Promise<void> {
    await this.marks.sentByMuted(userId, mutedUserId);
  }
}
