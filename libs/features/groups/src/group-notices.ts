import { Injectable } from '@nestjs/common';
import type { FollowUp, Trigger } from '#follow-ups';
import { silentMention } from '#markdown';
import { BotNotices, namesInNotice } from '#messages';
import { Directory } from '#people';
import type { GroupEvent } from './model/group.events.js';
import { toldOf } from './members.decider.js';

/** The fields of an event that the notices need. */
interface Membership {
  readonly groupId: number;
  readonly userIds?: readonly number[];
  readonly subgroupIds?: readonly number[];
  readonly by: number;
  readonly entails?: 'notices' | 'owners' | 'notices and owners';
}

/**
 * Notices of the notification bot for users whom another user added to a group, or removed (rules.md §6), and for owners, when more
 * people may audit by the group.
 */
@Injectable()
export class GroupNotices implements FollowUp<Membership> {
  constructor(
    private readonly directory: Directory,
    private readonly notices: BotNotices,
  ) {}

  async carryOut({ type, key, data }: Trigger<Membership>): Promise<void> {
    const isRemoval = type === ('group.members-removed.v1' satisfies GroupEvent['type']);
    const what = isRemoval ? 'removed you from the group' : 'added you to the group';
    const { userIds = [], entails } = data;
    const [actor, group] = [this.directory.user(data.by), this.directory.group(data.groupId)];
    if (actor === undefined || group === undefined) return;
    if (entails !== 'owners') {
      const told = toldOf(this.directory, actor.userId, userIds);
      await this.notices.tell(key, key, told, `${silentMention(actor)} ${what} @_*${group.name}*.`, actor.userId);
    }
    if (entails === 'notices') return;
    const content = `${silentMention(actor)} let more people audit this organization by the group @_*${group.name}*: ${this.#letIn(data)}.`;
    // Unread for the actor as well: it may be somebody else who acts with an owner's account.
    await this.notices.tell(key, `${key}:auditors`, this.notices.ownerIds, content);
  }

  #letIn({ userIds = [], subgroupIds = [] }: Membership): string {
    const names = [
      ...this.notices.namesOf(userIds),
      ...subgroupIds.map((groupId) => `the group @_*${this.directory.group(groupId)?.name ?? groupId}*`),
    ];
    if (names.length === 0) return 'it was deactivated, and is active again';
    return namesInNotice(names);
  }
}
