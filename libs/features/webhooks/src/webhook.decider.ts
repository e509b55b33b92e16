import { type Decider, unreachable } from '#kernel';
import type { CallOutcome, WebhookCommand } from './webhook.commands.js';
import type { WebhookEvent } from './webhook.events.js';

/** Seconds before each further attempt (endpoints.md §9: three). */
export const PAUSES_SECONDS = [1, 10, 60] as const;
/** After this time nobody waits for what the bot says. */
export const AGE_MAX_SECONDS = 3_600;
const BUSY_PAUSE_SECONDS = 5;
const BUSY_PAUSE_MAX_SECONDS = 600;

const BUSY = 'Too many calls of the bot are under way.';
export const OUTDATED = 'The service could not be called within an hour.';
const DROPPED = 'The operator of the server has dropped the call:';
export const UNKNOWN = 'It is not known whether the service was called.';

interface Call {
  readonly phase: 'waiting' | 'calling' | 'over';
  /** Attempts that began. */
  readonly attempts: number;
  /** How often it waited for other calls. */
  readonly waits: number;
  /** End of the attempt in progress, or of the pause. */
  readonly until: number;
}

/** One call of the service of a bot for a message, in a stream of its own, which is empty until the first attempt. */
export const webhookDecider: Decider<Call, WebhookCommand, WebhookEvent> = {
  initial: () => ({ phase: 'waiting', attempts: 0, waits: 0, until: 0 }),
  decide,
  evolve,
};

function decide(call: Call, command: WebhookCommand): readonly WebhookEvent[] {
  const { callId, at } = command;
  switch (command.type) {
    case 'begin-call': {
      if (!isDue(call, at)) return [];
      if (at - command.sentAt > AGE_MAX_SECONDS) return [failed(callId, OUTDATED, at)];
      if (call.attempts > PAUSES_SECONDS.length) return [failed(callId, UNKNOWN, at)];
      return [
        { type: 'webhook.calling.v1', data: { callId, attempt: call.attempts + 1, until: at + command.seconds, at } },
      ];
    }
    case 'postpone-call': {
      if (!isDue(call, at)) return [];
      if (at - command.sentAt > AGE_MAX_SECONDS) return [failed(callId, OUTDATED, at)];
      const pause = Math.min(BUSY_PAUSE_SECONDS * 2 ** call.waits, BUSY_PAUSE_MAX_SECONDS);
      return [{ type: 'webhook.postponed.v1', data: { callId, isBusy: true, reason: BUSY, until: at + pause, at } }];
    }
    case 'hasten-call': {
      if (call.phase !== 'waiting' || call.until <= at) return [];
      return [{ type: 'webhook.postponed.v1', data: { callId, isRetry: true, until: at, at } }];
    }
    case 'drop-call':
      return call.phase === 'over' ? [] : [failed(callId, `${DROPPED} ${command.reason}`, at)];
    case 'end-call':
      // An attempt that took too long may have been followed by another one.
      return call.phase === 'calling' && call.attempts === command.attempt
        ? [ended(call, callId, command.outcome, at)]
        : [];
    default:
      return unreachable(command);
  }
}

/** @returns seconds until the next attempt; undefined when there is none */
export function pauseAfter(attempts: number, { kind }: CallOutcome): number | undefined {
  return kind === 'later' ? PAUSES_SECONDS[attempts - 1] : undefined;
}

function isDue({ phase, until }: Call, at: number): boolean {
  return phase !== 'over' && until <= at;
}

function ended({ attempts }: Call, callId: string, outcome: CallOutcome, at: number): WebhookEvent {
  if (outcome.kind === 'answered') {
    const { reply, widget } = outcome;
    const asked = widget === undefined ? undefined : { widget };
    const entails = reply === undefined ? undefined : { entails: { reply, ...asked } };
    return { type: 'webhook.finished.v1', data: { callId, ...entails, at } };
  }
  const pause = pauseAfter(attempts, outcome);
  if (pause === undefined) return failed(callId, outcome.reason, at);
  return { type: 'webhook.postponed.v1', data: { callId, reason: outcome.reason, until: at + pause, at } };
}

function failed(callId: string, failure: string, at: number): WebhookEvent {
  return { type: 'webhook.finished.v1', data: { callId, entails: { failure }, at } };
}

function evolve(call: Call, event: WebhookEvent): Call {
  switch (event.type) {
    case 'webhook.calling.v1':
      return { ...call, phase: 'calling', attempts: event.data.attempt, until: event.data.until };
    case 'webhook.postponed.v1': {
      const { until, isBusy } = event.data;
      return { ...call, phase: 'waiting', until, waits: call.waits + (isBusy === true ? 1 : 0) };
    }
    case 'webhook.finished.v1':
      return { ...call, phase: 'over' };
  }
}
