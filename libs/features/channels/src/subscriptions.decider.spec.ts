import { badRequest } from '#kernel';
import { Directory, type OrganizationEvent } from '#people';
import { ROLE, type User } from '#users/model';
import { SYSTEM_GROUPS, systemGroupId } from '#groups/model';
import { sampleOrganization } from '#testing';
import { newChannel } from './model/channels/new-channel.js';
import type { ChannelSettings } from './channel-settings.js';
import { checkChannelDescription, checkChannelName } from './channel-text.js';
import { decideSubscribe, type Subscribe } from './subscribe.decider.js';
import { decideUnsubscribe } from './unsubscribe.decider.js';
import { normalizeColor } from './wire-channel.js';
import { foldersPart } from './model/folders/folders.part.js';

const at = 1_790_000_000;
const [OLIVE, ANN, BOB, GUS, BOT] = [1, 2, 3, 4, 5];

function person(userId: number, fullName: string, role: number, systemBot?: 'notification'): OrganizationEvent {
  const email = `${fullName.toLowerCase()}@acme.test`;
  const data = { userId, email, fullName, role, botType: systemBot ? 1 : null, botOwnerId: null, timezone: '', at };
  return { type: 'user.created.v1', data: systemBot === undefined ? data : { ...data, systemBot } };
}

const people: OrganizationEvent[] = [
  sampleOrganization(SYSTEM_GROUPS, at),
  person(OLIVE, 'Olive', ROLE.owner),
  person(ANN, 'Ann', ROLE.member),
  person(BOB, 'Bob', ROLE.member),
  person(GUS, 'Gus', ROLE.guest),
  person(BOT, 'Noti', ROLE.member, 'notification'),
];

function given(...events: readonly OrganizationEvent[]): Directory {
  const directory = new Directory([foldersPart]);
  [...people, ...events].forEach((event, index) => {
    directory.evolve(event, index + 1);
  });
  return directory;
}

function userOf(directory: Directory, userId: number): User {
  const user = directory.user(userId);
  if (user === undefined) throw badRequest(`no user ${userId}`);
  return user;
}

const plain: ChannelSettings = {
  inviteOnly: false,
  isWebPublic: false,
  isDefault: false,
  historyPublicToSubscribers: undefined,
  messageRetentionDays: null,
  topicsPolicy: 'inherit',
  folderId: null,
  permissions: {},
};

type Change = Partial<Omit<Subscribe, 'settings' | 'actor'>> & {
  settings?: Partial<ChannelSettings>;
  as?: number;
  names?: string[];
};

function subscribe(directory: Directory, { as = ANN, names = ['lunch'], settings, ...change }: Change = {}) {
  return decideSubscribe(directory, {
    type: 'subscribe',
    actor: userOf(directory, as),
    channels: names.map((name) => ({ name, description: '', renderedDescription: '', color: undefined })),
    principals: undefined,
    settings: { ...plain, ...settings },
    authorizationErrorsFatal: true,
    notices: { announce: false, tellSubscribers: false },
    at,
    ...change,
  });
}

function refused(act: () => unknown): void {
  expect(act).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }));
}

test('a channel that does not exist is created, and who asked is subscribed', () => {
  const { events, created, subscribed } = subscribe(given());
  expect(events.map(({ type }) => type)).toEqual(['channel.created.v1', 'channel.subscribed.v1']);
  expect(created).toEqual(['lunch']);
  expect([...subscribed]).toEqual([[ANN, ['lunch']]]);
});

test('joining twice is what a retried request looks like: nothing is recorded', () => {
  const first = subscribe(given());
  const second = subscribe(given(...first.events), { names: ['LUNCH'] });
  expect(second.events).toEqual([]);
  expect([...second.alreadySubscribed]).toEqual([[ANN, ['lunch']]]);
});

test('many channels for many users at once are refused', () => {
  const directory = given(...Array.from({ length: 200 }, (_, n) => person(100 + n, `User${n}`, ROLE.member)));
  const principals = Array.from({ length: 200 }, (_, n) => 100 + n);
  const names = Array.from({ length: 101 }, (_, n) => `channel ${n}`);
  refused(() => subscribe(directory, { names, principals }));
  expect(subscribe(directory, { names: names.slice(1), principals }).created).toHaveLength(100);
});

test('the same name twice in one request is one channel', () => {
  expect(subscribe(given(), { names: ['lunch', 'Lunch'] }).created).toHaveLength(1);
});

test('a private channel protects its history unless told otherwise', () => {
  const [event] = subscribe(given(), { settings: { inviteOnly: true } }).events;
  expect(event?.data).toMatchObject({ inviteOnly: true, historyPublicToSubscribers: false });
  const [shared] = subscribe(given(), { settings: { inviteOnly: true, historyPublicToSubscribers: true } }).events;
  expect(shared?.data).toMatchObject({ historyPublicToSubscribers: true });
});

