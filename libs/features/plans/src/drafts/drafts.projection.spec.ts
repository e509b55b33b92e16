import { projectionSpec, type TestEvent } from '#testing';
import type { Draft, DraftEvent } from './drafts.events.js';
import { draftKey, draftsProjection } from './drafts.projection.js';

const userId = 7;
const at = 1000;
const draftOf = (draftId: number, content = 'soup'): Draft => ({
  draftId,
  addressee: { kind: 'channel', channelId: 3, topic: 'lunch' },
  content,
  timestamp: 900,
});
const added: DraftEvent = {
  type: 'drafts.added.v1',
  data: { userId, drafts: [1, 2, 10].map((id) => draftOf(id)), at },
};
const { given } = projectionSpec(draftsProjection);
const facts = (...events: DraftEvent[]): TestEvent[] => events;

test('each draft has a document', () => {
  given(...facts(added))
    .thenKeys(...[1, 2, 10].map((id) => draftKey(userId, id)))
    .thenDoc(draftKey(userId, 2), { userId, ...draftOf(2) });
});
test('a change replaces it', () => {
  const changed: DraftEvent = { type: 'draft.changed.v1', data: { userId, draft: draftOf(2, 'stew'), at } };
  given(...facts(added, changed)).thenDoc(draftKey(userId, 2), { userId, ...draftOf(2, 'stew') });
});
test('what is removed or erased is gone', () => {
  const removed: DraftEvent = { type: 'draft.removed.v1', data: { userId, draftId: 2, at } };
  const erased = { type: 'drafts.erased.v1', data: { userId, upTo: 9, at } } as const;
  given(...facts(added, removed)).thenKeys(draftKey(userId, 1), draftKey(userId, 10));
  given(...facts(added, erased)).thenKeys(draftKey(userId, 10));
  given(...facts(added, { ...erased, data: { ...erased.data, userId: userId + 1 } })).thenKeys(
    ...[1, 2, 10].map((id) => draftKey(userId, id)),
  );
});
test("keys sort like a user's IDs", () => {
  expect(draftKey(1, 9) < draftKey(1, 10)).toBe(true);
});
