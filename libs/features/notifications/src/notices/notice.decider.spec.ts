import { specFor } from '#testing';
import { noticeDecider, PAUSES_SECONDS } from './notice.decider.js';
import type { NoticeEvent, NoticeQueued } from './notice.events.js';

const given = specFor(noticeDecider);
const at = 1000;
const about = { noticeId: 'm5-0', kind: 'message', messageIds: [5] } as const;
const push = [
  { userId: 1, trigger: 'mentioned' },
  { userId: 2, trigger: 'mentioned' },
];
const data: NoticeQueued['data'] = { ...about, push, mail: [], at };
const queued: NoticeEvent = { type: 'notice.queued.v1', data };
const report = (told: number[], isLeft: boolean, when = at) =>
  ({ type: 'report-notice', noticeId: 'm5-0', told, isLeft, at: when }) as const;
const postponed = (told: number[], until: number, when = at): NoticeEvent => {
  return { type: 'notice.postponed.v1', data: { ...about, told, until, at: when } };
};
const finished = (told: number[], when = at): NoticeEvent => {
  return { type: 'notice.finished.v1', data: { ...about, told, at: when } };
};

test('the first decision counts', () => {
  given()
    .when({ type: 'queue-notice', ...data })
    .then(queued);
  given(queued)
    .when({ type: 'queue-notice', ...data, push: [] })
    .thenNothing();
});

test('it is over when all were told, and told to nobody else', () => {
  given(queued)
    .when(report([1, 2], false))
    .then(finished([1, 2]));
  given(queued, finished([1, 2]))
    .when(report([1, 2], false))
    .thenNothing();
  given()
    .when(report([1], false))
    .thenNothing();
});

test('without anybody to push to it is over at once', () => {
  const mailed: NoticeEvent = {
    type: 'notice.queued.v1',
    data: { ...data, push: [], mail: [{ userId: 1, trigger: 'stream', dueAt: 1120 }] },
  };
  given(mailed)
    .when(report([1], false))
    .thenNothing();
});

test('those who are left are tried again at growing distances, and not for ever', () => {
  const before: NoticeEvent[] = [];
  let now = at;
  for (const pause of PAUSES_SECONDS) {
    given(queued, ...before)
      .when(report([], true, now))
      .then(postponed([], now + pause, now));
    before.push(postponed([], now + pause, now));
    // Another process that has tried at the same time.
    given(queued, ...before)
      .when(report([], true, now + pause - 1))
      .thenNothing();
    now += pause;
  }
  given(queued, ...before)
    .when(report([1], true, now))
    .then(finished([1], now));
});

test('why the push service has not taken it is recorded', () => {
  given(queued)
    .when({ ...report([1], true), reason: 'It is away.' })
    .then({
      type: 'notice.postponed.v1',
      data: { ...about, told: [1], reason: 'It is away.', until: at + PAUSES_SECONDS[0], at },
    });
});

test('the operator has it told at once, or gives it up', () => {
  const until = at + PAUSES_SECONDS[0];
  const hasten = { type: 'hasten-notice', noticeId: 'm5-0', at: at + 1 } as const;
  const hastened: NoticeEvent = {
    type: 'notice.postponed.v1',
    data: { ...about, told: [], isRetry: true, until: at + 1, at: at + 1 },
  };
  given(queued, postponed([1], until))
    .when(hasten)
    .then(hastened);
  given(queued, postponed([1], until), hastened)
    .when(report([], true, at + 1))
    .then(postponed([], at + 1 + PAUSES_SECONDS[1], at + 1));
  const drop = { type: 'drop-notice', noticeId: 'm5-0', reason: 'It is old.', at } as const;
  given(queued)
    .when(drop)
    .then({ type: 'notice.finished.v1', data: { ...about, told: [], reason: 'It is old.', at } });
  for (const past of [[], [queued, finished([1, 2])]])
    for (const command of [hasten, drop])
      given(...past)
        .when(command)
        .thenNothing();
});
