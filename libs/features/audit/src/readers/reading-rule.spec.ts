import { readingBy, type ReadingFacts, turning } from './reading-rule.js';

const OUTSIDE: ReadingFacts = {
  is_active: true,
  is_subscribed: false,
  is_guest: false,
  channel_is_web_public: false,
  channel_is_private: true,
  holds_can_add_subscribers_group: false,
  holds_can_subscribe_group: false,
  channel_shares_history: true,
  was_there: false,
};

test.each<[string, Partial<ReadingFacts>, boolean]>([
  ['private_not_subscribed', {}, false],
  ['account_inactive', { is_active: false, is_subscribed: true }, false],
  ['subscribed', { is_subscribed: true, is_guest: true }, true],
  ['web_public', { channel_is_web_public: true, is_guest: true, channel_is_private: false }, true],
  ['guest_not_subscribed', { is_guest: true, channel_is_private: false }, false],
  ['public', { channel_is_private: false, channel_shares_history: false }, true],
  ['can_add_subscribers_group', { holds_can_add_subscribers_group: true }, true],
  ['can_subscribe_group', { holds_can_subscribe_group: true }, true],
  ['history_before_subscription', { is_subscribed: true, channel_shares_history: false }, false],
  ['subscribed', { is_subscribed: true, channel_shares_history: false, was_there: true }, true],
])('%s decides on %j', (rule, facts, canRead) => {
  expect(readingBy({ ...OUTSIDE, ...facts })).toEqual({ rule, canRead });
});

test('what would turn the outcome, each alone', () => {
  expect(turning(OUTSIDE)).toEqual({
    is_subscribed: true,
    channel_is_web_public: true,
    channel_is_private: false,
    holds_can_add_subscribers_group: true,
    holds_can_subscribe_group: true,
  });
  const there = { ...OUTSIDE, was_there: true };
  expect(turning({ ...there, is_subscribed: true })).toEqual({ is_active: false, is_subscribed: false });
  // Nothing alone: a second rule admits as well.
  expect(turning({ ...OUTSIDE, is_subscribed: true, channel_is_private: false })).toEqual({ is_active: false });
});
