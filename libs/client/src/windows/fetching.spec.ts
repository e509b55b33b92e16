import { Client } from '../client.js';
import { Drafts } from '../session/drafts.js';
import { FlagBatch } from '../session/flag-batch.js';
import type { Call, Outcome } from '../session/transport.js';
import type { Fields, NarrowTerm, Registered } from '../wire/types.js';
import { follow } from './follow.js';
import { viewOf } from './view.js';
import { narrowKey, NO_WINDOWS } from './windows.js';

const SEARCH: readonly NarrowTerm[] = [{ operator: 'search', operand: 'hello' }];
const HOME: readonly NarrowTerm[] = [{ operator: 'in', operand: 'home' }];
const STARRED: readonly NarrowTerm[] = [{ operator: 'is', operand: 'starred' }];
const FOLLOWED: readonly NarrowTerm[] = [{ operator: 'is', operand: 'followed' }];
const NEWEST = { anchor: 'newest' } as const;

const answer = (body: Fields): Outcome => ({ kind: 'ok', body });
const lost: Outcome = { kind: 'lost', reason: 'gone' };
const refused = (message: string): Outcome => ({ kind: 'refused', status: 400, code: 'BAD_NARROW', message, body: {} });
const STATE = { user_id: 1, max_message_id: 0, user_topics: [], subscriptions: [], streams: [] };
const registration = (id: string): Outcome => answer({ ...STATE, queue_id: id, last_event_id: 0 });
const message = (id: number): Fields => ({
  id,
  type: 'stream',
  stream_id: 2,
  subject: 'one',
  content: `<p>${id}</p>`,
  sender_id: 6,
  flags: [],
  reactions: [],
});
const page = (...ids: readonly number[]): Outcome =>
  answer({ messages: ids.map(message), found_oldest: true, found_newest: true, found_anchor: true, anchor: 0 });
const arrival = (id: number): Fields => ({ type: 'message', message: message(id), flags: [] });
const visibility = (policy: number): Fields => ({
  type: 'user_topic',
  stream_id: 2,
  topic_name: 'one',
  last_updated: 5,
  visibility_policy: policy,
});

async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
}

/** A server whose answers wait until the test gives them. Pauses end only when they are cut short. */
class Script {
  readonly asked: { readonly call: Call; readonly answer: (outcome: Outcome) => void }[] = [];
  readonly client: Client;
  readonly reports: string[] = [];
  #poll: ((outcome: Outcome) => void) | undefined;
  #eventId = 0;

  constructor(kept?: Registered) {
    this.client = new Client({
      ...(kept && { kept }),
      drafts: Drafts,
      flags: FlagBatch,
      betweenPollsMs: 0,
      onReport: (text) => this.reports.push(text),
      transport: {
        send: (call) =>
          new Promise((resolve) => {
            const lose = (): void => end(lost);
            const end = (outcome: Outcome): void => {
              call.signal?.removeEventListener('abort', lose);
              resolve(outcome);
            };
            call.signal?.addEventListener('abort', lose);
            if (call.path === '/events') {
              if (call.method === 'DELETE') end(answer({}));
              else this.#poll = end;
            } else this.asked.push({ call, answer: end });
          }),
      },
      surroundings: {
        now: () => 0,
        random: () => 0.5,
        sleep: (ms, signal) =>
          ms <= 10
            ? new Promise(setImmediate)
            : new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
      },
    });
  }

  async start(): Promise<void> {
    await this.client.start();
    await this.give('/register', registration('q'));
  }

  /** Changes of flags that are left have no answer. */
  async stop(): Promise<void> {
    const stopped = this.client.stop();
    await turns();
    for (const { answer: give } of this.asked) give(lost);
    await stopped;
  }

  /** Calls of a path that wait for their answer. */
  waiting(path: string): number {
    return this.asked.filter(({ call }) => call.path === path).length;
  }

  /** Answers the oldest call of a path. */
  async give(path: string, outcome: Outcome): Promise<Call> {
    await turns();
    const at = this.asked.findIndex(({ call }) => call.path === path);
    const [one] = this.asked.splice(at, at === -1 ? 0 : 1);
    if (one === undefined) throw new Error(`Nobody asks for ${path}.`);
    one.answer(outcome);
    await turns();
    return one.call;
  }

