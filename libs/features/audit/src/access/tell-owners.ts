import { Injectable } from '@nestjs/common';
import type { FollowUp, Trigger } from '#follow-ups';
import { causedBy, forEachInBatches } from '#kernel';
import { silentMention } from '#markdown';
import { INTERNAL_CLIENT, MessageSender } from '#messages';
import { Directory, type GroupSetting, ROLE } from '#organization';

const TOLD_AT_ONCE = 16;
/** Of each list of holders, the message names so many. */
const NAMED_MAX = 20;

interface AuditorsChanged {
  readonly permissions?: Readonly<Record<string, GroupSetting>>;
  readonly by: number;
  readonly entails?: { readonly formerAuditors: GroupSetting };
}

/** Tells all owners, by the notification bot, that others may audit from now on. */
@Injectable()
export class TellOwners implements FollowUp<AuditorsChanged> {
  constructor(
    private readonly directory: Directory,
    private readonly sender: MessageSender,
  ) {}

  async carryOut({ key, data: { permissions = {}, by, entails } }: Trigger<AuditorsChanged>): Promise<void> {
    const [actor, now] = [this.directory.user(by), permissions['can_audit_group']];
    if (actor === undefined || now === undefined || entails === undefined) return;
    const content = `${silentMention(actor)} changed who may audit this organization (\`can_audit_group\`).\n
* Before: ${this.#holders(entails.formerAuditors)}
* Now: ${this.#holders(now)}`;
    const bot = this.directory.systemBot('notification');
    const owners = [...this.directory.users()].filter(
      ({ role, isActive, botType }) => role === ROLE.owner && isActive && botType === null,
    );
    await forEachInBatches(TOLD_AT_ONCE, owners, ({ userId }) =>
      this.sender.sendOnce(
        bot,
        `${key}:auditors:${userId}`,
        {
          type: 'direct',
          to: [userId],
          content,
          client: INTERNAL_CLIENT,
        },
        causedBy({ key }),
      ),
    );
  }

  #holders(setting: GroupSetting): string {
    const { directMembers, directSubgroups } =
      typeof setting === 'number' ? { directMembers: [], directSubgroups: [setting] } : setting;
    const names = [
      ...directSubgroups.map((groupId) => `the group ${this.directory.group(groupId)?.name ?? groupId}`),
      ...directMembers.map((userId) => {
        const user = this.directory.user(userId);
        return user === undefined ? `user ${userId}` : silentMention(user);
      }),
    ];
    const more = names.length > NAMED_MAX ? ` and ${names.length - NAMED_MAX} more` : '';
    return `${names.slice(0, NAMED_MAX).join(', ')}${more}`;
  }
}
