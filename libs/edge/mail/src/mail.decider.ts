import { unreachable, type Decider } from '#kernel';
import type { MailCommand, Outcome } from './mail.commands.js';
import type { MailEvent } from './mail.events.js';

/** Seconds between attempts: together some two days, after which nobody waits for the mail any more. */
export const PAUSES_SECONDS = [60, 300, 900, 3_600, 14_400, 28_800, 43_200, 86_400] as const;
/** Time after which an attempt to send counts as broken off: longer than a mail server may take to answer the end of a mail. */
export const SUBMITTING_MAX_SECONDS = 30;

const HASTENED = 'The operator asked for an attempt.';
export const UNKNOWN = 'It is not known whether the mail server has taken it.';

interface Mail {
  readonly phase: 'absent' | 'waiting' | 'submitting' | 'over';
  /** Attempts that were postponed. */
  readonly attempts: number;
  /** End of the attempt in progress. */
  readonly until: number;
}

/** One mail, in a stream of its own: it is handed over to the mail server by one process at a time. */
export const mailDecider: Decider<Mail, MailCommand, MailEvent> = {
  initial: () => ({ phase: 'absent', attempts: 0, until: 0 }),
  decide,
  evolve,
};

function decide(mail: Mail, command: MailCommand): readonly MailEvent[] {
  const { mailId, at } = command;
  switch (command.type) {
    case 'queue-mail': {
      if (mail.phase !== 'absent') return [];
      const { template, values } = command;
      return [{ type: 'mail.queued.v1', data: { mailId, template, values, at } }];
    }
    case 'submit-mail': {
      if (mail.phase !== 'waiting' || mail.until > at) return [];
      return [{ type: 'mail.submitting.v1', data: { mailId, until: at + SUBMITTING_MAX_SECONDS, at } }];
    }
    case 'skip-mail':
      return mail.phase === 'waiting' && mail.until <= at ? [finished(mail, mailId, command.outcome, at)] : [];
    case 'finish-mail':
      return mail.phase === 'submitting' ? [finished(mail, mailId, command.outcome, at)] : [];
    case 'hasten-mail': {
      if (mail.phase !== 'waiting' || mail.until <= at) return [];
      return [{ type: 'mail.postponed.v1', data: { mailId, reason: HASTENED, isRetry: true, until: at, at } }];
    }
    case 'drop-mail':
      return mail.phase === 'waiting'
        ? [{ type: 'mail.dropped.v1', data: { mailId, reason: command.reason, at } }]
        : [];
    case 'expire-mail': {
      if (mail.phase !== 'submitting' || mail.until > at) return [];
      return [{ type: 'mail.dropped.v1', data: { mailId, reason: UNKNOWN, at } }];
    }
    default:
      return unreachable(command);
  }
}

function finished({ attempts }: Mail, mailId: string, outcome: Outcome, at: number): MailEvent {
  if (outcome.kind === 'sent') return { type: 'mail.sent.v1', data: { mailId, at } };
  const { kind, reason } = outcome;
  const pause = PAUSES_SECONDS[attempts];
  if (kind === 'never' || pause === undefined) return { type: 'mail.dropped.v1', data: { mailId, reason, at } };
  return { type: 'mail.postponed.v1', data: { mailId, reason, until: at + pause, at } };
}

function evolve(mail: Mail, event: MailEvent): Mail {
  switch (event.type) {
    case 'mail.queued.v1':
      return { ...mail, phase: 'waiting', until: event.data.at };
    case 'mail.submitting.v1':
      return { ...mail, phase: 'submitting', until: event.data.until };
    case 'mail.postponed.v1':
      return {
        phase: 'waiting',
        attempts: mail.attempts + (event.data.isRetry === true ? 0 : 1),
        until: event.data.until,
      };
    case 'mail.sent.v1':
    case 'mail.dropped.v1':
      return { ...mail, phase: 'over' };
  }
}