test('principals are found by ID and by address', () => {
  expect([...subscribe(given(), { principals: [ANN, BOB] }).subscribed.keys()]).toEqual([ANN, BOB]);
  expect([...subscribe(given(), { principals: ['BOB@acme.test'] }).subscribed.keys()]).toEqual([BOB]);
});

test.each([[[99]], [['nobody@acme.test']], [[BOT]]])('the principals %j are refused', (principals) => {
  refused(() => subscribe(given(), { principals }));
});

test('settings of the request are kept', () => {
  const permissions = { can_send_message_group: systemGroupId('role:moderators') };
  const [event] = subscribe(given(), { settings: { topicsPolicy: 'empty_topic_only', permissions } }).events;
  expect(event?.data).toMatchObject({ topicsPolicy: 'empty_topic_only', permissions });
});

test.each<[string, Partial<ChannelSettings>]>([
  ['web-public', { isWebPublic: true }],
  ['web-public with protected history', { isWebPublic: true, historyPublicToSubscribers: false }],
  ['default, by a member', { isDefault: true }],
  ['in a folder that does not exist', { folderId: 3 }],
  ['with a group that does not exist', { permissions: { can_subscribe_group: 999 } }],
  ['for everybody on the Internet', { permissions: { can_subscribe_group: systemGroupId('role:internet') } }],
])('a channel %s is refused', (_, settings) => {
  refused(() => subscribe(given(), { settings }));
});

test('who deletes is set by who may, and the usual setting is none, as clients send it', () => {
  const usual = { can_delete_any_message_group: systemGroupId('role:nobody') };
  expect(subscribe(given(), { settings: { permissions: usual } }).created).toEqual(['lunch']);
  const permissions = { ...usual, can_delete_own_message_group: systemGroupId('role:members') };
  refused(() => subscribe(given(), { settings: { permissions } }));
  expect(subscribe(given(), { as: OLIVE, settings: { permissions } }).created).toEqual(['lunch']);
});

test('a retention of its own is for owners to set', () => {
  const settings = { messageRetentionDays: 30 };
  expect(() => subscribe(given(), { settings })).toThrow(expect.objectContaining({ code: 'UNAUTHORIZED_PRINCIPAL' }));
});

test('an owner makes a default channel with a retention of its own, but not a private one', () => {
  const [event] = subscribe(given(), { as: OLIVE, settings: { isDefault: true, messageRetentionDays: 30 } }).events;
  expect(event?.data).toMatchObject({ isDefault: true, messageRetentionDays: 30 });
  refused(() => subscribe(given(), { as: OLIVE, settings: { isDefault: true, inviteOnly: true } }));
});

test('a guest neither creates channels nor joins public ones', () => {
  refused(() => subscribe(given(), { as: GUS }));
  refused(() => subscribe(given(...subscribe(given()).events), { as: GUS }));
});

describe('a private channel', () => {
  const events = subscribe(given(), { settings: { inviteOnly: true } }).events;

  test('is closed to members outside, and to administrators too', () => {
    refused(() => subscribe(given(...events), { as: BOB }));
    refused(() => subscribe(given(...events), { as: OLIVE }));
  });

  test('can be listed as unauthorized instead', () => {
    const decided = subscribe(given(...events), {
      as: BOB,
      names: ['lunch', 'dinner'],
      authorizationErrorsFatal: false,
    });
    expect(decided.unauthorized).toEqual(['lunch']);
    expect(decided.created).toEqual(['dinner']);
  });

  test('takes whom its members add', () => {
    expect([...subscribe(given(...events), { as: ANN, principals: [GUS] }).subscribed]).toEqual([[GUS, ['lunch']]]);
  });

  test('loses whom an administrator removes', () => {
    const directory = given(...events);
    const unsubscribe = (as: number) =>
      decideUnsubscribe(directory, {
        type: 'unsubscribe',
        actor: userOf(directory, as),
        names: ['lunch'],
        principals: [ANN],
        at,
      });
    expect(unsubscribe(OLIVE).removed).toEqual(['lunch']);
    refused(() => unsubscribe(BOB));
  });
});

