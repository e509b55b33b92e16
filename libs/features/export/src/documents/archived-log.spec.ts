import { EventRegistry, type RecordedEvent } from '#event-store';
import { organizationEventTypes } from '#people';
import { archivedEvent } from './archived-log.js';

const registry = new EventRegistry(organizationEventTypes);

const event = (type: string, data: Record<string, unknown>, stream = '1.organization'): RecordedEvent<typeof data> => {
  return { position: 9, stream, revision: 3, id: 'i', type, data, metadata: {}, recordedAtMs: 5 };
};

test('an event keeps its place in its stream, and loses credentials', () => {
  expect(
    archivedEvent(event('user.created.v1', { userId: 4, passwordHash: '$argon2id$', email: 'a@b.test' }), registry),
  ).toEqual({
    stream: '1.organization',
    revision: 3,
    id: 'i',
    type: 'user.created.v1',
    data: { userId: 4, email: 'a@b.test' },
    metadata: {},
    recorded_at: 5,
  });
  expect(archivedEvent(event('user.api-key-issued.v1', { userId: 4, hash: 'abcd' }), registry)?.data).toEqual({
    userId: 4,
    hash: '0000',
  });
});

test('mail, devices and progress of exports stay here', () => {
  for (const stream of [
    '1.mail-00ff',
    '1.export-3',
    '1.devices-4',
    '1.zoom-4',
    '1.notice-a-7',
    '1.missed-mail-4-9',
    '1.missed-messages-0',
  ])
    expect(archivedEvent(event('x', {}, stream), registry)).toBeUndefined();
});
