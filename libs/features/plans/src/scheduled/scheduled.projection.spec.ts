import { projectionSpec } from '#testing';
import { dueIndexProjection } from '#timers';
import type { ScheduledEvent, ScheduledMessage } from './scheduled.events.js';
import { scheduledKey, scheduledProjection, scheduledTimers } from './scheduled.projection.js';

const userId = 7;
const at = 1000;
const message = (content = 'soup', deliverAt = 2000): ScheduledMessage => ({
  scheduledId: 1,
  place: { kind: 'direct', userIds: [7, 8] },
  content,
  rendered: `<p>${content}</p>`,
  deliverAt,
  client: 'website',
});
const added: ScheduledEvent = { type: 'scheduled-message.added.v1', data: { userId, message: message(), at } };
const changed: ScheduledEvent = {
  type: 'scheduled-message.changed.v1',
  data: { userId, message: message('stew', 3000), at },
};
const data = { userId, scheduledId: 1, at };
const due: ScheduledEvent = { type: 'scheduled-message.due.v1', data: { ...data, entails: 'delivery' } };
const sent: ScheduledEvent = { type: 'scheduled-message.sent.v1', data };
const removed: ScheduledEvent = { type: 'scheduled-message.removed.v1', data };
const failed: ScheduledEvent = {
  type: 'scheduled-message.failed.v1',
  data: { userId, message: message(), reason: 'x', at, entails: 'notice' },
};
const key = scheduledKey(userId, 1);

test('each scheduled message has a document until it is sent or removed', () => {
  const { given } = projectionSpec(scheduledProjection);
  given(added).thenDoc(key, { userId, ...message(), changes: 0, phase: 'waiting' });
  given(added, changed).thenDoc(key, { userId, ...message('stew', 3000), changes: 1, phase: 'waiting' });
  given(added, due).thenDoc(key, { userId, ...message(), changes: 0, phase: 'due' });
  given(added, due, failed).thenDoc(key, { userId, ...message(), changes: 0, phase: 'failed' });
  given(added, due, sent).thenKeys();
  given(added, removed).thenKeys();
});

test('its timer is set while it waits', () => {
  const { given } = projectionSpec(dueIndexProjection([scheduledTimers]));
  const timer = `scheduled-message:${key}`;
  given(added).thenDoc(timer, { kind: 'scheduled-message', subject: key, dueAt: 2000, setBy: '1.organization@0' });
  given(added, changed).thenDoc(timer, {
    kind: 'scheduled-message',
    subject: key,
    dueAt: 3000,
    setBy: '1.organization@1',
  });
  for (const end of [due, removed, failed]) given(added, end).thenKeys();
  given(added, failed, changed).thenKeys(timer);
});
