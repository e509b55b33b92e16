import { type RecordedEvent, streams } from '#event-store';
import type { ClientEvent, FeedEntry, Recipient } from '#feed';
import { Directory, type OrganizationEvent } from '#people';
import { newChannel } from '#channels/model';
import { ROLE } from '#users/model';
import { SYSTEM_GROUPS } from '#groups/model';
import { preferencesPart } from '#preferences/model';
import { SETTINGS } from '../messages.fixture.js';
import {
  editTypingEntry,
  TYPING_AUDIENCE_MAX,
  TypingClientEvents,
  typingEntry,
  type EditTyping,
  type Typing,
} from './typing.client-events.js';

const [ANN, BOB, CAT] = [1, 2, 3];
const CHANNEL = 1;
const CAPABILITIES = ['stream_typing_notifications', 'empty_topic_name'];
const IN_CHANNEL: Typing = { op: 'start', senderId: ANN, place: { channelId: CHANNEL, topic: 'lunch' } };
const IN_PRIVATE: Typing = { op: 'start', senderId: ANN, place: { to: [ANN, BOB] } };

const MESSAGE_IN_PRIVATE = {
  stream: streams.messages,
  type: 'message.sent.v1',
  revision: 6,
  position: 100,
  data: { to: [ANN, BOB] },
} as unknown as RecordedEvent;

let directory: Directory;
let position: number;

function happen(...facts: readonly OrganizationEvent[]): void {
  for (const fact of facts) directory.evolve(fact, ++position);
  directory.position = position;
}

function addUser(userId: number): void {
  const common = { role: ROLE.member, botType: null, botOwnerId: null, timezone: '', at: 1 };
  const data = { userId, email: `user${userId}@acme.test`, fullName: `User ${userId}`, ...common };
  happen({ type: 'user.created.v1', data });
}

function subscribe(...userIds: readonly number[]): void {
  const subscribers = userIds.map((userId) => ({ userId, color: '#aaaaaa' }));
  happen({ type: 'channel.subscribed.v1', data: { channelId: CHANNEL, subscribers, by: null, at: 1 } });
}

function unsubscribe(userId: number): void {
  happen({ type: 'channel.unsubscribed.v1', data: { channelId: CHANNEL, userIds: [userId], by: userId, at: 1 } });
}

/** Client events of the entry for a user, after a broadcast. */
function heard(entry: FeedEntry | undefined, userId: number, capabilities = CAPABILITIES): readonly ClientEvent[] {
  if (entry === undefined) throw new Error('Nothing was announced.');
  const recipient: Recipient = { queueId: 'q', user: directory.user(userId)!, settings: { ...SETTINGS, capabilities } };
  const received = JSON.parse(JSON.stringify(entry)) as FeedEntry;
  return new TypingClientEvents(directory).present({ position, entry: received }, recipient);
}

beforeEach(() => {
  directory = new Directory([preferencesPart]);
  position = 0;
  const groups = SYSTEM_GROUPS.map((group) => ({ ...group, directSubgroups: [...group.directSubgroups] }));
  happen({ type: 'organization.created.v1', data: { uuid: 'u', name: 'Acme', at: 1, groups } });
  for (const userId of [ANN, BOB, CAT]) addUser(userId);
  happen(newChannel({ channelId: CHANNEL, name: 'den', at: 1, inviteOnly: true, historyPublicToSubscribers: false }));
  subscribe(ANN, BOB);
});

