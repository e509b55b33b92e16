import {
  Drafts,
  FlagBatch,
  MemoryStorage,
  Outbox,
  type Call,
  type Outcome,
  type Outgoing,
  type Surroundings,
} from '../index.js';

const clock = (): Surroundings & { atMs: number } => ({
  atMs: 1_000,
  now() {
    return this.atMs;
  },
  random: () => 0.5,
  async sleep(ms) {
    this.atMs += ms;
    await new Promise(setImmediate);
  },
});
const lost: Outcome = { kind: 'lost', reason: 'gone' };
const done = (id: number): Outcome => ({ kind: 'ok', body: { id } });
const refused: Outcome = { kind: 'refused', status: 400, code: 'BAD_REQUEST', message: 'No.', body: {} };
const to = { channelId: 3, topic: 'one' };

async function turns(count = 30): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise(setImmediate);
}

async function after(microtasks: number, act: () => void): Promise<void> {
  for (let n = 0; n < microtasks; n++) await Promise.resolve();
  act();
}

const contentsOf = ({ all }: Outbox): readonly string[] => all.map(({ content }) => content);

const hanging = (): Promise<never> => new Promise(() => undefined);

const failing = async (): Promise<never> => {
  throw new Error('The disk is full.');
};

function outboxOf(
  script: Outcome[],
  storage = new MemoryStorage(),
  queueId = (): string | undefined => 'q',
  surroundings = clock(),
) {
  const calls: Call[] = [];
  const send = (call: Call): Promise<Outcome> => {
    calls.push(call);
    return new Promise((resolve) => {
      const next = script.shift();
      if (next !== undefined) resolve(next);
    });
  };
  const shown: (readonly Outgoing[])[] = [];
  const outbox = new Outbox({
    transport: { send },
    storage,
    queueId,
    changed: (all) => shown.push(all),
    surroundings,
  });
  return { outbox, calls, storage, shown };
}

