import { Injectable } from '@nestjs/common';
import { type Trigger, FollowUps } from '#follow-ups';
import { forEachInBatches } from '#kernel';
import { silentMention } from '#markdown';
import { INTERNAL_CLIENT, MessageSender } from '#messages';
import { Directory } from '#organization';
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
export class GroupNotices {
  constructor(
    private readonly directory: Directory,
    private readonly sender: MessageSender,
    followUps: FollowUps,
  ) {
    const added = (cause: Trigger<Membership>): Promise<void> => this.#tell(cause, 'added you to the group');
    const removed = (cause: Trigger<Membership>): Promise<void> => this.#tell(cause, 'removed you from the group');
    followUps.add({ cause: 'group.created.v1', carryOut: added });
    followUps.add({ cause: 'group.members-added.v1', carryOut: added });
    followUps.add({ cause: 'group.members-removed.v1', carryOut: removed });
  }

  async #tell({ key, data }: Trigger<Membership>, what: string): Promise<void> {
    const [actor, group] = [this.directory.user(data.by), this.directory.group(data.groupId)];
    if (actor === undefined || group === undefined) return;
    const bot = this.directory.systemBot('notification');
    await forEachInBatches(TOLD_AT_ONCE, toldOf(this.directory, actor.userId, data.userIds), (userId) =>
      this.sender.sendOnce(bot, `${key}:${userId}`, {
        type: 'direct',
        to: [userId],
        content: `${silentMention(actor)} ${what} @_*${group.name}*.`,
        client: INTERNAL_CLIENT,
      }),
    );
  }
}