describe('typing', () => {
  test('in private: all participants, the sender included', () => {
    const entry = typingEntry(directory, IN_PRIVATE);
    expect(entry?.audience).toEqual({ to: 'users', ids: [ANN, BOB] });
    const person = (userId: number) => ({ user_id: userId, email: `user${userId}@acme.test` });
    const event = { type: 'typing', op: 'start', message_type: 'direct', sender: person(ANN) };
    for (const userId of [ANN, BOB])
      expect(heard(entry, userId, [])).toEqual([{ ...event, recipients: [person(ANN), person(BOB)] }]);
    expect(heard(entry, CAT)).toEqual([]);
  });

  test('in a channel: subscribers whose client asked for it', () => {
    const entry = typingEntry(directory, IN_CHANNEL);
    expect(entry?.audience).toEqual({ to: 'users', ids: [ANN, BOB] });
    const sender = { user_id: ANN, email: 'user1@acme.test' };
    const event = { type: 'typing', op: 'start', message_type: 'stream', sender, stream_id: CHANNEL, topic: 'lunch' };
    expect(heard(entry, BOB)).toEqual([event]);
    expect(heard(entry, BOB, ['empty_topic_name'])).toEqual([]);
  });

  test('the empty topic has a name for those who need one', () => {
    const entry = typingEntry(directory, { ...IN_CHANNEL, place: { channelId: CHANNEL, topic: '' } });
    expect(heard(entry, BOB)[0]?.topic).toBe('');
    expect(heard(entry, BOB, ['stream_typing_notifications'])[0]?.topic).toBe('general chat');
  });

  test('who left before it arrived hears nothing', () => {
    const entry = typingEntry(directory, IN_CHANNEL);
    unsubscribe(BOB);
    expect(heard(entry, BOB)).toEqual([]);
    expect(heard(entry, ANN)).toHaveLength(1);
  });

  test.each([
    ['direct', IN_PRIVATE],
    ['channel', IN_CHANNEL],
  ])('who does not want to know is not told: %s', (_, typing) => {
    const entry = typingEntry(directory, typing);
    expect(heard(entry, BOB)).toHaveLength(1);
    const data = { userId: BOB, settings: { receives_typing_notifications: false }, at: 1 };
    directory.of(preferencesPart).evolve({ type: 'user-settings.changed.v1', data }, 0);
    expect(heard(entry, BOB)).toEqual([]);
    expect(heard(entry, ANN)).toHaveLength(1);
  });

  test('a sender of whom this process has not heard yet is not shown', () => {
    expect(heard(typingEntry(directory, { ...IN_PRIVATE, senderId: 99 }), BOB)).toEqual([]);
  });

  test('large channels are quiet', () => {
    const [first, last] = [CAT + 1, TYPING_AUDIENCE_MAX + 2];
    for (let userId = first; userId <= last; userId++) addUser(userId);
    subscribe(...Array.from({ length: TYPING_AUDIENCE_MAX - 2 }, (_, n) => first + n));
    expect(heard(typingEntry(directory, IN_CHANNEL), BOB)).toHaveLength(1);
    subscribe(last);
    expect(directory.subscriberCount(CHANNEL)).toBe(TYPING_AUDIENCE_MAX + 1);
    expect(typingEntry(directory, IN_CHANNEL)).toBeUndefined();
    expect(editTypingEntry(directory, editing({}))).toBeUndefined();
  });
});

function editing(change: Partial<EditTyping['message']>): EditTyping {
  return { ...IN_CHANNEL, message: { messageId: 7, conversation: `c:${CHANNEL}`, arrivals: undefined, ...change } };
}

/** Messages up to this ID have been sent. */
function sent(lastMessageId: number): void {
  directory.lastMessageId = lastMessageId;
}

describe('typing_edit_message', () => {
  const event = { type: 'typing_edit_message', op: 'start', sender_id: ANN, message_id: 7 };

  test('in a channel: the other subscribers, with any client settings', () => {
    sent(7);
    const entry = editTypingEntry(directory, editing({}));
    expect(entry?.audience).toEqual({ to: 'users', ids: [BOB] });
    const recipient = { type: 'channel', channel_id: CHANNEL, topic: 'lunch' };
    expect(heard(entry, BOB, [])).toEqual([{ ...event, recipient }]);
  });

  test('in private: the other participants', () => {
    directory.apply(MESSAGE_IN_PRIVATE);
    const message = { messageId: 7, conversation: `d:${ANN},${BOB}`, arrivals: undefined };
    const entry = editTypingEntry(directory, { ...IN_PRIVATE, message });
    expect(entry?.audience).toEqual({ to: 'users', ids: [BOB] });
    expect(heard(entry, BOB)).toEqual([{ ...event, recipient: { type: 'direct', user_ids: [ANN, BOB] } }]);
    expect(heard(entry, CAT)).toEqual([]);
  });

  test('those alone who may read the message', () => {
    sent(7);
    subscribe(CAT);
    const entry = editTypingEntry(directory, editing({}));
    expect(entry?.audience).toEqual({ to: 'users', ids: [BOB, CAT] });
    expect(heard(entry, BOB)).toHaveLength(1);
    expect(heard(entry, CAT)).toEqual([]);
    const moved = editTypingEntry(directory, editing({ arrivals: [{ channelId: CHANNEL, position: position + 1 }] }));
    expect(heard(moved, CAT)).toHaveLength(1);
  });
});

test('typing is not recorded', () => {
  const events = new TypingClientEvents(directory);
  expect(events.on).toEqual({});
});
