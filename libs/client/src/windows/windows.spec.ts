import { registeredOf, type State, stateOf } from '../core/state.js';
import { apply } from '../core/apply.js';
import type { Message, NarrowTerm, ServerEvent } from '../wire/types.js';
import { applied, narrowKey, NO_WINDOWS, opened, type Windows, withPage } from './windows.js';

const [ALPHA, BETA] = [2, 3];
const ALL: readonly NarrowTerm[] = [];
const STARRED: readonly NarrowTerm[] = [{ operator: 'is', operand: 'starred' }];
const IN_ALPHA: readonly NarrowTerm[] = [{ operator: 'channel', operand: ALPHA }];
const NARROWS = [ALL, STARRED, IN_ALPHA];

/** A reader who is subscribed to the first of two channels. */
const READER: State = stateOf({
  queue_id: 'q',
  last_event_id: 0,
  user_id: 5,
  max_message_id: 9,
  streams: [ALPHA, BETA].map((stream_id) => ({ stream_id, name: `channel ${stream_id}`, first_message_id: null })),
  subscriptions: [{ stream_id: ALPHA, name: 'channel 2', first_message_id: 1 }],
  unsubscribed: [],
  never_subscribed: [{ stream_id: BETA, name: 'channel 3', first_message_id: null }],
  unread_msgs: {
    count: 1,
    pms: [],
    streams: [{ stream_id: ALPHA, topic: 'one', unread_message_ids: [7] }],
    huddles: [],
    mentions: [7],
    old_unreads_missing: false,
  },
});

const message = (id: number, more: object = {}): Message =>
  ({
    id,
    type: 'stream',
    stream_id: ALPHA,
    display_recipient: 'channel 2',
    subject: 'one',
    content: '<p>hello</p>',
    sender_id: 6,
    flags: [],
    reactions: [],
    ...more,
  }) as unknown as Message;

const event = (type: string, more: object): ServerEvent => ({ id: 20, type, ...more });
const starred = (id: number): ServerEvent =>
  event('update_message_flags', { op: 'add', flag: 'starred', messages: [id], all: false });
const moved = (ids: readonly number[], more: object): ServerEvent =>
  event('update_message', {
    message_id: ids[0],
    message_ids: ids,
    edit_timestamp: 500,
    flags: [],
    stream_id: ALPHA,
    orig_subject: 'one',
    ...more,
  });

const page = (...messages: readonly Message[]) => ({
  messages,
  found_anchor: false,
  found_oldest: true,
  found_newest: true,
  anchor: 0,
});

function windowsWith(...messages: readonly Message[]): Windows {
  return NARROWS.reduce((all, narrow) => {
    const there = messages.filter(({ flags }) => narrow !== STARRED || flags.includes('starred'));
    return withPage(opened(all, narrow), narrow, page(...there), { state: READER, since: [] });
  }, NO_WINDOWS);
}

const windowOf = ({ windows }: Windows, narrow: readonly NarrowTerm[]) => windows[narrowKey(narrow)]!;
const idsIn = (windows: Windows, narrow: readonly NarrowTerm[]) =>
  windowOf(windows, narrow).runs.flatMap(({ ids }) => ids);

describe('a page from before an event that came first', () => {
  test('does not take out what the event brought in', () => {
    const before = applied(windowsWith(message(1)), starred(1), READER);
    expect(idsIn(before, STARRED)).toEqual([1]);
    const after = withPage(before, STARRED, page(), { state: READER, since: [starred(1)] });
    expect(idsIn(after, STARRED)).toEqual([1]);
  });

  test('shows flags as they are after the event', () => {
    const before = applied(windowsWith(message(1)), starred(1), READER);
    const after = withPage(before, ALL, page(message(1)), { state: READER, since: [starred(1)] });
    expect(after.messages.get(1)?.flags).toEqual(['starred']);
  });
});

test('a message from before the subscription may be in the narrow of a channel that has a former name', () => {
  const narrow: readonly NarrowTerm[] = [{ operator: 'stream', operand: ALPHA }];
  const there = page(message(1, { flags: ['read', 'historical'] }));
  const before = withPage(opened(NO_WINDOWS, narrow), narrow, there, { state: READER, since: [] });
  const after = applied(before, event('reaction', { op: 'add', message_id: 1, user_id: 6 }), READER);
  // It is fetched again.
  expect(windowOf(after, narrow).outdated).toBe(windowOf(before, narrow).outdated + 1);
});

describe('a window that is opened', () => {
  const topic = (name: number): readonly NarrowTerm[] => [...IN_ALPHA, { operator: 'topic', operand: String(name) }];
  const pages = (count: number): Windows =>
    Array.from({ length: count }, (_, index) => index + 1).reduce(
      (all, id) => withPage(opened(all, topic(id)), topic(id), page(message(id)), { state: READER, since: [] }),
      NO_WINDOWS,
    );

  test('is the last used one', () => {
    const after = opened(pages(20), topic(21));
    expect(windowOf(after, topic(1))).toBeUndefined();
    expect(windowOf(after, topic(21))).toBeDefined();
  });

  test('takes the place, and the messages, of the window that was used longest ago', () => {
    const after = pages(21);
    expect(Object.keys(after.windows)).toHaveLength(20);
    expect([...after.messages.keys()]).not.toContain(1);
    expect(idsIn(after, topic(21))).toEqual([21]);
  });

  test('takes no place of one that somebody looks at', () => {
    const looked = narrowKey(topic(1));
    const after = opened(pages(20), topic(21), { keeps: (key) => key === looked });
    expect([1, 2, 3].map((name) => narrowKey(topic(name)) in after.windows)).toEqual([true, false, true]);
  });

  test('has gone when a page comes too late, and takes no place again', () => {
    const after = pages(21);
    expect(withPage(after, topic(1), page(message(1)), { state: READER, since: [] })).toBe(after);
  });
});

