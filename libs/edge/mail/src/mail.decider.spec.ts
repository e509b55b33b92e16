import { specFor } from '#testing';
import type { Outcome } from './mail.commands.js';
import { mailDecider, PAUSES_SECONDS, SUBMITTING_MAX_SECONDS, UNKNOWN } from './mail.decider.js';
import type { MailEvent } from './mail.events.js';

const given = specFor(mailDecider);
const mailId = 'abc';
const at = 1000;
const queue = { type: 'queue-mail', mailId, at, template: 'greeting', values: { to: 'ann@example.test' } } as const;
const submit = (when = at) => ({ type: 'submit-mail', mailId, at: when }) as const;
const skip = (outcome: Outcome, when = at) => ({ type: 'skip-mail', mailId, at: when, outcome }) as const;
const finish = (outcome: Outcome, when = at) => ({ type: 'finish-mail', mailId, at: when, outcome }) as const;
const expire = (when: number) => ({ type: 'expire-mail', mailId, at: when }) as const;
const later = { kind: 'later', reason: 'away' } as const;
const never = { kind: 'never', reason: 'unknown address' } as const;

const queued: MailEvent = {
  type: 'mail.queued.v1',
  data: { mailId, template: 'greeting', values: { to: 'ann@example.test' }, at },
};
const submitting: MailEvent = {
  type: 'mail.submitting.v1',
  data: { mailId, until: at + SUBMITTING_MAX_SECONDS, at },
};
const sent: MailEvent = { type: 'mail.sent.v1', data: { mailId, at } };
const dropped = (reason: string, when = at): MailEvent => {
  return { type: 'mail.dropped.v1', data: { mailId, reason, at: when } };
};
const postponed = (pause: number, when = at): MailEvent => {
  return { type: 'mail.postponed.v1', data: { mailId, reason: 'away', until: when + pause, at: when } };
};

test('a mail is queued once', () => {
  given().when(queue).then(queued);
  for (const past of [[queued], [queued, submitting], [queued, submitting, sent]])
    given(...past)
      .when(queue)
      .thenNothing();
});
test('one process hands it over', () => {
  given(queued).when(submit()).then(submitting);
  given(queued, submitting).when(submit()).thenNothing();
  given(queued, submitting).when(skip(later)).thenNothing();
  given(queued, submitting, sent).when(submit()).thenNothing();
  given().when(submit()).thenNothing();
});
test('the outcome is recorded once', () => {
  given(queued, submitting)
    .when(finish({ kind: 'sent' }))
    .then(sent);
  given(queued, submitting).when(finish(never)).then(dropped('unknown address'));
  given(queued, submitting, sent).when(finish(later)).thenNothing();
  given(queued).when(finish(later)).thenNothing();
});
test('what was not taken is tried again, later each time, and given up in the end', () => {
  given(queued).when(skip(later)).then(postponed(PAUSES_SECONDS[0]));
  given(queued, submitting).when(finish(later)).then(postponed(PAUSES_SECONDS[0]));
  const waiting: MailEvent[] = [queued];
  let when = at;
  for (const pause of PAUSES_SECONDS) {
    given(...waiting)
      .when(skip(later, when))
      .then(postponed(pause, when));
    waiting.push(postponed(pause, when));
    given(...waiting)
      .when(submit(when + pause - 1))
      .thenNothing();
    given(...waiting)
      .when(skip(later, when + pause - 1))
      .thenNothing();
    when += pause;
  }
  given(...waiting)
    .when(skip(later, when))
    .then(dropped('away', when));
});
test('without an outcome, the mail server may have taken it: it is given up', () => {
  const end = at + SUBMITTING_MAX_SECONDS;
  given(queued, submitting)
    .when(expire(end - 1))
    .thenNothing();
  given(queued, submitting).when(expire(end)).then(dropped(UNKNOWN, end));
  given(queued, submitting, sent).when(expire(end)).thenNothing();
  given(queued).when(expire(end)).thenNothing();
});

test('the operator has it tried at once, which is no attempt that failed', () => {
  const hasten = (when: number) => ({ type: 'hasten-mail', mailId, at: when }) as const;
  const reason = 'The operator asked for an attempt.';
  const hastened: MailEvent = {
    type: 'mail.postponed.v1',
    data: { mailId, reason, isRetry: true, until: 1010, at: 1010 },
  };
  given(queued, postponed(PAUSES_SECONDS[0])).when(hasten(1010)).then(hastened);
  // The pause after the next failure is that after the second one.
  given(queued, postponed(PAUSES_SECONDS[0]), hastened)
    .when(skip(later, 1010))
    .then(postponed(PAUSES_SECONDS[1], 1010));
  for (const past of [[], [queued], [queued, submitting], [queued, submitting, sent]])
    given(...past)
      .when(hasten(at))
      .thenNothing();
});
test('the operator gives it up, unless it is being handed over', () => {
  const drop = { type: 'drop-mail', mailId, reason: 'It is old.', at } as const;
  given(queued).when(drop).then(dropped('It is old.'));
  given(queued, postponed(PAUSES_SECONDS[0])).when(drop).then(dropped('It is old.'));
  for (const past of [[], [queued, submitting], [queued, submitting, sent]])
    given(...past)
      .when(drop)
      .thenNothing();
});
