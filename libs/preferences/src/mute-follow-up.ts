import { Injectable } from '@nestjs/common';
import { type Cause, type FollowUp, FollowUps } from '#follow-ups';
import { MarkRead } from '#messages';
import type { MuteAdded } from '#organization';

/** What comes after a mute arrives read; what was there before is marked as read after it, so that nothing slips between. */
@Injectable()
export class MuteFollowUp implements FollowUp<MuteAdded['data']> {
  readonly cause = 'mute.added.v1' satisfies MuteAdded['type'];

  constructor(
    private readonly marks: MarkRead,
    followUps: FollowUps,
  ) {
    followUps.add(this);
  }

  async carryOut({ data: { userId, mutedUserId } }: Cause<MuteAdded['data']>): Promise<void> {
    await this.marks.sentByMuted(userId, mutedUserId);
  }
}
