import { Injectable } from '@nestjs/common';
import type { FollowUp, Trigger } from '#follow-ups';
import { fenceAround, silentMention } from '#markdown';
import { BotNotices } from '#messages';
import { Directory } from '#people';
import { groupsNamedBy } from '#groups/model';
import { mayApprove } from '../access/doors.js';
import type { ApprovalEvent, AuditCallApproved, AuditCallRefused, AuditCallRequested } from './approval.events.js';

/** A permission may be held by everybody: more messages would be a flood. */
const TOLD_MAX = 100;

/** Tells those who may approve a request of an auditor that there is one. */
@Injectable()
export class TellApprovers implements FollowUp<AuditCallRequested['data']> {
  constructor(
    private readonly directory: Directory,
    private readonly notices: BotNotices,
  ) {}

  async carryOut({ key, data }: Trigger<AuditCallRequested['data']>): Promise<void> {
    const { requestId, by, question, parameters, reason } = data;
    const auditor = this.directory.user(by);
    if (auditor === undefined) return;
    const content = `${silentMention(auditor)} asks to read contents as an auditor (request ${requestId}), and needs the approval of \
another auditor or an owner.\n
${fenced([question, ...Object.entries(parameters).map(([name, value]) => `${name}: ${value}`), `reason: ${reason}`].join('\n'))}`;
    await this.notices.tell(key, `${key}:request`, this.#approverIds(by), content, by);
  }

  /** Owners first. */
  #approverIds(requesterId: number): readonly number[] {
    const setting = this.directory.permission('can_audit_group');
    const named = typeof setting === 'number' ? [] : setting.directMembers;
    const auditorIds = [...named, ...this.directory.memberIds(groupsNamedBy(setting))];
    return [...new Set([...this.notices.ownerIds, ...auditorIds])]
      .filter((userId) => userId !== requesterId && mayApprove(this.directory, this.directory.user(userId)))
      .slice(0, TOLD_MAX);
  }
}

type Decided = (AuditCallApproved | AuditCallRefused)['data'];

/** Tells an auditor what became of a request. */
@Injectable()
export class TellRequester implements FollowUp<Decided> {
  constructor(
    private readonly directory: Directory,
    private readonly notices: BotNotices,
  ) {}

  async carryOut({ key, type, data: { requestId, by, requestedBy, reason } }: Trigger<Decided>): Promise<void> {
    const [decider, requester] = [this.directory.user(by), this.directory.user(requestedBy)];
    if (decider === undefined || requester?.isActive !== true) return;
    const isApproved = type === ('audit.call-approved.v1' satisfies ApprovalEvent['type']);
    const what = isApproved ? 'approved your request' : 'refused your request';
    const content = `${silentMention(decider)} ${what} ${requestId} to read contents as an auditor.\n\n${fenced(reason)}`;
    await this.notices.tell(key, `${key}:decision`, [requestedBy], content, by);
  }
}

/** Text in which nothing is a mention or a link. */
function fenced(text: string): string {
  const fence = fenceAround(text);
  return `${fence}text\n${text}\n${fence}`;
}