describe('what is to follow', () => {
  const directory = given();
  const entailed = (change: Change): unknown[] =>
    subscribe(directory, change).events.map(({ data }) => ('entails' in data ? data.entails : undefined));

  test('is said by the last event of the request', () => {
    const notices = { announce: true, tellSubscribers: true };
    expect(entailed({ names: ['tea', 'cake'], notices, principals: [ANN, BOB] })).toEqual([
      undefined,
      undefined,
      { facts: 3, announces: true, tells: true, introduces: true },
    ]);
  });

  test('is that a new channel is told what it is, where the organization wants it', () => {
    expect(entailed({}).at(-1)).toEqual({ facts: 2, announces: false, tells: false, introduces: true });
    const joined = given(...subscribe(given()).events);
    expect(subscribe(joined, { as: BOB }).events).not.toEqual([]);
    expect(subscribe(joined, { as: BOB }).events.filter(({ data }) => 'entails' in data)).toEqual([]);
  });

  const quiet = given({
    type: 'organization.settings-changed.v1',
    data: { settings: { send_channel_events_messages: false }, by: OLIVE, at },
  });

  test.each([
    ['nobody else is subscribed', { notices: { announce: false, tellSubscribers: true } }],
    ['the channel is private', { notices: { announce: true, tellSubscribers: false }, settings: { inviteOnly: true } }],
  ])('is nothing when %s', (_, change) => {
    expect(subscribe(quiet, change).events.filter(({ data }) => 'entails' in data)).toEqual([]);
  });
});

describe('leaving', () => {
  const directory = given(...subscribe(given()).events);
  const leave = (as: number, names = ['Lunch'], principals?: number[]) =>
    decideUnsubscribe(directory, { type: 'unsubscribe', actor: userOf(directory, as), names, principals, at });

  test('ends the subscription', () => {
    expect(leave(ANN)).toMatchObject({
      removed: ['lunch'],
      notRemoved: [],
      events: [{ type: 'channel.unsubscribed.v1', data: { channelId: 1, userIds: [ANN], entails: { facts: 1 } } }],
    });
  });

  test('happens once per channel, however often and in whatever spelling it is named', () => {
    expect(leave(ANN, ['Lunch', 'lunch', ' LUNCH '])).toEqual(leave(ANN));
  });

  test('without being subscribed changes nothing', () => {
    expect(leave(BOB)).toMatchObject({ events: [], removed: [], notRemoved: ['lunch'] });
  });

  test('a channel that does not exist is refused with its name', () => {
    expect(() => leave(ANN, ['nowhere'])).toThrow(/nowhere/);
  });

  test('a member does not remove others', () => {
    refused(() => leave(BOB, ['lunch'], [ANN]));
  });
});

test.each(['', '   ', 'x'.repeat(61), 'a\u0007b', 'gen\u200beral', '\u202elareneg', 'a\u2028b', 'a\u3164'])(
  'the name %p is refused',
  (name) => {
    refused(() => checkChannelName(name));
  },
);

test('a name is kept composed, with plain spaces, and emoji with what belongs to them', () => {
  expect(checkChannelName(' Cafe\u0301\u00a0noir ')).toBe('Caf\u00e9 noir');
  expect(checkChannelName('\u{1f3f3}\ufe0f\u200d\u{1f308} pride')).toBe('\u{1f3f3}\ufe0f\u200d\u{1f308} pride');
});

test('a name that differs in nothing that can be seen is the same channel', () => {
  const { events } = subscribe(given(), { names: ['Caf\u00e9 noir'] });
  for (const name of ['cafe\u0301 NOIR', 'caf\u00e9\u00a0noir', 'caf\u00e9 no\u00adir'])
    expect(subscribe(given(...events), { as: BOB, names: [name] }).created).toEqual([]);
});

test('of two channels from before whose names look alike, the older one has the name', () => {
  const [older, newer] = ['lunch', 'lu\u200bnch'].map((name, index) => newChannel({ channelId: index + 1, name, at }));
  const directory = given(older!, newer!);
  expect(directory.channelByName('LU\u200bNCH')?.channelId).toBe(1);
  expect(directory.channel(2)?.name).toBe('lu\u200bnch');
});

test('a description is one line', () => {
  expect(checkChannelDescription('one\ntwo\r\nthree')).toBe('one two three');
  refused(() => checkChannelDescription('x'.repeat(1025)));
});

test('colours become six lowercase digits', () => {
  expect(normalizeColor('#ABC')).toBe('#aabbcc');
  expect(normalizeColor('#C2726A')).toBe('#c2726a');
  expect(normalizeColor('#ABCD')).toBe('#aabbcc');
  expect(normalizeColor('#abcde')).toBe('#aabbcc');
  for (const color of ['red', '#ab', '#abcdef0']) refused(() => normalizeColor(color));
});

test('a rejoined subscription keeps its colour and opens another span', () => {
  const joined = subscribe(given()).events;
  const left: OrganizationEvent = {
    type: 'channel.unsubscribed.v1',
    data: { channelId: 1, userIds: [ANN], by: ANN, at },
  };
  const directory = given(...joined, left);
  expect(directory.isSubscribed(ANN, 1)).toBe(false);
  const again = subscribe(directory).events;
  const after = given(...joined, left, ...again);
  expect(after.subscription(ANN, 1)).toMatchObject({ active: true, spans: [{ untilId: 0 }, { untilId: null }] });
  expect(after.subscriberIds(1)).toEqual([ANN]);
});
