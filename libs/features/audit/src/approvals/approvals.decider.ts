import { badRequest, type Decider, unreachable } from '#kernel';
import type { ApprovalEvent } from './approval.events.js';

/** Requests that wait for somebody, or that an auditor still may make use of: the list has all of them. */
export const REQUESTS_MAX = 200;
/** Of one auditor, so that nobody takes the room of the others. */
export const REQUESTS_OF_ONE_MAX = 20;
const WAITING_SECONDS = 7 * 24 * 3600;
const APPROVED_SECONDS = 24 * 3600;

interface OnRequests {
  /** Who asks, or decides. */
  readonly by: number;
  readonly reason: string;
  /** Seconds since the epoch. */
  readonly at: number;
}

export interface RequestCall extends OnRequests {
  readonly type: 'request-call';
  readonly question: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** IDs of what they name. */
  readonly meant: Readonly<Record<string, number>>;
}

export interface DecideCall extends OnRequests {
  readonly type: 'approve-call' | 'refuse-call';
  readonly requestId: number;
}

export type ApprovalCommand = RequestCall | DecideCall;

interface Known {
  readonly by: number;
  readonly until: number;
  readonly isApproved: boolean;
}

interface Requests {
  lastId: number;
  /** Those that are not over, and some that are. */
  readonly byId: Map<number, Known>;
}

/** Requests of auditors, in one stream: how many there are is decided with it. */
export const approvalsDecider: Decider<Requests, ApprovalCommand, ApprovalEvent> = {
  initial: () => ({ lastId: 0, byId: new Map() }),
  decide,
  evolve,
};

/** @throws Refusal BAD_REQUEST */
function decide(state: Requests, command: ApprovalCommand): readonly ApprovalEvent[] {
  const { by, reason, at } = command;
  switch (command.type) {
    case 'request-call': {
      const open = [...state.byId.values()].filter(({ until }) => until >= at);
      if (open.length >= REQUESTS_MAX || open.filter((one) => one.by === by).length >= REQUESTS_OF_ONE_MAX)
        throw badRequest('There are too many open requests. Wait until some of them are decided or over.');
      const { question, parameters, meant } = command;
      const asked = { question, parameters: { ...parameters }, meant: { ...meant } };
      const data = { requestId: state.lastId + 1, by, ...asked, reason, at };
      return [{ type: 'audit.call-requested.v1', data: { ...data, until: at + WAITING_SECONDS, entails: 'notice' } }];
    }
    case 'approve-call': {
      const decided = decision(state, command);
      return [{ type: 'audit.call-approved.v1', data: { ...decided, until: at + APPROVED_SECONDS } }];
    }
    case 'refuse-call':
      return [{ type: 'audit.call-refused.v1', data: decision(state, command) }];
    default:
      return unreachable(command);
  }
}

/** One answer for what is unknown, over, decided, or the decider's own. */
function decision({ byId }: Requests, { requestId, by, reason, at }: DecideCall) {
  const known = byId.get(requestId);
  if (known === undefined || known.isApproved || known.until < at || known.by === by)
    throw badRequest('There is no open request of somebody else with this ID.');
  return { requestId, by, requestedBy: known.by, reason, at, entails: 'notice' as const };
}

function evolve(state: Requests, { type, data }: ApprovalEvent): Requests {
  const { requestId } = data;
  switch (type) {
    case 'audit.call-requested.v1':
      for (const [id, { until }] of state.byId) if (until < data.at) state.byId.delete(id);
      state.byId.set(requestId, { by: data.by, until: data.until, isApproved: false });
      state.lastId = Math.max(state.lastId, requestId);
      break;
    case 'audit.call-approved.v1':
      state.byId.set(requestId, { by: data.requestedBy, until: data.until, isApproved: true });
      break;
    case 'audit.call-refused.v1':
      state.byId.delete(requestId);
      break;
  }
  return state;
}
