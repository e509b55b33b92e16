import { Command } from '@nestjs/cqrs';
import { streams } from '#event-store';
import { command, inStream } from '#feature';
import { badRequest } from '#kernel';
import { Directory } from '#people';
import type { User } from '#users/model';
import { Named } from '../past/named.js';
import { approvalsDecider } from './approvals.decider.js';
import { meantBy } from './meant.js';
import { type Asked, isQuestion, showsContents } from './scope.js';

/** A request that was made. */
export interface MadeRequest {
  readonly requestId: number;
  /** Seconds since the epoch. */
  readonly until: number;
}

/** Asks others to approve a call of an auditor. @throws Refusal BAD_REQUEST */
export class RequestCallCommand extends Command<MadeRequest> {
  constructor(
    readonly actor: User,
    readonly asked: Asked,
    readonly reason: string,
  ) {
    super();
  }
}

export const requestCall = command(
  RequestCallCommand,
  { directory: Directory, named: Named },
  ({ actor: { userId: by }, asked: { question, parameters }, reason }, { directory, named }) => {
    if (!isQuestion(question)) throw badRequest('There is no such question.');
    if (!directory.settings.audit_needs_approval || !showsContents(question))
      throw badRequest('This call needs no approval.');
    const meant = meantBy(named, parameters);
    return inStream(approvalsDecider, streams.auditRequests, (at) => ({
      type: 'request-call' as const,
      ...{ by, question, parameters, meant, reason, at },
    })).answering(({ events: [made] }) => {
      if (made?.type !== 'audit.call-requested.v1') throw new Error('A request was accepted and not made.');
      return { requestId: made.data.requestId, until: made.data.until };
    });
  },
);

/** Approves or refuses the request of somebody else. @throws Refusal BAD_REQUEST */
export class DecideCallCommand extends Command<void> {
  constructor(
    readonly actor: User,
    readonly requestId: number,
    readonly isApproved: boolean,
    readonly reason: string,
  ) {
    super();
  }
}

export const decideCall = command(DecideCallCommand, {}, ({ actor: { userId: by }, requestId, isApproved, reason }) =>
  inStream(approvalsDecider, streams.auditRequests, (at) => ({
    type: isApproved ? ('approve-call' as const) : ('refuse-call' as const),
    ...{ by, requestId, reason, at },
  })),
);