  async tell(...events: readonly Fields[]): Promise<void> {
    await turns();
    this.#poll?.(answer({ events: events.map((event) => ({ id: ++this.#eventId, ...event })) }));
    await turns();
  }

  /** The poll under way has no answer. */
  async lose(outcome: Outcome = lost): Promise<void> {
    await turns();
    this.#poll?.(outcome);
    await turns();
  }

  ids(narrow: readonly NarrowTerm[]): readonly number[] {
    const { windows } = this.client.store.get();
    return (windows.windows[narrowKey(narrow)]?.runs ?? []).flatMap(({ ids }) => ids);
  }
}

let script: Script;
beforeEach(async () => {
  script = new Script();
  await script.start();
});
afterEach(() => script.stop());

/** A window that is there. */
async function open(narrow: readonly NarrowTerm[], ...ids: readonly number[]): Promise<void> {
  const opened = script.client.open(narrow, NEWEST);
  await script.give('/messages', page(...ids));
  await opened;
}

test('a window that an event outdates while older messages are fetched is fetched anew', async () => {
  const partly = { found_oldest: false, found_newest: true, found_anchor: true, anchor: 0 };
  const opened = script.client.open(FOLLOWED, NEWEST);
  await script.give('/messages', answer({ messages: [message(6)], ...partly }));
  await opened;
  const more = script.client.more(FOLLOWED, 6, 'older');
  await script.tell(visibility(0));
  // The window comes first, and then the older messages, as they were before the event.
  const [older, whole] = script.asked;
  script.asked.splice(0);
  whole?.answer(page());
  await turns();
  older?.answer(answer({ messages: [message(4), message(5)], ...partly, found_newest: false }));
  await more;
  await script.give('/messages', page());
  expect(script.waiting('/messages')).toBe(0);
  expect(script.ids(FOLLOWED)).toEqual([]);
  expect(viewOf(script.client.store.get().windows, FOLLOWED)).toMatchObject({ hasOldest: true, hasNewest: true });
});

test('a page does not outdate other windows by events that they have taken in', async () => {
  await open(FOLLOWED, 5);
  await open(HOME, 5, 6);
  await open(SEARCH, 5);
  await script.tell(visibility(3));
  await script.tell(visibility(2));
  // Each that is under way when an event comes is fetched once more, and no more often.
  for (const ids of [[5], [5, 6], [5], [5, 6]]) await script.give('/messages', page(...ids));
  expect(script.waiting('/messages')).toBe(0);
  expect([FOLLOWED, HOME, SEARCH].map((narrow) => script.ids(narrow))).toEqual([[5], [5, 6], [5]]);
  expect([...script.client.store.get().windows.messages.keys()]).toEqual([5, 6]);
});

test('a search is fetched once at a time, and not while nobody looks at it', async () => {
  await open(SEARCH, 5);
  for (const id of [6, 7, 8]) await script.tell(arrival(id));
  expect(script.waiting('/messages')).toBe(1);
  await script.give('/messages', page(5, 6));
  expect(script.waiting('/messages')).toBe(1);
  await script.give('/messages', page(5, 6, 8));
  expect(script.waiting('/messages')).toBe(0);
  script.client.close(SEARCH);
  await script.tell(arrival(9));
  expect(script.waiting('/messages')).toBe(0);
  script.client.lookAt(SEARCH, { anchor: 8, before: 100, after: 100 });
  const { params } = await script.give('/messages', page(5, 6, 8, 9));
  expect(params).toMatchObject({ anchor: 8, num_before: 100 });
  expect(script.ids(SEARCH)).toEqual([5, 6, 8, 9]);
  script.client.close(SEARCH);
  script.client.lookAt(SEARCH, NEWEST);
  await turns();
  expect(script.waiting('/messages')).toBe(0);
});

test('a change of flags that the server puts off is fetched once it is made, and not before', async () => {
  await open(HOME, 5, 6);
  await open(STARRED, 5);
  // One message is in a window, the other one is not.
  script.client.flags?.set('starred', [6, 9], true);
  await script.give('/messages/flags', { kind: 'later', status: 429, afterMs: undefined });
  expect(script.waiting('/messages')).toBe(0);
  expect(script.ids(STARRED)).toEqual([5, 6]);
  // Each is fetched for another reason, once.
  await script.tell(visibility(0));
  await script.give('/messages', page(5, 6));
  await open(STARRED, 5);
  expect(script.waiting('/messages')).toBe(0);
  expect(script.ids(STARRED)).toEqual([5, 6]);
  await script.tell({ type: 'update_message_flags', op: 'add', flag: 'starred', all: false, messages: [6, 9] });
  expect(script.waiting('/messages')).toBe(2);
});

