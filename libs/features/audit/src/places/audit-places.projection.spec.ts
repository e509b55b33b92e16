import type { RecordedEvent } from '#event-store';
import { auditPlacesProjection } from './audit-places.projection.js';
import { PARTS_MAX, type PlaceRow, subjectOf } from './place-row.js';

function rowsOf(type: string, data: object): Map<string, PlaceRow> {
  const event: RecordedEvent = {
    position: 77,
    stream: '1.flags-4',
    revision: 3,
    id: '',
    type,
    data,
    metadata: {},
    recordedAtMs: 1,
  };
  const keys = auditPlacesProjection.keys(event).map(({ key }) => String(key));
  return new Map(
    keys.map((key) => [subjectOf(key), auditPlacesProjection.evolve(undefined, event, key) as PlaceRow] as const),
  );
}

const read = (...ids: [number, number][]) =>
  rowsOf('flags.changed.v1', { userId: 4, op: 'add', flag: 'read', ids, at: 9 });

test('messages of a few parts have a row in each, with those of the part', () => {
  const rows = read([250, 260], [600, 600]);
  expect([...rows].map(([subject, { ids }]) => [subject, ids])).toEqual([
    ['messages:0', [[250, 255]]],
    ['messages:1', [[256, 260]]],
    ['messages:2', [[600, 600]]],
  ]);
  expect(rows.get('messages:2')).toMatchObject({ position: 77, stream: '1.flags-4', revision: 3, at: 9 });
});

test('messages of many parts have few rows, however far apart they are', () => {
  const scattered = Array.from({ length: 20_000 }, (_, index): [number, number] => [1 + index * 50, 1 + index * 50]);
  const rows = read(...scattered);
  expect(rows.size).toBe(16);
  expect([...rows.values()].reduce((count, { ids = [] }) => count + ids.length, 0)).toBe(20_000);
  expect(read([1, 1_000_000]).size).toBe(16);
  expect(read([256, 256 * (PARTS_MAX + 1) - 1]).size).toBe(PARTS_MAX);
});

test('a message that leaves a topic has a row for itself, and one for the topic', () => {
  const place = { channelId: 5, topic: 'A/b@c' };
  const rows = rowsOf('message.deleted.v1', { messageId: 12, by: 4, place, at: 9 });
  expect([...rows.keys()]).toEqual(['leaving:12', 'left:5:a%2Fb%40c']);
  expect(rows.get('left:5:a%2Fb%40c')).toMatchObject({ messageId: 12, from: place });
  expect(rowsOf('message.deleted.v1', { messageId: 12, by: 4, place: { to: [4, 5] }, at: 9 }).size).toBe(0);
});

test('messages that leave a direct conversation together have a row each', () => {
  const policy = { days: 3, of: 'organization' };
  const rows = rowsOf('messages.expired.v1', { ids: [[12, 13]], place: { to: [4, 5] }, policy, at: 9 });
  expect([...rows.keys()].filter((key) => key.startsWith('leaving'))).toEqual(['leaving:12', 'leaving:13']);
  expect(rows.get('leaving:13')).toMatchObject({ position: 77, messageId: 13 });
});
