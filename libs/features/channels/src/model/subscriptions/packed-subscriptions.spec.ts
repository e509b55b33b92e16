import fc from 'fast-check';
import { packSubscriptions, unpackSubscriptions } from './packed-subscriptions.js';
import type { Subscription } from './subscription.js';

const flag = fc.boolean();
const choice = fc.constantFrom(null, true, false);
const span = fc.record({
  fromId: fc.nat(3),
  untilId: fc.option(fc.nat(3)),
  fromPosition: fc.nat(3),
  untilPosition: fc.option(fc.nat(3)),
});
const subscription: fc.Arbitrary<Subscription> = fc
  .record({
    channelId: fc.integer({ min: 1, max: 3 }),
    userId: fc.integer({ min: 1, max: 9 }),
    active: flag,
    paused: fc.option(flag, { nil: undefined }),
    color: fc.constantFrom('#aaaaaa', '#bbbbbb'),
    isMuted: flag,
    pinToTop: flag,
    desktopNotifications: choice,
    audibleNotifications: choice,
    pushNotifications: choice,
    emailNotifications: choice,
    wildcardMentionsNotify: choice,
    spans: fc.array(span, { minLength: 1, maxLength: 3 }),
  })
  .map(({ paused, ...others }) => (paused === undefined ? others : { ...others, paused }));
const asBegun = (userId: number, channelId = 1): Subscription => ({
  channelId,
  userId,
  active: true,
  color: '#76ce90',
  isMuted: false,
  pinToTop: false,
  desktopNotifications: null,
  audibleNotifications: null,
  pushNotifications: null,
  emailNotifications: null,
  wildcardMentionsNotify: null,
  spans: [{ fromId: 1, untilId: null, fromPosition: 17, untilPosition: null }],
});

test('what is packed is unpacked, as JSON in between', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          subscription,
          fc.integer({ min: 1, max: 9 }).map((id) => asBegun(id)),
        ),
      ),
      (all) => {
        expect(unpackSubscriptions(JSON.parse(JSON.stringify(packSubscriptions(all))))).toEqual(all);
      },
    ),
  );
});

test('a subscription as it began takes a tenth of its JSON, and shares its spans with others', () => {
  const all = Array.from({ length: 250 }, (_, index) => asBegun(10_000 + index, 1 + Math.floor(index / 100)));
  const packed = JSON.stringify(packSubscriptions(all));
  expect(packed.length * 10).toBeLessThan(JSON.stringify(all).length);
  const [first, second] = unpackSubscriptions(JSON.parse(packed));
  expect(second?.spans).toBe(first?.spans);
});

test('parts that do not fit together are refused', () => {
  const packed = packSubscriptions([asBegun(1), asBegun(2)]);
  expect(() => unpackSubscriptions({ ...packed, userIds: [1] })).toThrow('not whole');
});
