import { specFor } from '#testing';
import type { CallOutcome } from './webhook.commands.js';
import { AGE_MAX_SECONDS, OUTDATED, PAUSES_SECONDS, UNKNOWN, webhookDecider } from './webhook.decider.js';
import type { WebhookEvent } from './webhook.events.js';

const given = specFor(webhookDecider);
const callId = '7-9';
const sentAt = 1000;
const begin = (at: number) => ({ type: 'begin-call', callId, seconds: 20, sentAt, at }) as const;
const postpone = (at: number) => ({ type: 'postpone-call', callId, sentAt, at }) as const;
const end = (attempt: number, outcome: CallOutcome, at: number) =>
  ({ type: 'end-call', callId, attempt, outcome, at }) as const;
const calling = (attempt: number, at: number): WebhookEvent => {
  return { type: 'webhook.calling.v1', data: { callId, attempt, until: at + 20, at } };
};
const postponed = (pause: number, at: number): WebhookEvent => {
  return { type: 'webhook.postponed.v1', data: { callId, reason: 'away', until: at + pause, at } };
};
const busy = (pause: number, at: number): WebhookEvent => {
  return {
    type: 'webhook.postponed.v1',
    data: { callId, isBusy: true, reason: 'Too many calls of the bot are under way.', until: at + pause, at },
  };
};
const failed = (failure: string, at: number): WebhookEvent => {
  return { type: 'webhook.finished.v1', data: { callId, entails: { failure }, at } };
};
const answered: WebhookEvent = { type: 'webhook.finished.v1', data: { callId, entails: { reply: 'Hello' }, at: 1001 } };

test('one process calls at a time', () => {
  given().when(begin(1000)).then(calling(1, 1000));
  given(calling(1, 1000)).when(begin(1019)).thenNothing();
  given(calling(1, 1000)).when(postpone(1019)).thenNothing();
});
test('a call whose process has ended is made again', () => {
  given(calling(1, 1000)).when(begin(1020)).then(calling(2, 1020));
});
test('the answer counts once, and only that of the attempt in progress', () => {
  const reply: CallOutcome = { kind: 'answered', reply: 'Hello' };
  given(calling(1, 1000))
    .when(end(1, reply, 1001))
    .then(answered);
  given(calling(1, 1000), calling(2, 1020))
    .when(end(1, reply, 1021))
    .thenNothing();
  given(calling(1, 1000), answered)
    .when(end(1, reply, 1002))
    .thenNothing();
  given(calling(1, 1000), answered).when(begin(2000)).thenNothing();
  given(calling(1, 1000), answered).when(postpone(2000)).thenNothing();
});
test('a service may ask for a widget beside what it says', () => {
  const widget = { type: 'poll', content: '{}' } as const;
  given(calling(1, 1000))
    .when(end(1, { kind: 'answered', reply: 'Hello', widget }, 1001))
    .then({ type: 'webhook.finished.v1', data: { callId, entails: { reply: 'Hello', widget }, at: 1001 } });
});
test('a service may have nothing to say', () => {
  given(calling(1, 1000))
    .when(end(1, { kind: 'answered' }, 1001))
    .then({ type: 'webhook.finished.v1', data: { callId, at: 1001 } });
});
test('a service that fails is called three more times, later each time; then its owner is told', () => {
  const past: WebhookEvent[] = [];
  let at = 1000;
  const outcome: CallOutcome = { kind: 'later', reason: 'away' };
  for (const [index, pause] of PAUSES_SECONDS.entries()) {
    past.push(calling(index + 1, at));
    given(...past)
      .when(end(index + 1, outcome, at))
      .then(postponed(pause, at));
    past.push(postponed(pause, at));
    given(...past)
      .when(begin(at + pause - 1))
      .thenNothing();
    at += pause;
  }
  past.push(calling(4, at));
  given(...past)
    .when(end(4, outcome, at))
    .then(failed('away', at));
  given(...past)
    .when(begin(at + 20))
    .then(failed(UNKNOWN, at + 20));
});
test('what cannot succeed is not tried again', () => {
  given(calling(1, 1000))
    .when(end(1, { kind: 'never', reason: 'no JSON' }, 1001))
    .then(failed('no JSON', 1001));
});
test('a call that waits for others waits longer each time, and is no attempt', () => {
  given().when(postpone(1000)).then(busy(5, 1000));
  given(busy(5, 1000), busy(10, 1005)).when(postpone(1015)).then(busy(20, 1015));
  given(busy(5, 1000)).when(begin(1005)).then(calling(1, 1005));
});
test('after an hour it is given up', () => {
  const late = sentAt + AGE_MAX_SECONDS + 1;
  given(busy(600, 1000)).when(postpone(late)).then(failed(OUTDATED, late));
  given(busy(600, 1000)).when(begin(late)).then(failed(OUTDATED, late));
});

test('the operator has it called at once, or gives it up and its owner is told', () => {
  const hasten = { type: 'hasten-call', callId, at: 1005 } as const;
  const drop = { type: 'drop-call', callId, reason: 'It hangs.', at: 1005 } as const;
  const dropped = failed('The operator of the server has dropped the call: It hangs.', 1005);
  given(calling(1, 1000), postponed(10, 1001))
    .when(hasten)
    .then({ type: 'webhook.postponed.v1', data: { callId, isRetry: true, until: 1005, at: 1005 } });
  for (const past of [[], [calling(1, 1000)], [calling(1, 1000), answered]])
    given(...past)
      .when(hasten)
      .thenNothing();
  for (const past of [[], [calling(1, 1000)], [calling(1, 1000), postponed(10, 1001)]])
    given(...past)
      .when(drop)
      .then(dropped);
  given(calling(1, 1000), dropped)
    .when(end(1, { kind: 'answered', reply: 'Hello' }, 1006))
    .thenNothing();
  given(calling(1, 1000), answered).when(drop).thenNothing();
});
