import { Directory, type OrganizationEvent } from '#people';
import { ROLE, type User } from '#users/model';
import { SYSTEM_GROUPS } from '#groups/model';
import { sampleOrganization } from '#testing';
import { newChannel } from '../model/channels/new-channel.js';
import { decideChangeSubscriptions, type WantedSetting } from './change-subscriptions.decider.js';

const at = 1_790_000_000;
const [ANN, BOB] = [1, 2];
const [LUNCH, SECRET, OTHER] = [1, 2, 3];

const person = (userId: number, fullName: string): OrganizationEvent => ({
  type: 'user.created.v1',
  data: {
    userId,
    email: `${fullName}@acme.test`,
    fullName,
    role: ROLE.member,
    botType: null,
    botOwnerId: null,
    timezone: '',
    at,
  },
});
const joined = (channelId: number, userId: number): OrganizationEvent => ({
  type: 'channel.subscribed.v1',
  data: { channelId, subscribers: [{ userId, color: '#76ce90' }], by: userId, at },
});

const past: OrganizationEvent[] = [
  sampleOrganization(SYSTEM_GROUPS, at),
  person(ANN, 'ann'),
  person(BOB, 'bob'),
  newChannel({ channelId: LUNCH, name: 'lunch', at }),
  newChannel({ channelId: SECRET, name: 'secret', inviteOnly: true, at }),
  newChannel({ channelId: OTHER, name: 'other', at }),
  joined(LUNCH, ANN),
  joined(SECRET, BOB),
];

function given(...events: readonly OrganizationEvent[]): Directory {
  const directory = new Directory();
  [...past, ...events].forEach((event, index) => {
    directory.evolve(event, index + 1);
  });
  return directory;
}

function decide(wanted: readonly WantedSetting[], directory = given()) {
  const actor = directory.user(ANN) as User;
  return decideChangeSubscriptions(directory, { type: 'change-subscriptions', actor, wanted, at });
}

const set = (property: string, value: unknown, channelId = LUNCH): WantedSetting => ({ channelId, property, value });
const changesOf = (events: ReturnType<typeof decide>) => events.flatMap(({ data }) => data.changes);

test('settings are changed, and the subscription has them', () => {
  const events = decide([set('color', '#ABC'), set('pin_to_top', true), set('email_notifications', false)]);
  expect(events).toHaveLength(1);
  expect(changesOf(events)).toEqual([
    { channelId: LUNCH, setting: 'color', value: '#aabbcc' },
    { channelId: LUNCH, setting: 'pin_to_top', value: true },
    { channelId: LUNCH, setting: 'email_notifications', value: false },
  ]);
  expect(given(...events).subscription(ANN, LUNCH)).toMatchObject({
    color: '#aabbcc',
    pinToTop: true,
    emailNotifications: false,
    pushNotifications: null,
  });
});

test('in_home_view is the inverse of is_muted', () => {
  const muted = decide([set('in_home_view', false)]);
  expect(changesOf(muted)).toEqual([{ channelId: LUNCH, setting: 'is_muted', value: true }]);
  expect(changesOf(decide([set('is_muted', false)], given(...muted)))).toHaveLength(1);
});

test('what a setting is already is not recorded; the last of several values counts', () => {
  expect(decide([set('is_muted', false), set('color', '#76CE90')])).toEqual([]);
  const events = decide([set('is_muted', true), set('is_muted', false), set('in_home_view', true)]);
  expect(changesOf(events)).toHaveLength(2);
  expect(given(...events).subscription(ANN, LUNCH)?.isMuted).toBe(false);
});

test('many changes are several events', () => {
  const wanted = Array.from({ length: 401 }, (_, index) => set('is_muted', index % 2 === 0));
  expect(decide(wanted).map(({ data }) => data.changes.length)).toEqual([200, 200, 1]);
});

test('settings survive leaving and coming back', () => {
  const left: OrganizationEvent = {
    type: 'channel.unsubscribed.v1',
    data: { channelId: LUNCH, userIds: [ANN], by: ANN, at },
  };
  const directory = given(...decide([set('is_muted', true)]), left, joined(LUNCH, ANN));
  expect(directory.subscription(ANN, LUNCH)).toMatchObject({ isMuted: true, active: true });
});

test.each<[string, WantedSetting, RegExp]>([
  ['an unknown property', set('size', true), /Unknown subscription property: size/],
  ['a property of every object', set('toString', true), /Unknown subscription property: toString/],
  ['a colour without digits', set('color', 'red'), /color/],
  ['a colour of two digits', set('color', '#12'), /color/],
  ['a colour that is no text', set('color', true), /color is not a string/],
  ['text for a switch', set('is_muted', 'true'), /is_muted is not a boolean/],
  ['null for a switch', set('push_notifications', null), /push_notifications is not a boolean/],
  ['a channel that the user is not subscribed to', set('is_muted', true, OTHER), /Not subscribed to channel ID 3/],
  ['a private channel', set('is_muted', true, SECRET), /^Invalid channel ID$/],
  ['an unknown channel', set('is_muted', true, 99), /^Invalid channel ID$/],
])('%s is refused, and with it the whole request', (_, wrong, message) => {
  expect(() => decide([set('is_muted', true), wrong])).toThrow(
    expect.objectContaining({ code: 'BAD_REQUEST', message: expect.stringMatching(message) }),
  );
});
