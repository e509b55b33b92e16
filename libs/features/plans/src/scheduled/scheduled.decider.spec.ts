import { specFor } from '#testing';
import type { ScheduledCommand } from './scheduled.commands.js';
import {
  LATE_MAX_SECONDS,
  SCHEDULED_BYTES_MAX,
  SCHEDULED_MAX,
  scheduledDecider,
  SENDER_DEACTIVATED,
  TOO_LATE,
} from './scheduled.decider.js';
import type { ScheduledEvent, ScheduledMessage } from './scheduled.events.js';

const given = specFor(scheduledDecider);
const userId = 7;
const idOf = (nth: number): number => userId * 100_000 + nth;
const at = 1000;
const by = { userId, at } as const;
const deliverAt = 2000;

const messageOf = (nth: number, changes: Partial<ScheduledMessage> = {}): ScheduledMessage => ({
  scheduledId: idOf(nth),
  place: { kind: 'channel', channelId: 3, topic: 'lunch' },
  content: 'soup',
  rendered: '<p>soup</p>',
  deliverAt,
  client: 'website',
  ...changes,
});
const withoutId = ({ scheduledId: _, ...message }: ScheduledMessage): Omit<ScheduledMessage, 'scheduledId'> => message;

const added = (message: ScheduledMessage): ScheduledEvent => {
  return { type: 'scheduled-message.added.v1', data: { userId, message, at } };
};
const changed = (message: ScheduledMessage, when = at): ScheduledEvent => {
  return { type: 'scheduled-message.changed.v1', data: { userId, message, at: when } };
};
const removed = (nth: number): ScheduledEvent => {
  return { type: 'scheduled-message.removed.v1', data: { userId, scheduledId: idOf(nth), at } };
};
const due = (nth: number, when = deliverAt): ScheduledEvent => {
  return { type: 'scheduled-message.due.v1', data: { userId, scheduledId: idOf(nth), at: when, entails: 'delivery' } };
};
const sent = (nth: number, when = deliverAt): ScheduledEvent => {
  return { type: 'scheduled-message.sent.v1', data: { userId, scheduledId: idOf(nth), at: when } };
};
const failed = (message: ScheduledMessage, reason: string, when = deliverAt): ScheduledEvent => {
  return { type: 'scheduled-message.failed.v1', data: { userId, message, reason, at: when, entails: 'notice' } };
};

const add = (message = messageOf(1)) => ({ type: 'add-scheduled', ...by, message: withoutId(message) }) as const;
const change = (
  to: ScheduledMessage,
  { from = messageOf(to.scheduledId - idOf(0)), changes = 0, isTimed = false, when = at } = {},
): ScheduledCommand => {
  const { scheduledId } = to;
  const read = { message: from, changes };
  return { type: 'change-scheduled', userId, at: when, scheduledId, change: { from: read, to }, isTimed };
};
const remove = (nth: number) => ({ type: 'remove-scheduled', ...by, scheduledId: idOf(nth) }) as const;
const claim = (when: number, { changes = 0, isSenderActive = true, message = messageOf(1) } = {}) =>
  ({ type: 'claim-scheduled', userId, at: when, read: { message, changes }, isSenderActive }) as const;
const finish = (failure?: string) =>
  ({ type: 'finish-scheduled', userId, at: deliverAt, message: messageOf(1), failure }) as const;

describe('adding', () => {
  test('numbers them by user, and never uses a number again', () =>
    given(added(messageOf(1)), removed(1))
      .when(add())
      .then(added(messageOf(2))));
  test.each([at, at - 1])('for %i, which is not in the future, is refused', (time) => {
    given()
      .when(add(messageOf(1, { deliverAt: time })))
      .thenRefused('BAD_REQUEST');
  });
  test('no more than the limit', () => {
    const all = Array.from({ length: SCHEDULED_MAX }, (_, index) => added(messageOf(index + 1)));
    given(...all.slice(1))
      .when(add())
      .then(added(messageOf(SCHEDULED_MAX + 1)));
    given(...all)
      .when(add())
      .thenRefused('BAD_REQUEST');
  });
  test('no more bytes than the limit, counted anew after changes, removals and deliveries', () => {
    const half = { content: 'x'.repeat(SCHEDULED_BYTES_MAX / 2 - 400) };
    const full = [added(messageOf(1, half)), added(messageOf(2, half))];
    given(...full)
      .when(add(messageOf(3, { content: 'x'.repeat(800) })))
      .thenRefused('BAD_REQUEST');
    for (const room of [[removed(1)], [due(1), sent(1)], [changed(messageOf(1))]])
      given(...full, ...room)
        .when(add(messageOf(3, { content: 'x'.repeat(800) })))
        .then(added(messageOf(3, { content: 'x'.repeat(800) })));
    given(...full)
      .when(change(messageOf(1, { content: `${half.content}${'x'.repeat(800)}` }), { from: messageOf(1, half) }))
      .thenRefused('BAD_REQUEST');
  });
});

