import { projectionSpec } from '#testing';
import { dueIndexProjection } from '#timers';
import type { MailEvent } from './mail.events.js';
import { mailTimers, outgoingMailProjection } from './mail.projection.js';

const mailId = 'abc';
const at = 1000;
const values = { userId: '7' };
const queued: MailEvent = { type: 'mail.queued.v1', data: { mailId, template: 'greeting', values, at } };
const submitting: MailEvent = { type: 'mail.submitting.v1', data: { mailId, until: 1300, at } };
const postponed: MailEvent = { type: 'mail.postponed.v1', data: { mailId, reason: 'away', until: 1060, at } };
const sent: MailEvent = { type: 'mail.sent.v1', data: { mailId, at } };
const dropped: MailEvent = { type: 'mail.dropped.v1', data: { mailId, reason: 'unknown', at } };

test('a mail has a document until it is sent or given up', () => {
  const { given } = projectionSpec(outgoingMailProjection);
  given(queued).thenDoc(mailId, { template: 'greeting', values, isSubmitting: false });
  given(queued, submitting).thenDoc(mailId, { template: 'greeting', values, isSubmitting: true });
  given(queued, submitting, postponed).thenDoc(mailId, { template: 'greeting', values, isSubmitting: false });
  for (const end of [sent, dropped]) given(queued, submitting, end).thenKeys();
});

test('and a timer', () => {
  const { given } = projectionSpec(dueIndexProjection([mailTimers]));
  const timer = (dueAt: number, revision: number) => {
    return { kind: 'mail', subject: mailId, dueAt, setBy: `1.organization@${revision}` };
  };
  given(queued).thenDoc('mail:abc', timer(at, 0));
  given(queued, submitting).thenDoc('mail:abc', timer(1300, 1));
  given(queued, submitting, postponed).thenDoc('mail:abc', timer(1060, 2));
  for (const end of [sent, dropped]) given(queued, submitting, end).thenKeys();
});
