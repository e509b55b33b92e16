import { specFor } from '#testing';
import { sentAt } from '../model/message.decider.fixture.js';
import type { MessagesExpired } from '../model/messages.events.js';
import type { ExpireMessages } from './expiry.commands.js';
import { expiryDecider } from './expiry.decider.js';
import { retentionPolicy } from './retention-policy.js';

const DAY = 86_400;
const given = specFor(expiryDecider);
const lunch = { channelId: 3, topic: 'lunch' };
const supper = { channelId: 3, topic: 'supper' };

const message = (id: number, arrival?: number) => ({ id, sentAt: sentAt + id, arrival });
const expire = (part: Partial<ExpireMessages> = {}): ExpireMessages => ({
  messageId: 5,
  at: sentAt + 10 + 30 * DAY,
  organizationDays: 30,
  channelDays: null,
  places: [{ place: lunch, messages: [message(5), message(6), message(8)], mentioned: [], firstLeft: undefined }],
  ...part,
});
const expired = (data: Partial<MessagesExpired['data']> = {}): MessagesExpired => ({
  type: 'messages.expired.v1',
  data: {
    ids: [
      [5, 6],
      [8, 8],
    ],
    place: lunch,
    policy: { days: 30, of: 'organization' },
    at: sentAt + 10 + 30 * DAY,
    ...data,
  },
});

test('messages go when their time is over, and the event says by which policy', () => {
  given().when(expire()).then(expired());
  given()
    .when(expire({ at: sentAt + 8 + 30 * DAY }))
    .then(expired({ at: sentAt + 8 + 30 * DAY }));
  given()
    .when(expire({ at: sentAt + 7 + 30 * DAY }))
    .thenNothing();
});

test('a channel decides for itself, also that it keeps its messages forever', () => {
  given()
    .when(expire({ channelDays: 7, organizationDays: -1 }))
    .then(expired({ policy: { days: 7, of: 'channel' } }));
  given()
    .when(expire({ channelDays: 31 }))
    .thenNothing();
  given()
    .when(expire({ channelDays: -1 }))
    .thenNothing();
  given()
    .when(expire({ organizationDays: -1 }))
    .thenNothing();
});

test('each place has an event, with arrivals and the oldest message that is left', () => {
  const places = [
    { place: lunch, messages: [message(5), message(9, 70)], mentioned: [], firstLeft: undefined },
    { place: supper, messages: [message(6, 70), message(7, 70), message(8, 90)], mentioned: [], firstLeft: 12 },
  ];
  given()
    .when(expire({ places }))
    .then(
      expired({
        ids: [
          [5, 5],
          [9, 9],
        ],
        arrivals: [{ ids: [[9, 9]], arrival: 70 }],
      }),
      expired({
        ids: [[6, 8]],
        place: supper,
        arrivals: [
          { ids: [[6, 7]], arrival: 70 },
          { ids: [[8, 8]], arrival: 90 },
        ],
        firstLeft: 12,
      }),
    );
});

test('the event says whom the messages mentioned outside of their channel', () => {
  const mentioned = [{ id: 5, userIds: [7] }];
  const [first] = expire().places;
  given()
    .when(expire({ places: [{ ...first!, mentioned }] }))
    .then(expired({ mentioned }));
});

test('direct messages follow the organization', () => {
  const place = { to: [7, 8] };
  given()
    .when(expire({ places: [{ place, messages: [message(5)], mentioned: [], firstLeft: undefined }] }))
    .then(expired({ ids: [[5, 5]], place }));
});

test('nothing is removed while one of them is to stay, and nothing twice', () => {
  const late = { place: supper, messages: [message(11)], mentioned: [], firstLeft: undefined };
  given()
    .when(expire({ places: [...expire().places, late] }))
    .thenNothing();
  given(expired()).when(expire()).thenRefused('BAD_REQUEST');
});

test('a setting that no client can make keeps everything', () => {
  expect(retentionPolicy(0, null)).toBeUndefined();
  expect(retentionPolicy(30, 0)).toBeUndefined();
});