describe('changing', () => {
  const stew = messageOf(1, { content: 'stew' });
  test('records the whole message', () =>
    given(added(messageOf(1)))
      .when(change(stew))
      .then(changed(stew)));
  test('to what it is records nothing', () => {
    given(added(messageOf(1)))
      .when(change(messageOf(1)))
      .thenNothing();
  });
  test('one that is not there, or is gone', () => {
    given().when(change(stew)).thenRefused('NOT_FOUND');
    given(added(messageOf(1)), removed(1))
      .when(change(stew))
      .thenRefused('NOT_FOUND');
  });
  test('one that is being sent, or has been', () => {
    given(added(messageOf(1)), due(1))
      .when(change(stew))
      .thenRefused('BAD_REQUEST');
    given(added(messageOf(1)), due(1), sent(1))
      .when(change(stew))
      .thenRefused('BAD_REQUEST');
  });
  test('what was changed since it was read', () => {
    given(added(messageOf(1)), changed(stew))
      .when(change(messageOf(1, { deliverAt: 3000 })))
      .thenRefused('SERVER_NOT_READY');
  });
  test('into the past is refused; a time that has come and is not named does not matter', () => {
    given(added(messageOf(1)))
      .when(change(messageOf(1, { deliverAt: at }), { isTimed: true }))
      .thenRefused('BAD_REQUEST');
    given(added(messageOf(1)))
      .when(change(stew, { when: deliverAt }))
      .then(changed(stew, deliverAt));
  });
  test('one that failed needs a new time, and waits again', () => {
    const past = [added(messageOf(1)), failed(messageOf(1), TOO_LATE)];
    const again = messageOf(1, { deliverAt: 9000 });
    given(...past)
      .when(change(stew, { when: 3000 }))
      .thenRefused('BAD_REQUEST');
    given(...past)
      .when(change(again, { isTimed: true, when: 3000 }))
      .then(changed(again, 3000));
    given(...past, changed(again))
      .when(claim(9000, { changes: 1, message: again }))
      .then(due(1, 9000));
  });
});

describe('removing', () => {
  test('one that waits, or failed', () => {
    given(added(messageOf(1)))
      .when(remove(1))
      .then(removed(1));
    given(added(messageOf(1)), failed(messageOf(1), TOO_LATE))
      .when(remove(1))
      .then(removed(1));
  });
  test('one that is not there, or is being sent', () => {
    given().when(remove(1)).thenRefused('NOT_FOUND');
    given(added(messageOf(1)), due(1), sent(1))
      .when(remove(1))
      .thenRefused('NOT_FOUND');
    given(added(messageOf(1)), due(1))
      .when(remove(1))
      .thenRefused('BAD_REQUEST');
  });
});

describe('claiming', () => {
  const waiting = added(messageOf(1));
  test('one that is due, once', () => {
    given(waiting).when(claim(deliverAt)).then(due(1));
    given(waiting, due(1)).when(claim(deliverAt)).thenNothing();
    given(waiting, due(1), sent(1)).when(claim(deliverAt)).thenNothing();
  });
  test('nothing that is not due yet, or was changed or removed since it was read', () => {
    given(waiting)
      .when(claim(deliverAt - 1))
      .thenNothing();
    given(waiting, changed(messageOf(1, { content: 'stew' })))
      .when(claim(deliverAt))
      .thenNothing();
    given(waiting, removed(1)).when(claim(deliverAt)).thenNothing();
  });
  test('what is too late, or of the deactivated, fails', () => {
    const limit = deliverAt + LATE_MAX_SECONDS;
    given(waiting).when(claim(limit)).then(due(1, limit));
    given(waiting)
      .when(claim(limit + 1))
      .then(failed(messageOf(1), TOO_LATE, limit + 1));
    given(waiting)
      .when(claim(deliverAt, { isSenderActive: false }))
      .then(failed(messageOf(1), SENDER_DEACTIVATED));
    given(waiting, failed(messageOf(1), TOO_LATE))
      .when(claim(limit + 1))
      .thenNothing();
  });
});

test('a delivery ends once, with its outcome', () => {
  const claimed = [added(messageOf(1)), due(1)];
  given(...claimed)
    .when(finish())
    .then(sent(1));
  given(...claimed)
    .when(finish('Not allowed'))
    .then(failed(messageOf(1), 'Not allowed'));
  given(...claimed, sent(1))
    .when(finish('Not allowed'))
    .thenNothing();
  given(...claimed, failed(messageOf(1), 'Not allowed'))
    .when(finish())
    .thenNothing();
});

describe('what could not be sent', () => {
  const past = [added(messageOf(1)), due(1), failed(messageOf(1), 'gone')];
  const retry = { type: 'retry-scheduled', userId, at: 3000, read: { message: messageOf(1), changes: 0 } } as const;
  const drop = { type: 'drop-scheduled', userId, at: 3000, scheduledId: idOf(1), reason: 'It is old.' } as const;

  test('is sent now when the operator asks for it', () => {
    const again = changed(messageOf(1, { deliverAt: 3000 }), 3000);
    given(...past)
      .when(retry)
      .then(again);
    given(...past, again)
      .when(retry)
      .thenNothing();
  });
  test('is removed by the operator, with the reason', () =>
    given(...past)
      .when(drop)
      .then({
        type: 'scheduled-message.removed.v1',
        data: { userId, scheduledId: idOf(1), reason: 'It is old.', at: 3000 },
      }));
  test('nothing else is', () => {
    for (const command of [retry, drop]) {
      given(added(messageOf(1)))
        .when(command)
        .thenNothing();
      given(added(messageOf(1)), due(1))
        .when(command)
        .thenNothing();
    }
  });
});
