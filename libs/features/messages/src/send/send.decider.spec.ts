import type { Refusal } from '#kernel';
import type { User } from '#users/model';
import { sampleUser } from '#testing';
import type { MessageSent } from '../model/messages.events.js';
import type { ChannelAnswers, Destination, SendMessage } from './send.commands.js';
import { decidePlace, decideSend } from './send.decider.js';

type UsersDestination = Extract<Destination, { to: 'users' }>;

const at = 1_790_000_000;
const ANN = 7;

const channel: ChannelAnswers = {
  channelId: 3,
  name: 'Denmark',
  isKnown: true,
  isArchived: false,
  maySend: true,
  topicsPolicy: 'allow_empty_topic',
  mayMentionMany: false,
  subscriberCount: 2,
  mayUseTopic: true,
};

function command(change: Partial<SendMessage> = {}): SendMessage {
  return {
    senderId: ANN,
    destination: { to: 'channel', asked: 'Denmark', channel, topic: 'lunch' },
    content: { content: 'hello' },
    client: 'ZulipPython',
    readBySender: undefined,
    at,
    ...change,
  };
}

function inChannel(change: Partial<ChannelAnswers>, topic = 'lunch'): Partial<SendMessage> {
  return { destination: { to: 'channel', asked: 'Denmark', channel: { ...channel, ...change }, topic } };
}

function toUsers(...users: readonly (User | undefined)[]): Partial<SendMessage> {
  return { destination: among(users) };
}

function among(users: readonly (User | undefined)[], change: object = {}): UsersDestination {
  const asked = users.map((one) => one?.userId ?? 99);
  return { to: 'users', asked, users, isPermitted: true, isOff: false, mayBegin: true, ...change };
}

function refusalOf(change: Partial<SendMessage>): Refusal {
  try {
    decided(command(change));
  } catch (error) {
    return error as Refusal;
  }
  throw new Error('it was sent');
}

/** The whole decision: the place, and then the event. */
function decided(asked: SendMessage): MessageSent {
  return decideSend(decidePlace(asked.senderId, asked.destination), asked);
}

test('a channel message', () => {
  expect(decided(command())).toEqual({
    type: 'message.sent.v1',
    data: { senderId: ANN, channelId: 3, topic: 'lunch', content: 'hello', client: 'ZulipPython', at },
  });
});

test('a group message names each participant once, including the sender, ascending', () => {
  const { data } = decided(command(toUsers(sampleUser(9), sampleUser(8), sampleUser(9))));
  expect(data).toMatchObject({ to: [ANN, 8, 9] });
  expect(data).not.toHaveProperty('channelId');
});

test('a message to oneself has one participant', () => {
  expect(decided(command(toUsers(sampleUser(ANN)))).data).toMatchObject({ to: [ANN] });
});

test('what rendering found is kept', () => {
  const content = { content: '@**Bob**', rendered: '<p>…</p>', mentions: [8], channelWildcard: true as const };
  expect(decided(command({ content })).data).toMatchObject(content);
});

test.each([
  ['by name', 'Denmark', { stream: 'Denmark' }],
  ['by ID', 42, { stream_id: 42 }],
])('an unknown channel, %s', (_, asked, data) => {
  expect(refusalOf({ destination: { to: 'channel', asked, channel: undefined, topic: '' } })).toMatchObject({
    code: 'STREAM_DOES_NOT_EXIST',
    data,
  });
});

test('a channel that the sender may not know of looks like one that does not exist', () => {
  const unknown = refusalOf({ destination: { to: 'channel', asked: 'Denmark', channel: undefined, topic: '' } });
  const hidden = refusalOf(inChannel({ isKnown: false, maySend: false }));
  expect([hidden.code, hidden.data, hidden.message]).toEqual([unknown.code, unknown.data, unknown.message]);
});

test.each([
  ['a channel one may not post to', inChannel({ maySend: false })],
  ['an archived channel', inChannel({ isArchived: true, maySend: false })],
  ['an empty topic where topics are required', inChannel({ topicsPolicy: 'disable_empty_topic' }, '')],
  ['a topic where only the empty one is allowed', inChannel({ topicsPolicy: 'empty_topic_only' })],
  ['a new topic without permission', inChannel({ mayUseTopic: false })],
  ['an unknown recipient', toUsers(sampleUser(8), undefined)],
  ['a deactivated recipient', toUsers(sampleUser(8, { isActive: false }))],
  ['people who may not write to each other', { destination: among([sampleUser(8)], { isPermitted: false }) }],
  ['a conversation that one may not begin', { destination: among([sampleUser(8)], { mayBegin: false }) }],
])('%s is a bad request', (_, change) => {
  expect(refusalOf(change).code).toBe('BAD_REQUEST');
});

test('topic policies say how the empty topic is called', () => {
  expect(refusalOf(inChannel({ topicsPolicy: 'disable_empty_topic' }, '')).data).toEqual({
    empty_topic_display_name: 'general chat',
  });
});

describe('wildcard mentions', () => {
  const all = { content: { content: '@**all**', channelWildcard: true as const } };
  const topic = (participants: number) => ({
    content: {
      content: '@**topic**',
      topicWildcard: true as const,
      topicParticipants: Array.from({ length: participants }, (_, n) => n + 1),
    },
  });

  test('need no permission up to 15 subscribers or participants', () => {
    expect(decided(command({ ...all, ...inChannel({ subscriberCount: 15 }) })).data.channelWildcard).toBe(true);
    expect(decided(command({ ...topic(15), ...inChannel({ subscriberCount: 99 }) })).data).toMatchObject({
      topicWildcard: true,
      topicParticipants: topic(15).content.topicParticipants,
    });
  });

  test('need it beyond', () => {
    expect(refusalOf({ ...all, ...inChannel({ subscriberCount: 16 }) }).code).toBe(
      'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    );
    expect(refusalOf({ ...topic(16) }).code).toBe('TOPIC_WILDCARD_MENTION_NOT_ALLOWED');
    const permitted = inChannel({ subscriberCount: 16, mayMentionMany: true });
    expect(decided(command({ ...all, ...permitted })).data.channelWildcard).toBe(true);
    expect(decided(command({ ...topic(16), ...permitted })).data.topicWildcard).toBe(true);
  });
});

test('a notice is recorded as read for those who caused it', () => {
  expect(decided(command({ readBy: [3] })).data.readBy).toEqual([3]);
  expect(decided(command()).data).not.toHaveProperty('readBy');
  expect(decided(command({ readBy: [] })).data).not.toHaveProperty('readBy');
});

test.each([
  ['ZulipTerminal', undefined, true],
  ['My Desktop App', undefined, true],
  ['ZulipFlutter', undefined, undefined],
  ['ZulipPython', undefined, undefined],
  ['ZulipPython', true, true],
  ['ZulipTerminal', false, undefined],
])('%s with read_by_sender %s', (client, readBySender, expected) => {
  expect(decided(command({ client, readBySender })).data.readBySender).toBe(expected);
});
