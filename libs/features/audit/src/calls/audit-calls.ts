import { Injectable } from '@nestjs/common';
import { CommandRunner, EventStore, streams } from '#event-store';
import { Clock, originFrom } from '#kernel';
import { Directory } from '#people';
import type { User } from '#users/model';
import type { Approval } from '../approvals/approvals.js';
import type { AnswerLog } from '../log/answer-log.js';
import { isEventUpTo, type Moment } from '../moment.js';
import { eventsOf } from '../pages.js';
import { type LogEvent, type Row, rowOf } from '../rows.js';
import { wireUser } from '../wire.js';
import type { AuditCalled } from './audit-call.events.js';

const PAGE = 100;

/** What an auditor asks, and why. */
export interface AuditCall {
  readonly question: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly reason: string;
  /** Where somebody else had to approve it. */
  readonly approval: Approval | undefined;
}

/** Place of a call in the log. */
export interface RecordedCall {
  readonly position: number;
  /** In the stream of calls. */
  readonly revision: number;
}

/** Records the calls of auditors, and lists them. */
@Injectable()
export class AuditCalls {
  constructor(
    private readonly runner: CommandRunner,
    private readonly store: EventStore,
    private readonly directory: Directory,
    private readonly clock: Clock,
  ) {}

  /** Resolves once everybody can see the call. */
  async record(auditor: User, { question, parameters, reason, approval }: AuditCall): Promise<RecordedCall> {
    const asked = { by: auditor.userId, question, parameters: { ...parameters }, reason };
    const data = { ...asked, ...(approval && { approval: { ...approval } }), at: this.clock.nowSeconds() };
    const event: AuditCalled = { type: 'audit.called.v1', data };
    const { position, lastRevision } = await this.runner.appendOnly(streams.audit, [event], originFrom(auditor));
    return { position, revision: lastRevision };
  }

  /** The line about a call. */
  async row({ revision }: RecordedCall, type: string, more: object): Promise<Row> {
    const [event] = (await this.store.readStream(streams.audit, { from: revision, limit: 1 })) as readonly LogEvent[];
    if (event === undefined) throw new Error(`The log has no call ${revision}, which was recorded.`);
    return rowOf(this.directory, event, type, more);
  }

  /** All calls, oldest first. */
  async *rows(log: AnswerLog, moment: Moment): AsyncGenerator<Row, void, void> {
    for await (const event of eventsOf<AuditCalled['data']>(log, streams.audit, PAGE)) {
      const { question, parameters, reason, approval } = event.data;
      const approved = approval && {
        approval: { request_id: approval.requestId, by: wireUser(this.directory, approval.by) },
      };
      if (isEventUpTo(moment, event))
        yield rowOf(this.directory, event, 'audit', { question, parameters, reason, ...approved });
    }
  }
}
