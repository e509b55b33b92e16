import { Injectable } from '@nestjs/common';
import type { FollowUp, Trigger } from '#follow-ups';
import { causedBy, forEachInBatches } from '#kernel';
import { silentMention } from '#markdown';
import { INTERNAL_CLIENT, MessageSender } from '#messages';
import { Directory } from '#people';
import type { GroupEvent } from './model/group.events.js';
import { toldOf } from './members.decider.js';

const TOLD_AT_ONCE = 16;

/** The fields of an event that the notices need. */
interface Membership {
  readonly groupId: number;
  readonly userIds: readonly number[];
  readonly by: number;
}

/** Notices of the notification bot for users whom another user added to a group, or removed (rules.md §6). */
@Injectable()
export class GroupNotices implements FollowUp<Membership> {
  constructor(
    private readonly directory: Directory,
    private readonly sender: MessageSender,
  ) {}

  async carryOut({ type, key, data }: Trigger<Membership>): Promise<void> {
    const isRemoval = type === ('group.members-removed.v1' satisfies GroupEvent['type']);
    const what = isRemoval ? 'removed you from the group' : 'added you to the group';
    const [actor, group] = [this.directory.user(data.by), this.directory.group(data.groupId)];
    if (actor === undefined || group === undefined) return;
    const bot = this.directory.systemBot('notification');
    await forEachInBatches(TOLD_AT_ONCE, toldOf(this.directory, actor.userId, data.userIds), (userId) =>
      this.sender.sendOnce(
        bot,
        `${key}:${userId}`,
        {
          type: 'direct',
          to: [userId],
          content: `${silentMention(actor)} ${what} @_*${group.name}*.`,
          client: INTERNAL_CLIENT,
        },
        causedBy({ key }),
      ),
    );
  }
}