describe('a message', () => {
  test('is sent again with the same key until the server answers, and stays until its own is there', async () => {
    const { outbox, calls } = outboxOf([lost, { kind: 'later', status: 503, afterMs: 1 }, done(7)]);
    const { localId } = outbox.send(to, 'Hello');
    await turns();
    expect(new Set(calls.map(({ headers }) => headers?.['idempotency-key'])).size).toBe(1);
    expect(calls).toHaveLength(3);
    expect(calls[0]?.params).toMatchObject({ type: 'channel', to: 3, topic: 'one', queue_id: 'q', local_id: localId });
    expect(outbox.all).toMatchObject([{ status: 'sent', messageId: 7 }]);
    outbox.arrived(undefined, 7);
    expect(outbox.all).toEqual([]);
  });

  test('that is told before the answer leaves at once, and the answer brings it not back', async () => {
    let resolve: (outcome: Outcome) => void = () => undefined;
    const outbox = new Outbox({
      transport: { send: () => new Promise((answer) => (resolve = answer)) },
      storage: new MemoryStorage(),
      queueId: () => 'q',
      changed: () => undefined,
      surroundings: clock(),
    });
    const { localId } = outbox.send(to, 'Hello');
    await turns();
    outbox.arrived(localId, 7);
    resolve(done(7));
    await turns();
    expect(outbox.all).toEqual([]);
  });

  test('that is refused waits for its author: retried with another content it has another key', async () => {
    const { outbox, calls } = outboxOf([refused, refused, done(7)]);
    const { localId, key } = outbox.send(to, 'Hello');
    await turns();
    expect(outbox.all).toMatchObject([{ status: 'failed', error: 'No.' }]);
    outbox.retry(localId);
    await turns();
    outbox.retry(localId, 'Hello again');
    await turns();
    expect(calls.map(({ headers }) => headers?.['idempotency-key'] === key)).toEqual([true, true, false]);
    expect(outbox.all).toMatchObject([{ status: 'sent', content: 'Hello again' }]);
  });

  test.each([
    ['that fails', { get: failing, set: failing, delete: failing, keys: failing }],
    ['that never answers', { get: hanging, set: hanging, delete: hanging, keys: hanging }],
    ['with a text that is none of its own', Object.assign(new MemoryStorage(), { get: async () => '{"cut' })],
  ])('is sent with a storage %s, which is reported', async (_, storage) => {
    const reports: string[] = [];
    const calls: Call[] = [];
    const parts = {
      transport: { send: async (call: Call) => (calls.push(call), call.path === '/messages' ? done(7) : lost) },
      storage,
      changed: () => undefined,
      report: (text: string) => reports.push(text),
      surroundings: clock(),
    };
    void storage.set('outbox/1', '').catch(() => undefined);
    const outbox = new Outbox({ ...parts, queueId: () => 'q' });
    const drafts = new Drafts({ ...parts, settings: () => undefined });
    drafts.set(to, 'begun');
    await Promise.all([drafts.load(), outbox.load()]);
    outbox.send(to, 'Hello');
    await turns();
    await Promise.all([drafts.stop(), outbox.stop()]);
    expect(calls.map(({ params }) => params?.['content'])).toEqual(['Hello']);
    expect(outbox.all).toMatchObject([{ status: 'sent' }]);
    expect(drafts.get(to)?.content).toBe('begun');
    expect(reports[0]).toMatch(/^Storage: /);
  });

  test('survives the page before its turn has come, in order, though the clock was put back', async () => {
    const time = clock();
    const before = outboxOf([], undefined, undefined, time);
    for (const content of ['First', 'Second', 'Third']) {
      before.outbox.send(to, content);
      time.atMs -= 500;
    }
    await turns();
    const after = outboxOf([done(7), done(8), done(9)], before.storage);
    await after.outbox.load();
    await turns();
    expect(after.calls.map(({ params }) => params?.['content'])).toEqual(['First', 'Second', 'Third']);
    expect(await before.storage.keys('')).toEqual([]);
  });

  test.each(['keys', 'get'] as const)('survives the page though the storage answers `%s` late', async (method) => {
    const before = outboxOf([]);
    before.outbox.send(to, 'Hello');
    const draft = { to, content: 'begun', changedAtMs: 1, isNew: true };
    await before.storage.set('draft/1', JSON.stringify(draft));
    let answer = (): void => undefined;
    const isLate = new Promise<void>((resolve) => (answer = resolve));
    const late = async (text: string): Promise<never> => {
      await isLate;
      return (await before.storage[method](text)) as never;
    };
    const storage = Object.assign(new MemoryStorage(), {
      keys: (prefix: string) => before.storage.keys(prefix),
      get: (key: string) => before.storage.get(key),
      [method]: late,
    });
    const after = outboxOf([done(7)], storage);
    const drafts = new Drafts({
      transport: { send: async () => lost },
      storage,
      changed: () => undefined,
      settings: () => undefined,
      surroundings: clock(),
    });
    await Promise.all([after.outbox.load(), drafts.load()]);
    answer();
    await turns();
    expect(after.calls.map(({ params }) => params?.['content'])).toEqual(['Hello']);
    expect(drafts.get(to)?.content).toBe('begun');
  });

  test('that is tried again survives the page with its new content', async () => {
    const before = outboxOf([refused]);
    const { localId } = before.outbox.send(to, 'Hello');
    await turns();
    before.outbox.send(to, 'On its way');
    await turns();
    before.outbox.retry(localId, 'Hello again');
    await turns();
    const after = outboxOf([], before.storage);
    await after.outbox.load();
    expect(after.outbox.all).toMatchObject([{ content: 'Hello again', status: 'sending' }, { content: 'On its way' }]);
  });

  test('is discarded when it failed, and not while it is on its way', async () => {
    const { outbox, storage } = outboxOf([refused]);
    const { localId } = outbox.send(to, 'Hello');
    outbox.discard(localId);
    expect(outbox.all).toHaveLength(1);
    await turns();
    outbox.discard(localId);
    await turns();
    expect([outbox.all, await storage.keys('')]).toEqual([[], []]);
  });

  test('survives the page, with its key and in order', async () => {
    const before = outboxOf([]);
    const first = before.outbox.send(to, 'First');
    await turns();
    const after = outboxOf([done(7)], before.storage);
    await after.outbox.load();
    after.outbox.send(to, 'Second');
    await turns();
    expect(after.calls[0]).toMatchObject({ headers: { 'idempotency-key': first.key }, params: { content: 'First' } });
    expect(after.calls[1]).toMatchObject({ params: { content: 'Second' } });
    // The queue of this run may have begun after the first one was taken.
    expect(contentsOf(after.outbox)).toEqual(['Second']);
  });

  test('that was taken before the present queue began leaves with the answer: no event tells it', async () => {
    let queueId: string | undefined = 'one';
    const queues = (): string | undefined => queueId;
    const { outbox, calls } = outboxOf([lost, done(7), done(8)], undefined, queues);
    outbox.send(to, 'Hello');
    while (calls.length === 0) await Promise.resolve();
    queueId = 'two';
    outbox.forgetSent();
    await turns();
    expect(calls.map(({ params }) => params?.['queue_id'])).toEqual(['one', 'two']);
    expect(outbox.all).toEqual([]);
    outbox.send(to, 'Hello again');
    await turns();
    expect(outbox.all).toMatchObject([{ status: 'sent', messageId: 8 }]);
  });

  test('that is answered between two queues stays until the registration', async () => {
    let queueId: string | undefined = 'one';
    const { outbox, calls } = outboxOf([done(7)], undefined, () => queueId);
    outbox.send(to, 'Hello');
    while (calls.length === 0) await Promise.resolve();
    queueId = undefined;
    await turns();
    expect(outbox.all).toMatchObject([{ status: 'sent', messageId: 7 }]);
    outbox.forgetSent();
    expect(outbox.all).toEqual([]);
  });

  test('that its author may not read any more leaves with the next one', async () => {
    const { outbox } = outboxOf([done(7), done(9)]);
    outbox.send(to, 'First');
    outbox.send(to, 'Second');
    await turns();
    outbox.arrived(undefined, 8);
    expect(contentsOf(outbox)).toEqual(['Second']);
  });

  test.each([0, 1, 2, 3, 4])('is sent when it comes %i turns after the last one was answered', async (later) => {
    const calls: Call[] = [];
    const outbox: Outbox = new Outbox({
      transport: { send: (call) => (calls.push(call), Promise.resolve(done(calls.length))) },
      storage: new MemoryStorage(),
      queueId: () => 'q',
      changed: (all) => {
        if (all.length === 1 && all[0]?.status === 'sent') void after(later, () => outbox.send(to, 'Second'));
      },
      surroundings: clock(),
    });
    outbox.send(to, 'First');
    await turns();
    expect(calls.map(({ params }) => params?.['content'])).toEqual(['First', 'Second']);
  });
});

