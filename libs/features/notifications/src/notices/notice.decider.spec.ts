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
