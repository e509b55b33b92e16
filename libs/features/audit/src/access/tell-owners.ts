import { Injectable } from '@nestjs/common';
import type { FollowUp, Trigger } from '#follow-ups';
import { silentMention } from '#markdown';
import { BotNotices, namesInNotice } from '#messages';
import { Directory } from '#people';
import type { GroupSetting } from '#groups/model';

interface AuditChanged {
  readonly permissions?: Readonly<Record<string, GroupSetting>>;
  readonly settings?: { readonly audit_needs_approval?: boolean };
  readonly by: number;
  readonly entails?: { readonly formerAuditors: GroupSetting };
}

/** Tells all owners, by the notification bot, that others may audit from now on, or that others do or do not have to approve it. */
@Injectable()
export class TellOwners implements FollowUp<AuditChanged> {
  constructor(
    private readonly directory: Directory,
    private readonly notices: BotNotices,
  ) {}

  async carryOut({
    key,
    data: { permissions = {}, settings = {}, by, entails },
  }: Trigger<AuditChanged>): Promise<void> {
    const [actor, now] = [this.directory.user(by), permissions['can_audit_group']];
    if (actor === undefined || entails === undefined) return;
    const told: string[] = [];
    if (now !== undefined)
      told.push(`${silentMention(actor)} changed who may audit this organization (\`can_audit_group\`).\n
* Before: ${this.#holders(entails.formerAuditors)}
* Now: ${this.#holders(now)}`);
    if (settings.audit_needs_approval !== undefined) told.push(`${silentMention(actor)} ${approval(settings)}`);
    // Unread for the actor as well: it may be somebody else who acts with an owner's account.
    await this.notices.tell(key, `${key}:auditors`, this.notices.ownerIds, told.join('\n\n'));
  }

  #holders(setting: GroupSetting): string {
    const { directMembers, directSubgroups } =
      typeof setting === 'number' ? { directMembers: [], directSubgroups: [setting] } : setting;
    const names = [
      ...directSubgroups.map((groupId) => `the group ${this.directory.group(groupId)?.name ?? groupId}`),
      ...this.notices.namesOf(directMembers),
    ];
    return namesInNotice(names);
  }
}

function approval({ audit_needs_approval: isNeeded }: NonNullable<AuditChanged['settings']>): string {
  return isNeeded === true
    ? 'decided that auditors read contents only when somebody else has approved it (`audit_needs_approval`).'
    : 'decided that auditors read contents **without the approval of anybody else** (`audit_needs_approval`).';
}