describe('flags', () => {
  const batchOf = (script: Outcome[]) => {
    const calls: Call[] = [];
    let refusals = 0;
    const batch = new FlagBatch({
      transport: {
        send: (call) => {
          calls.push(call);
          return Promise.resolve(script.shift() ?? done(0));
        },
      },
      show: () => undefined,
      refused: () => refusals++,
      surroundings: clock(),
    });
    return { batch, calls, refusals: () => refusals };
  };

  test('of one turn go together, the last change of a message wins', async () => {
    const { batch, calls } = batchOf([]);
    batch.set('read', [1, 2], true);
    batch.set('read', [3], true);
    batch.set('starred', [1], true);
    batch.set('starred', [1], false);
    while (!batch.isIdle) await turns();
    expect(calls.map(({ params }) => params)).toEqual([
      { messages: [1, 2, 3], op: 'add', flag: 'read' },
      { messages: [1], op: 'remove', flag: 'starred' },
    ]);
  });

  test('are unconfirmed until the server has answered', async () => {
    const answers: ((outcome: Outcome) => void)[] = [];
    const batch = new FlagBatch({
      transport: { send: () => new Promise((resolve) => answers.push(resolve)) },
      show: () => undefined,
      refused: () => undefined,
      surroundings: clock(),
    });
    const shown = () => batch.unconfirmed().map(({ flag, op, messages }) => [flag, op, messages]);
    batch.set('read', [1, 2], true);
    await turns();
    batch.set('starred', [3], false);
    expect(shown()).toEqual([
      ['read', 'add', [1, 2]],
      ['starred', 'remove', [3]],
    ]);
    answers[0]?.(done(0));
    await turns();
    expect(shown()).toEqual([['starred', 'remove', [3]]]);
    answers[1]?.(done(0));
    await turns();
    expect(shown()).toEqual([]);
  });

  test.each([0, 1, 2, 3, 4])('are sent when they are set %i turns after the last were told', async (later) => {
    const calls: Call[] = [];
    const batch: FlagBatch = new FlagBatch({
      transport: { send: (call) => (calls.push(call), Promise.resolve(done(0))) },
      show: () => undefined,
      refused: () => undefined,
      surroundings: {
        ...clock(),
        sleep: async () => {
          if (calls.length === 1) void after(later, () => batch.set('read', [2], true));
        },
      },
    });
    batch.set('read', [1], true);
    await turns();
    expect(calls.map(({ params }) => params?.['messages'])).toEqual([[1], [2]]);
  });

  test('that are lost are sent again, without those that changed meanwhile', async () => {
    const { batch, calls } = batchOf([lost]);
    batch.set('starred', [1, 2], true);
    await new Promise(setImmediate);
    batch.set('starred', [2], false);
    while (!batch.isIdle) await turns();
    expect(calls.slice(1).map(({ params }) => [params?.['op'], params?.['messages']])).toEqual([
      ['add', [1]],
      ['remove', [2]],
    ]);
  });

  test('that an event has told are not sent again when the answer is lost', async () => {
    const asked: (readonly [messages: unknown, answer: (outcome: Outcome) => void])[] = [];
    const batch = new FlagBatch({
      transport: { send: ({ params }) => new Promise((resolve) => asked.push([params?.['messages'], resolve])) },
      show: () => undefined,
      refused: () => undefined,
      surroundings: clock(),
    });
    batch.set('starred', [1, 2], true);
    await turns();
    batch.event({ id: 1, type: 'update_message_flags', op: 'add', flag: 'starred', all: false, messages: [1] });
    asked[0]?.[1](lost);
    await turns();
    expect(asked.map(([messages]) => messages)).toEqual([[1, 2], [2]]);
    asked[1]?.[1](done(0));
    await turns();
  });

  test('that are refused because of one message are set for the others', async () => {
    const { batch, calls, refusals } = batchOf([refused, done(0), refused, refused, done(0)]);
    batch.set('read', [1, 2, 3], true);
    while (!batch.isIdle) await turns();
    expect(calls.map(({ params }) => params?.['messages'])).toEqual([[1, 2, 3], [1], [2, 3], [2], [3]]);
    expect(refusals()).toBe(1);
  });
});