describe('messages of a run that is too long', () => {
  const from = (first: number, count: number) =>
    page(...Array.from({ length: count }, (_, index) => message(first + index)));
  const known = { state: READER, since: [] };

  test('are forgotten where a page displaces them, unless another window has them', () => {
    const other = withPage(opened(NO_WINDOWS, IN_ALPHA), IN_ALPHA, from(1, 1), known);
    const full = withPage(opened(other, ALL), ALL, from(1, 2000), known);
    const after = withPage(full, ALL, { ...from(2000, 101), found_oldest: false }, known);
    expect(idsIn(after, ALL)).toHaveLength(2000);
    expect([1, 2, 100, 101].map((id) => after.messages.has(id))).toEqual([true, false, false, true]);
  });
});

describe('a move', () => {
  const timesAfter = (windows: Windows, change: ServerEvent, ids: readonly number[]) => {
    const after = applied(windows, change, READER);
    return ids.map((id) => after.messages.get(id)?.['last_moved_timestamp']);
  };

  test('leaves messages alone that have the new spelling already', () => {
    const windows = windowsWith(message(1), message(2, { subject: 'ONE', last_moved_timestamp: 400 }));
    expect(timesAfter(windows, moved([1, 2], { subject: 'ONE' }), [1, 2])).toEqual([500, 400]);
  });

  test.each([
    ['one', '✔ one', undefined],
    ['✔ ✔✔ one', 'one', undefined],
    ['x'.repeat(60), `✔ ${'x'.repeat(55)}...`, undefined],
    ['one', '✔ two', 500],
    ['✔ one', 'two', 500],
    ['', '✔ ', 500],
  ])('from %p to %p is at %p: marking a topic is none', (from, to, at) => {
    expect(timesAfter(windowsWith(message(1, { subject: from })), moved([1], { subject: to }), [1])).toEqual([at]);
  });

  test('to another channel is one for every message', () => {
    const windows = windowsWith(message(1), message(2, { subject: 'One' }));
    expect(timesAfter(windows, moved([1, 2], { new_stream_id: BETA }), [1, 2])).toEqual([undefined, undefined]);
    const subscribed = { ...READER, subscriptions: READER.channels };
    const after = applied(windows, moved([1, 2], { new_stream_id: BETA }), subscribed);
    expect([1, 2].map((id) => after.messages.get(id)?.['last_moved_timestamp'])).toEqual([500, 500]);
    expect(idsIn(after, ALL)).toEqual([1, 2]);
    expect(idsIn(after, IN_ALPHA)).toEqual([]);
  });

  test('to a channel without a subscription asks again where it may have left the own history', () => {
    const windows = windowsWith(message(1), message(2, { flags: ['starred'] }), message(3));
    const after = applied(windows, moved([1, 2], { new_stream_id: BETA }), READER);
    expect(NARROWS.map((narrow) => idsIn(after, narrow))).toEqual([[3], [], [3]]);
    expect(NARROWS.map((narrow) => windowOf(after, narrow).outdated)).toEqual([2, 1, 0]);
    expect(after.messages.get(2)).toBeUndefined();
  });
});

test('an edit that takes the mention away asks again whose the message is', () => {
  const windows = windowsWith(message(1, { flags: ['read', 'mentioned'] }), message(2));
  const edit = { message_id: 1, message_ids: [1], stream_id: ALPHA, content: 'other', edit_timestamp: 500 };
  const after = applied(windows, event('update_message', { ...edit, flags: ['read'] }), READER);
  expect(NARROWS.map((narrow) => idsIn(after, narrow))).toEqual([[2], [], [2]]);
  expect(NARROWS.map((narrow) => windowOf(after, narrow).outdated)).toEqual([1, 0, 1]);
});

describe('the state', () => {
  const unreadAfter = (change: ServerEvent) => registeredOf(apply(READER, change) ?? READER)['unread_msgs'];

  test('has as read what an edit takes from the reader', () => {
    const edit = { message_id: 7, message_ids: [7], stream_id: ALPHA, content: 'other', edit_timestamp: 500 };
    expect(unreadAfter(event('update_message', { ...edit, flags: ['read', 'historical'] }))).toMatchObject({
      count: 0,
      streams: [],
      mentions: [],
    });
    expect(unreadAfter(event('update_message', { ...edit, flags: [] }))).toMatchObject({ count: 1, mentions: [] });
  });

  test('knows the first message of a channel only with a subscription: others may have come before', () => {
    const sent = (stream_id: number): ServerEvent =>
      event('message', { message: message(10, { stream_id }), flags: [] });
    const firstIn = (state: State): unknown[] =>
      [...(state.channels?.values() ?? [])].map(({ first_message_id: id }) => id);
    expect(firstIn(apply(READER, sent(BETA)) ?? READER)).toEqual([null, null]);
    expect(firstIn(apply(READER, sent(ALPHA)) ?? READER)).toEqual([10, null]);
  });
});
