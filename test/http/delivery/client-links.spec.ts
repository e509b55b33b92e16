import fc from 'fast-check';
import { channelLinkPath, directLinkPath } from '#markdown';
import { hashOf, type NarrowTerm, termsOf } from '#client';

const term = fc.oneof(
  fc.record({ operator: fc.constant('channel'), operand: fc.nat() }),
  fc.record({ operator: fc.constant('topic'), operand: fc.string({ unit: 'grapheme' }) }),
  fc.record({ operator: fc.constant('search'), operand: fc.string({ minLength: 1 }) }),
  fc.record({
    operator: fc.constant('dm'),
    operand: fc.uniqueArray(fc.nat(), { minLength: 1, maxLength: 4 }).map((ids) => ids.sort((a, b) => a - b)),
  }),
  fc.record({ operator: fc.constant('sender'), operand: fc.nat() }),
  fc.record({ operator: fc.constantFrom('near', 'with', 'id'), operand: fc.nat() }),
  fc.record({ operator: fc.constant('is'), operand: fc.constantFrom('starred', 'unread'), negated: fc.constant(true) }),
);

test('terms survive a link', () => {
  fc.assert(
    fc.property(fc.array(term), fc.string({ unit: 'grapheme' }), (terms, name) => {
      expect(termsOf(hashOf(terms as NarrowTerm[], { channel: () => name }))).toEqual(terms);
    }),
  );
});

test("links are the server's own", () => {
  fc.assert(
    fc.property(fc.nat(), fc.string(), fc.string({ unit: 'grapheme' }), fc.nat(), (id, name, topic, near) => {
      const terms = [
        { operator: 'channel', operand: id },
        { operator: 'topic', operand: topic },
        { operator: 'near', operand: near },
      ];
      const link = channelLinkPath({ id, name }, { topic, nearMessageId: near });
      expect(`/${hashOf(terms, { channel: () => name })}`).toBe(link);
    }),
  );
  expect(`/${hashOf([{ operator: 'dm', operand: [12, 4] }])}`).toBe(directLinkPath([12, 4]));
});

test.each([
  [
    '#narrow/stream/9-announce/subject/Zulip.20updates',
    [
      { operator: 'channel', operand: 9 },
      { operator: 'topic', operand: 'Zulip updates' },
    ],
  ],
  [
    '/#narrow/pm-with/4,12-group/near/7/',
    [
      { operator: 'dm', operand: [4, 12] },
      { operator: 'near', operand: 7 },
    ],
  ],
  ['#narrow/-is/unread', [{ operator: 'is', operand: 'unread', negated: true }]],
  ['#narrow/channel/general', [{ operator: 'channel', operand: 'general' }]],
  ['#narrow', []],
  ['#narrow/topic/.ZZ', undefined],
  ['#narrow/near/x', undefined],
  ['#narrow/topic', undefined],
  ['#settings', undefined],
])('%s', (hash, terms) => {
  expect(termsOf(hash)).toEqual(terms);
});
