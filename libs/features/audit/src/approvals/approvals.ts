import { Injectable } from '@nestjs/common';
import { EventStore, streams } from '#event-store';
import { Clock, Refusal } from '#kernel';
import { Directory } from '#people';
import type { User } from '#users/model';
import { mayApprove } from '../access/doors.js';
import { type LogEvent, type Row, rowOf } from '../rows.js';
import { Named } from '../past/named.js';
import { wireUser } from '../wire.js';
import type { AuditCallRequested } from './approval.events.js';
import { stillMeans } from './meant.js';
import { type KnownRequest, RequestsReader } from './requests.reader.js';
import { type Asked, covers, showsContents } from './scope.js';

/** The request by which a call is made, and who approved it. */
export interface Approval {
  readonly requestId: number;
  readonly by: number;
}

/** Whether calls of auditors may be carried out, where somebody else has to approve them. */
@Injectable()
export class Approvals {
  constructor(
    private readonly directory: Directory,
    private readonly store: EventStore,
    private readonly requests: RequestsReader,
    private readonly clock: Clock,
    private readonly named: Named,
  ) {}

  /**
   * What the auditor's call is made by; undefined where it needs no approval. One that was given counts as long as who gave it may
   * give it.
   * @param includes whether an approved request has what is asked; the same question and parts of the same export, when absent
   * @throws Refusal APPROVAL_REQUIRED
   */
  async of(
    auditor: User,
    asked: Asked,
    includes: (approved: Asked) => Promise<boolean> = () => Promise.resolve(false),
  ): Promise<Approval | undefined> {
    if (!this.directory.settings.audit_needs_approval || !showsContents(asked.question)) return undefined;
    for (const request of await this.requests.open(this.clock.nowSeconds())) {
      const approver = this.#approverOf(request, auditor);
      if (approver !== undefined && (covers(request, asked) || (await includes(request))))
        return { requestId: request.requestId, by: approver };
    }
    throw new Refusal(
      'APPROVAL_REQUIRED',
      'This call shows contents, and another auditor or an owner has to approve it first. Request their approval.',
    );
  }

  #approverOf({ by, approvedBy, parameters, meant }: KnownRequest, auditor: User): number | undefined {
    if (by !== auditor.userId || approvedBy === undefined || approvedBy === by) return undefined;
    if (meant !== undefined && !stillMeans(this.named, parameters, meant)) return undefined;
    return mayApprove(this.directory, this.directory.user(approvedBy)) ? approvedBy : undefined;
  }

  /** Requests that are not over, oldest first. */
  async *rows(): AsyncGenerator<Row, void, void> {
    for (const { requestId, revision, until, approvedBy } of await this.requests.open(this.clock.nowSeconds())) {
      const [event] = (await this.store.readStream(streams.auditRequests, {
        from: revision,
        limit: 1,
      })) as readonly LogEvent[];
      if (event === undefined) throw new Error(`The log has no request ${requestId}, which was recorded.`);
      const { question, parameters, reason } = event.data as AuditCallRequested['data'];
      yield rowOf(this.directory, event, 'request', {
        request_id: requestId,
        state: approvedBy === undefined ? 'open' : 'approved',
        ...(approvedBy === undefined ? {} : { approved_by: wireUser(this.directory, approvedBy) }),
        until,
        question,
        parameters,
        reason,
      });
    }
  }
}