test('a flag that was taken off elsewhere stays off, though the call that set it is not answered', async () => {
  await open(STARRED, 5);
  script.client.flags?.set('starred', [5, 6], true);
  const change = { type: 'update_message_flags', flag: 'starred', all: false, messages: [5] };
  await script.tell({ ...change, op: 'add' }, { ...change, op: 'remove' });
  // The answer is from after both events; of the other message, nothing is known.
  const opened = script.client.open(HOME, NEWEST);
  await script.give('/messages', page(5, 6));
  await opened;
  const { messages } = script.client.store.get().windows;
  expect([5, 6].map((id) => messages.get(id)?.flags)).toEqual([[], ['starred']]);
  expect(script.ids(STARRED)).not.toContain(5);
});

test('what is refused is said of the window, until it is fetched again', async () => {
  await open(SEARCH, 5);
  await script.tell(arrival(6));
  await script.give('/messages', refused('Not yours.'));
  const window = () => script.client.store.get().windows.windows[narrowKey(SEARCH)];
  expect(window()?.refused?.message).toBe('Not yours.');
  expect(script.waiting('/messages')).toBe(0);
  await script.tell(arrival(7));
  await script.give('/messages', page(5, 7));
  expect(window()?.refused).toBeUndefined();
});

test('messages that do not fit are asked for again, after a pause', async () => {
  await open(SEARCH, 5);
  await script.tell(arrival(6));
  await script.give('/messages', answer({ found_newest: true }));
  expect(script.waiting('/messages')).toBe(0);
  script.client.wake();
  await script.give('/messages', page(5, 6));
  expect(script.ids(SEARCH)).toEqual([5, 6]);
  expect(script.reports).toEqual([expect.stringContaining('does not fit')]);
});

test('a window of a kept state is fetched as soon as the server is there, and follows', async () => {
  await script.client.stop();
  script = new Script({ ...STATE, queue_id: 'old', last_event_id: 9 });
  await script.client.start();
  const opened = script.client.open(FOLLOWED, NEWEST);
  // Neither the first registration nor the first fetch reaches the server, and the pause is long.
  await script.give('/messages', lost);
  expect(script.waiting('/messages')).toBe(0);
  await script.give('/register', lost);
  script.client.session.wake();
  await script.give('/register', registration('q'));
  await script.give('/messages', page(5));
  await opened;
  expect(script.ids(FOLLOWED)).toEqual([5]);
});

test('who follows a narrow sees each change, what was there while it is fetched again, and what is refused', async () => {
  const followed = follow(script.client, SEARCH, { anchor: 'newest', before: 2, after: 0 });
  const told: string[] = [];
  followed.subscribe(() => {
    const { messages, isFetching, refused: why } = followed.get();
    told.push(`${messages.map(({ id }) => id).join()}${isFetching ? '…' : ''}${why === undefined ? '' : why.message}`);
  });
  const partly = { found_oldest: false, found_newest: true, found_anchor: true, anchor: 6 };
  await script.give('/messages', answer({ messages: [message(5), message(6)], ...partly }));
  const older = followed.more('older', 3);
  await script.give(
    '/messages',
    answer({ ...partly, messages: [3, 4, 5].map(message), found_newest: false, found_oldest: true }),
  );
  await older;
  await script.tell(arrival(7));
  const { params } = await script.give('/messages', page(3, 4, 5, 6, 7));
  expect(params).toMatchObject({ anchor: 'newest', num_before: 2, num_after: 0 });
  await script.tell(arrival(8));
  await script.give('/messages', refused('Not yours.'));
  expect(told).toEqual(['5,6', '3,4,5,6', '3,4,5,6…', '3,4,5,6,7', '3,4,5,6,7…', 'Not yours.']);
  followed.end();
  await script.tell(arrival(9));
  expect(script.waiting('/messages')).toBe(0);
});