describe('drafts', () => {
  function draftsOf(
    isSynchronized: boolean,
    storage = new MemoryStorage(),
    time = clock(),
    script: readonly Outcome[] = [],
  ) {
    const calls: Call[] = [];
    const answers = [...script];
    const drafts = new Drafts({
      transport: {
        send: (call) => {
          calls.push(call);
          return Promise.resolve(answers.shift() ?? { kind: 'ok', body: { ids: [40 + calls.length] } });
        },
      },
      storage,
      changed: () => undefined,
      settings: () => ({ enable_drafts_synchronization: isSynchronized }),
      surroundings: time,
    });
    return { drafts, calls, storage, time };
  }

  test('are of one conversation each, and survive the page', async () => {
    const { drafts, storage } = draftsOf(false);
    drafts.set(to, 'for a channel');
    drafts.set({ userIds: [5, 2] }, 'for people');
    await drafts.flush();
    const later = draftsOf(false, storage).drafts;
    await later.load();
    expect(later.get(to)?.content).toBe('for a channel');
    expect(later.get({ userIds: [2, 5] })?.content).toBe('for people');
    expect(later.get({ channelId: 3, topic: 'two' })).toBeUndefined();
  });

  test('are told to the server once the writer rests, changed, and removed', async () => {
    const { drafts, calls } = draftsOf(true);
    drafts.set(to, 'a');
    drafts.set(to, 'ab');
    await turns();
    drafts.set(to, 'abc');
    await turns();
    drafts.set(to, '');
    await turns();
    expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /drafts',
      'PATCH /drafts/41',
      'DELETE /drafts/41',
    ]);
    expect(drafts.get(to)).toBeUndefined();
  });

  test('that the server may not have are told again, when they are removed as well', async () => {
    const later: Outcome = { kind: 'later', status: 429, afterMs: 9_000 };
    const created: Outcome = { kind: 'ok', body: { ids: [41] } };
    const signedOut: Outcome = { ...refused, status: 401 };
    const { drafts, calls, time } = draftsOf(true, undefined, undefined, [lost, later, created, signedOut, lost]);
    drafts.set(to, 'a');
    await turns();
    expect(drafts.get(to)).toMatchObject({ serverId: 41, isNew: false });
    expect(time.atMs).toBeGreaterThan(10_000);
    drafts.set(to, '');
    await turns();
    expect(calls.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST', 'DELETE', 'DELETE', 'DELETE']);
    expect(drafts.get(to)).toBeUndefined();
  });

  test('that were told without an answer are not told twice, when an event says so', async () => {
    const { drafts, calls } = draftsOf(true, undefined, undefined, [lost]);
    drafts.set(to, 'a');
    while (calls.length === 0) await new Promise(setImmediate);
    drafts.take([{ id: 41, type: 'stream', to: [3], topic: 'one', content: 'a', timestamp: 1 }]);
    await turns();
    expect(drafts.get(to)).toMatchObject({ serverId: 41, isNew: false });
    expect(calls).toHaveLength(1);
  });

  test('that an earlier run has not told are told once the server has said what it has', async () => {
    const { drafts, storage } = draftsOf(true);
    drafts.set(to, 'a');
    await drafts.flush();
    const later = draftsOf(true, storage);
    await later.drafts.load();
    later.drafts.take([]);
    await turns();
    expect(later.calls.map(({ method }) => method)).toEqual(['POST']);
  });

  test('of which the server has a newer wording stay, and are told as a second draft', async () => {
    const { drafts, calls, time } = draftsOf(true);
    drafts.set(to, 'mine');
    await turns();
    drafts.set(to, 'mine, longer');
    const timestamp = Math.ceil(time.atMs / 1000) + 100;
    drafts.take([{ id: 41, type: 'stream', to: [3], topic: 'one', content: 'theirs', timestamp }]);
    await turns();
    expect(drafts.get(to)?.content).toBe('mine, longer');
    expect(calls.map(({ method }) => method)).toEqual(['POST', 'POST']);
  });

  test('of other clients are taken in, and leave with them', () => {
    const { drafts } = draftsOf(true);
    drafts.event({
      id: 1,
      type: 'drafts',
      op: 'add',
      drafts: [{ id: 9, type: 'stream', to: [3], topic: 'one', content: 'x', timestamp: 5 }],
    });
    expect(drafts.get(to)?.content).toBe('x');
    drafts.event({ id: 2, type: 'drafts', op: 'remove', draft_id: 9 });
    expect(drafts.get(to)).toBeUndefined();
  });

  test.each([0, 1, 2, 3, 4])('are stored when they change %i turns after the last ones were', async (later) => {
    const storage = new MemoryStorage();
    const write = storage.set.bind(storage);
    storage.set = (key, text) => {
      if (text.includes('first')) void after(later, () => drafts.set({ channelId: 3, topic: 'two' }, 'second'));
      return write(key, text);
    };
    // Nothing is told, which stores as well.
    const sleep = (ms: number): Promise<void> => new Promise((resolve) => ms < 1_000 && setImmediate(resolve));
    const drafts: Drafts = draftsOf(false, storage, { ...clock(), sleep }).drafts;
    drafts.set(to, 'first');
    await turns();
    expect(await storage.keys('')).toHaveLength(2);
  });

  const draftOf = (id: number, content: string) => {
    return { id, type: 'stream', to: [3], topic: 'one', content, timestamp: 5 };
  };

  test('that were sent or removed while nobody listened are gone after the next registration', async () => {
    const { drafts, storage } = draftsOf(true);
    const other = { channelId: 3, topic: 'two' };
    drafts.take([draftOf(9, 'sent elsewhere'), { ...draftOf(10, 'kept'), topic: 'two' }]);
    await turns();
    const later = draftsOf(true, storage);
    await later.drafts.load();
    later.drafts.take([{ ...draftOf(10, 'kept'), topic: 'two' }]);
    await turns();
    expect([later.drafts.get(to), later.drafts.get(other)?.content]).toEqual([undefined, 'kept']);
    expect(await storage.keys('')).toHaveLength(1);
    // Without synchronization, or once it was switched, the server's list says nothing of them.
    const alone = draftsOf(false, storage);
    await alone.drafts.load();
    alone.drafts.take([]);
    expect(alone.drafts.get(other)?.content).toBe('kept');
    later.drafts.event({
      id: 1,
      type: 'user_settings',
      op: 'update',
      property: 'enable_drafts_synchronization',
      value: false,
    });
    later.drafts.take([]);
    expect(later.drafts.get(other)?.content).toBe('kept');
  });

  test('that go on here after they were removed elsewhere are told as others', async () => {
    const { drafts, calls } = draftsOf(true, undefined, undefined, [refused]);
    drafts.take([draftOf(9, 'x')]);
    await turns();
    drafts.set(to, 'xy');
    await turns();
    expect(calls.map(({ method }) => method)).toEqual(['PATCH', 'POST']);
    expect(drafts.get(to)).toMatchObject({ content: 'xy', serverId: 42, isNew: false });
    drafts.set(to, 'xyz');
    drafts.take([]);
    await turns();
    expect(calls.map(({ method }) => method)).toEqual(['PATCH', 'POST', 'POST']);
  });

  test('that another client has removed do not come back with the page', async () => {
    const { drafts, storage } = draftsOf(true);
    drafts.take([{ id: 9, type: 'stream', to: [3], topic: 'one', content: 'x', timestamp: 5 }]);
    await turns();
    drafts.event({ id: 2, type: 'drafts', op: 'remove', draft_id: 9 });
    await turns();
    expect(await storage.keys('')).toEqual([]);
  });
});