describe('who follows a narrow that another one follows', () => {
  const partly = { found_oldest: false, found_newest: false, found_anchor: true, anchor: 6 };
  const part = (...ids: readonly number[]): Outcome => answer({ ...partly, messages: ids.map(message) });

  test('with another reach is fetched for as well', async () => {
    follow(script.client, SEARCH, NEWEST);
    const early = follow(script.client, SEARCH, { anchor: 6, before: 1, after: 1 });
    await script.give('/messages', answer({ ...partly, found_newest: true, messages: [message(90)] }));
    expect(early.get().isFetching).toBe(true);
    await script.give('/messages', answer({ ...partly, found_newest: true, messages: [message(90)] }));
    await script.give('/messages', part(5, 6, 7));
    expect(early.get().messages).toHaveLength(3);
    expect(script.waiting('/messages')).toBe(0);
  });

  test('goes on when the other one ends', async () => {
    const followed = [0, 1].map(() => follow(script.client, SEARCH, NEWEST));
    // One answer is for both.
    await script.give('/messages', page(5));
    expect(script.waiting('/messages')).toBe(0);
    expect(followed.map((one) => one.get().isFetching)).toEqual([false, false]);
    followed[0]?.end();
    followed[0]?.end();
    await script.tell(arrival(6));
    await script.give('/messages', page(5, 6));
    expect(followed[1]?.get().messages).toHaveLength(2);
    followed[1]?.end();
    await script.tell(arrival(7));
    expect(script.waiting('/messages')).toBe(0);
  });

  test('has what is around its own anchor, each time the narrow is fetched', async () => {
    const newest = follow(script.client, SEARCH, { anchor: 'newest', before: 1 });
    await script.give('/messages', answer({ ...partly, found_newest: true, messages: [message(90)] }));
    const early = follow(script.client, SEARCH, { anchor: 6, before: 1, after: 1 });
    const shown = () => [newest, early].map((one) => one.get().messages.map(({ id }) => id));
    const fetch = async () => {
      const anchors = [
        await script.give('/messages', answer({ ...partly, found_newest: true, messages: [message(90)] })),
      ];
      anchors.push(await script.give('/messages', part(5, 6, 7)));
      expect(anchors.map(({ params }) => params?.['anchor'])).toEqual(['newest', 6]);
      expect(script.waiting('/messages')).toBe(0);
    };
    expect(early.get().isFetching).toBe(true);
    await fetch();
    expect(shown()).toEqual([[90], [5, 6, 7]]);
    await script.lose({ kind: 'refused', status: 400, code: 'BAD_EVENT_QUEUE_ID', message: '', body: {} });
    script.client.wake();
    await script.give('/register', registration('r'));
    await fetch();
    expect(shown()).toEqual([[90], [5, 6, 7]]);
  });

  test('keeps its window, however many others are opened and closed', async () => {
    const followed = follow(script.client, SEARCH, NEWEST);
    await script.give('/messages', page(5));
    for (let sender = 1; sender <= 20; sender++) {
      const narrow = [{ operator: 'sender', operand: sender }];
      await open(narrow);
      script.client.close(narrow);
    }
    await script.tell(arrival(6));
    await script.give('/messages', page(5, 6));
    expect(followed.get().messages).toHaveLength(2);
  });
});

test('an answer from before a registration whose drafts do not fit is not taken', async () => {
  void script.client.open(SEARCH, NEWEST);
  await turns();
  script.client.session.registerAnew();
  await script.give('/register', answer({ ...STATE, queue_id: 'r', last_event_id: 0, drafts: 5 }));
  await script.give('/messages', page(5));
  expect(script.reports).toEqual([expect.stringContaining('does not fit')]);
  expect(script.ids(SEARCH)).toEqual([]);
  await script.give('/messages', page(5, 6));
  expect(script.ids(SEARCH)).toEqual([5, 6]);
});

test('a change of flags that is not confirmed stays shown after a registration that does not know it', async () => {
  await open(STARRED, 5);
  script.client.flags?.set('starred', [6], true);
  script.client.flags?.set('read', [8], true);
  await script.give('/messages/flags', lost);
  script.client.session.registerAnew();
  const streams = [{ stream_id: 2, topic: 'one', unread_message_ids: [7, 8] }];
  const unread = { count: 2, pms: [], streams, huddles: [], mentions: [], old_unreads_missing: false };
  const old = { starred_messages: [5], unread_msgs: unread, subscriptions: [{ stream_id: 2, name: 'a channel' }] };
  await script.give('/register', answer({ ...STATE, ...old, queue_id: 'r', last_event_id: 0 }));
  const { state } = script.client.store.get();
  expect([...(state?.starred?.keys() ?? [])]).toEqual([5, 6]);
  expect([...(state?.unread?.keys.keys() ?? [])]).toEqual([7]);
  await script.give('/messages', page(5, 6));
  expect(script.client.store.get().windows.messages.get(6)?.flags).toEqual(['starred']);
});

test('a change of flags that a registration overtakes is made once more: another client may have taken it back before', async () => {
  script.client.flags?.set('starred', [5, 6], true);
  script.client.session.registerAnew();
  await script.give('/register', answer({ ...STATE, starred_messages: [6], queue_id: 'r', last_event_id: 0 }));
  await script.give('/messages/flags', answer({}));
  const { state } = script.client.store.get();
  expect([...(state?.starred?.keys() ?? [])]).toEqual([5, 6]);
  script.client.wake();
  const { params } = await script.give('/messages/flags', answer({}));
  expect(params).toEqual({ messages: [5, 6], op: 'add', flag: 'starred' });
  script.client.wake();
  await turns();
  expect(script.waiting('/messages/flags')).toBe(0);
});

test('each fetch has a signal of its own, which leaves nothing behind: only the end cuts it off', async () => {
  for (let sender = 1; sender <= 12; sender++) script.client.lookAt([{ operator: 'sender', operand: sender }], NEWEST);
  await turns();
  const signals = script.asked.map(({ call }) => call.signal);
  expect(new Set(signals).size).toBe(12);
  script.client.wake();
  expect(signals.filter((signal) => signal?.aborted)).toEqual([]);
  await script.stop();
  expect(signals.filter((signal) => signal?.aborted)).toHaveLength(12);
});

test('a narrow whose window has gone is fetched when somebody looks at it again', async () => {
  await open(SEARCH, 5);
  script.client.store.set({ ...script.client.store.get(), windows: NO_WINDOWS });
  script.client.lookAt(SEARCH, NEWEST);
  await script.give('/messages', page(5));
  expect(script.ids(SEARCH)).toEqual([5]);
});

describe('a client is not settled', () => {
  const settled = async (): Promise<string> =>
    Promise.race([script.client.settled().then(() => 'settled'), turns().then(() => 'not yet')]);

  test('while more messages of a window are fetched', async () => {
    const opened = script.client.open(SEARCH, NEWEST);
    const partly = { messages: [message(6)], found_oldest: false, found_newest: true, found_anchor: true, anchor: 6 };
    await script.give('/messages', answer(partly));
    await opened;
    void script.client.more(SEARCH, 6, 'older');
    expect(await settled()).toBe('not yet');
    await script.give('/messages', page(5, 6));
    expect(await settled()).toBe('settled');
  });

  test('while a registration is due that came up when it waited for something else', async () => {
    void script.client.open(SEARCH, NEWEST);
    const waits = settled();
    const late = script.client.settled().then(() => script.client.session.queueId);
    expect(await waits).toBe('not yet');
    script.client.session.registerAnew();
    await script.give('/messages', page(5));
    await script.give('/register', registration('r'));
    await script.give('/messages', page(5));
    expect(await late).toBe('r');
  });

  test('while the server is out of reach', async () => {
    expect(await settled()).toBe('settled');
    script.client.session.wake();
    await turns();
    expect(await settled()).toBe('settled');
    await script.lose();
    expect(await settled()).toBe('not yet');
    script.client.session.wake();
    await script.tell();
    expect(await settled()).toBe('settled');
  });

  test('between signing in and the registration that follows', async () => {
    await script.lose({ kind: 'refused', status: 401, code: 'UNAUTHORIZED', message: '', body: {} });
    expect(await settled()).toBe('settled');
    script.client.session.resume();
    expect(script.client.session.isSettled).toBe(false);
    expect(await settled()).toBe('not yet');
    await script.give('/register', registration('r'));
    expect(await settled()).toBe('settled');
  });
});
