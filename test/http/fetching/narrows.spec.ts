import { SEED, seeded } from '#testing';
import { expectRefusal, idsOf, messagesIn } from '../../support/answers.js';
import type { ApiClient } from '../../support/client.js';
import { channelOf, startWithPeople } from '../../support/people.js';
import type { TestServer } from '../../support/server.js';

let server: TestServer;
let ann: ApiClient;
let ben: ApiClient;
let cleo: ApiClient;
/** Messages by the name that the tests know them by. */
const ids: Record<string, number> = {};
let tea: number;
let milk: number;
let den: number;

beforeAll(async () => {
  ({ server, ann, ben, cleo } = await startWithPeople());
  tea = await channelOf('tea', ann, ben);
  milk = await channelOf('milk', ben);
  await ben.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'den' }],
    principals: [ann.userId, ben.userId],
    invite_only: true,
    history_public_to_subscribers: false,
  });
  den = (await ann.ok('GET', '/get_stream_id', { stream: 'den' })).stream_id;
  const say = async (name: string, sent: Promise<number>): Promise<void> => {
    ids[name] = await sent;
  };
  await ann.ok('POST', '/users/me/alert_words', { alert_words: ['kettle'] });
  await say('green', ben.send('tea', 'Green', 'a green leaf'));
  await say('black', ann.send('tea', 'black', 'see https://example.test/leaf now'));
  await say('mention', ben.send('tea', 'Green', 'hello @**Ann Archer**'));
  await say('all', ben.send('tea', '', '@**all** drink'));
  await say('alert', ben.send('tea', 'black', 'the Kettle sings'));
  await say('outside', ben.send('milk', 'cold', 'not for ann'));
  await say('secret', ben.send('den', '✔ plot', 'psst'));
  await say('pair', ben.sendTo([ann], 'for you'));
  await say('group', cleo.sendTo([ann, ben], 'for all of us'));
  await say('own', ann.sendTo([ben], 'from me'));
  await say('note', ann.sendTo([ann], 'to myself'));
  await ben.ok('POST', `/messages/${ids['green']}/reactions`, { emoji_name: 'tada' });
  await ann.ok('POST', '/messages/flags', { op: 'add', flag: 'starred', messages: [ids['green'], ids['pair']] });
  await ann.ok('POST', '/messages/flags', { op: 'add', flag: 'read', messages: [ids['black'], ids['secret']] });
  await ann.ok('POST', '/user_topics', { stream_id: tea, topic: 'green', visibility_policy: 3 });
  await ann.ok('POST', '/user_topics', { stream_id: tea, topic: 'black', visibility_policy: 1 });
});
afterAll(() => server.stop());

/** Everything in ann's own history. */
const OWN = ['green', 'black', 'mention', 'all', 'alert', 'secret', 'pair', 'group', 'own', 'note'];
const TEA = ['green', 'black', 'mention', 'all', 'alert'];
const DIRECT = ['pair', 'group', 'own', 'note'];
const named = (found: readonly { id: number }[]): (string | undefined)[] =>
  found.map(({ id }) => Object.keys(ids).find((name) => ids[name] === id));
const without = (all: readonly string[], some: readonly string[]): string[] => all.filter((one) => !some.includes(one));

/** Messages of the organization's own bots are no part of these stories. */
const found = async (client: ApiClient, narrow: unknown): Promise<string[]> =>
  named(await messagesIn(client, narrow)).filter((name) => name !== undefined);

describe('each operator finds what it says, and its negation the rest', () => {
  test.each<[string, () => unknown, string[], string[]?]>([
    ['channel', () => tea, TEA],
    ['channel', () => 'TEA', TEA],
    ['stream', () => 'tea', TEA],
    ['channel', () => String(tea), TEA],
    ['channel', () => den, ['secret']],
    ['channels', () => 'public', [...TEA, 'outside'], ['secret', ...DIRECT]],
    ['streams', () => 'public', [...TEA, 'outside'], ['secret', ...DIRECT]],
    ['channels', () => 'web-public', [], OWN],
    ['topic', () => 'green', ['green', 'mention']],
    ['subject', () => 'GREEN', ['green', 'mention']],
    ['topic', () => '', ['all']],
    ['topic', () => 'general chat', ['all']],
    ['topic', () => '(no topic)', ['all']],
    ['topic', () => 'nowhere', []],
    ['dm', () => [ben.userId], ['pair', 'own']],
    ['dm', () => [ann.userId, ben.userId], ['pair', 'own']],
    ['dm', () => [ann.userId], ['note']],
    ['pm-with', () => ben.email, ['pair', 'own']],
    ['pm_with', () => `${ben.email}, ${cleo.email}`, ['group']],
    ['dm', () => ben.email.toUpperCase(), ['pair', 'own']],
    ['dm', () => [cleo.userId], []],
    ['dm-including', () => ben.userId, ['pair', 'group', 'own']],
    ['dm-including', () => [ben.userId, cleo.userId], ['group']],
    ['dm-including', () => ann.userId, DIRECT],
    ['dm-including', () => cleo.email, ['group']],
    ['dm-with', () => cleo.email, ['group']],
    ['group-pm-with', () => ben.userId, ['group']],
    ['group_pm_with', () => ben.email, ['group']],
    ['sender', () => ben.userId, ['green', 'mention', 'all', 'alert', 'secret', 'pair']],
    ['from', () => ben.email, ['green', 'mention', 'all', 'alert', 'secret', 'pair']],
    ['sender', () => cleo.userId, ['group']],
    ['mentions', () => ann.userId, ['mention']],
    ['id', () => ids['pair'], ['pair']],
    ['id', () => String(ids['pair']), ['pair']],
    ['id', () => ids['outside'], []],
    ['is', () => 'dm', DIRECT],
    ['is', () => 'private', DIRECT],
    ['is', () => 'starred', ['green', 'pair']],
    ['is', () => 'unread', without(OWN, ['black', 'secret'])],
    ['is', () => 'mentioned', ['mention', 'all']],
    ['is', () => 'alerted', ['alert']],
    ['is', () => 'resolved', ['secret']],
    ['is', () => 'followed', ['green', 'mention']],
    ['is', () => 'muted', ['black', 'alert']],
    ['has', () => 'link', ['black']],
    ['has', () => 'image', []],
    ['has', () => 'attachment', []],
    ['has', () => 'reaction', ['green']],
    ['search', () => 'leaf', ['green', 'black']],
    ['search', () => 'green', ['green', 'mention']],
  ])('%s (%#)', async (operator, operand, expected, rest = without(OWN, expected)) => {
    expect(await found(ann, [{ operator, operand: operand() }])).toEqual(expected);
    expect(await found(ann, [{ operator, operand: operand(), negated: false }])).toEqual(expected);
    expect(await found(ann, [{ operator, operand: operand(), negated: true }])).toEqual(rest);
    const written = operand();
    if (typeof written === 'string') expect(await found(ann, [[operator, written]])).toEqual(expected);
  });

  test.each<[string, string, boolean]>([
    ['a bare address of a picture', 'https://example.test/cat.png', true],
    ['a link to one', '[the cat](https://example.test/a/cat.JPEG?size=2&x=.html)', true],
    ['an embedded one', '![the cat](https://example.test/cat.webp)', true],
    ['a link that only speaks of one', '[cat.png](https://example.test/cats)', false],
    ['a query that does', 'https://example.test/show?name=cat.png', false],
  ])('%s has an image, or none', async (_, content, has) => {
    const id = await ben.sendTo([cleo], content);
    expect((await messagesIn(cleo, [['has', 'image']])).some((message) => message.id === id)).toBe(has);
    expect((await messagesIn(cleo, [['has', 'link']])).some((message) => message.id === id)).toBe(true);
  });

  test.each(['dm', 'pm-with', 'dm-including'])('%s takes lists of IDs alone', async (operator) => {
    for (const operand of [[String(ben.userId)], [ben.email], [ben.userId, String(cleo.userId)]]) {
      const narrow = { narrow: [{ operator, operand }], anchor: 'newest', num_before: 1, num_after: 0 };
      expectRefusal(await ann.call('GET', '/messages', narrow), 'BAD_NARROW');
    }
  });

  test('near filters nothing, in:home drops what is muted, in:all nothing', async () => {
    expect(await found(ann, [{ operator: 'near', operand: ids['pair'] }])).toEqual(OWN);
    expect(await found(ann, [['in', 'home']])).toEqual(without(OWN, ['black', 'alert']));
    expect(await found(ann, [['in', 'all']])).toEqual(OWN);
    expect(await found(ann, [])).toEqual(OWN);
  });

  test('terms must all hold', async () => {
    const terms = [
      { operator: 'channel', operand: tea },
      { operator: 'sender', operand: ben.userId },
      { operator: 'topic', operand: 'green', negated: true },
    ];
    expect(await found(ann, terms)).toEqual(['all', 'alert']);
    expect(await found(ann, [...terms, ['is', 'mentioned']])).toEqual(['all']);
  });
});

describe('with', () => {
  test('stands for the conversation of its message, wherever that went', async () => {
    const id = await ben.send('tea', 'to be moved', 'follow me');
    const narrow = [
      { operator: 'channel', operand: tea },
      { operator: 'topic', operand: 'to be moved' },
      { operator: 'with', operand: id },
    ];
    await ben.ok('PATCH', `/messages/${id}`, { topic: 'moved', send_notification_to_new_thread: false });
    expect(idsOf(await messagesIn(ann, narrow))).toEqual([id]);
    expect(idsOf(await messagesIn(ann, narrow.slice(0, 2)))).toEqual([]);
    expect(await found(ann, [{ operator: 'with', operand: ids['group'] }])).toEqual(['group']);
    const elsewhere = [
      { operator: 'dm', operand: [cleo.userId] },
      { operator: 'with', operand: ids['green'] },
    ];
    expect(await found(ann, elsewhere)).toEqual(['green', 'mention']);
    await ben.ok('DELETE', `/messages/${id}`);
  });

  test('is ignored for what is not there, when a conversation is named, and refused otherwise', async () => {
    for (const operand of [9_999_999, await ben.sendTo([cleo], 'hidden')]) {
      const lost = { operator: 'with', operand };
      expect(await found(ann, [['channel', 'tea'], ['topic', 'green'], lost])).toEqual(['green', 'mention']);
      expect(await found(ann, [{ operator: 'dm', operand: [ben.userId] }, lost])).toEqual(['pair', 'own']);
      const alone = await ann.call('GET', '/messages', { narrow: [lost], anchor: 0, num_before: 0, num_after: 1 });
      expectRefusal(alone, 'BAD_NARROW');
    }
  });
});

describe('which messages', () => {
  test('a channel brings its whole history, read and historical', async () => {
    const [message] = await messagesIn(ann, [['channel', 'milk']]);
    expect([message.id, message.flags.sort()]).toEqual([ids['outside'], ['historical', 'read']]);
    for (const operand of ['dm', 'unread', 'starred', 'followed', 'muted']) {
      expect(await found(ann, [['channel', 'milk'], { operator: 'is', operand, negated: true }])).toEqual([]);
    }
    expect(await found(ann, [['channel', 'milk'], { operator: 'sender', operand: ben.userId }])).toEqual(['outside']);
    expect(await found(ann, [['topic', 'cold']])).toEqual([]);
    expect(await found(ann, [{ operator: 'sender', operand: ben.userId }, ['topic', 'cold']])).toEqual([]);
  });

  test('of resolved topics are found in a whole history: they are a property of the topic, not of the reader', async () => {
    const solved = await ben.send('milk', '✔ spilt', 'wiped');
    const inMilk = async (negated: boolean): Promise<number[]> =>
      idsOf(await messagesIn(ann, [['channel', 'milk'], { operator: 'is', operand: 'resolved', negated }]));
    expect([await inMilk(false), await inMilk(true)]).toEqual([[solved], [ids['outside']]]);
    const everywhere = await messagesIn(ann, [
      ['channels', 'public'],
      ['is', 'resolved'],
    ]);
    expect(idsOf(everywhere)).toEqual([solved]);
    expect(await found(ann, [['is', 'resolved']])).toEqual(['secret']);
    await ben.ok('DELETE', `/messages/${solved}`);
  });

  test('what one flags or reacts to is in their history from then on', async () => {
    const dora = await server.user('Dora Drake');
    const [starred, reacted, plain] = [
      await ben.send('milk', 'mine', 'star me'),
      await ben.send('milk', 'mine', 'like me'),
      await ben.send('milk', 'mine', 'forget me'),
    ];
    const mine = async (): Promise<number[]> => idsOf(await messagesIn(dora, [['topic', 'mine']]));
    expect(await mine()).toEqual([]);
    await dora.ok('POST', '/messages/flags', { op: 'add', flag: 'starred', messages: [starred] });
    await dora.ok('POST', `/messages/${reacted}/reactions`, { emoji_name: 'tada' });
    expect(await mine()).toEqual([starred, reacted]);
    await dora.ok('POST', '/messages/flags', { op: 'remove', flag: 'starred', messages: [starred] });
    await dora.ok('DELETE', `/messages/${reacted}/reactions`, { emoji_name: 'tada' });
    expect(await mine()).toEqual([starred, reacted]);
    expect((await messagesIn(dora, [['topic', 'mine']]))[0].flags.sort()).toEqual(['historical', 'read']);
    for (const id of [starred, reacted, plain]) await ben.ok('DELETE', `/messages/${id}`);
  });

  test('others see nothing of it', async () => {
    expect(await found(cleo, [])).toEqual(['group']);
    expect(await found(cleo, [['search', 'leaf']])).toEqual([]);
    expect(
      await found(cleo, [
        ['channel', 'tea'],
        ['search', 'leaf'],
      ]),
    ).toEqual(['green', 'black']);
    expect(await found(cleo, [{ operator: 'dm-including', operand: ann.userId }])).toEqual(['group']);
    const den_ = await cleo.call('GET', '/messages', {
      narrow: [['channel', 'den']],
      anchor: 0,
      num_before: 0,
      num_after: 1,
    });
    expect(expectRefusal(den_, 'BAD_NARROW').desc).toBe('unknown channel');
  });
});

describe('what means nothing is refused', () => {
  const ask = (narrow: unknown): ReturnType<ApiClient['call']> =>
    ann.call('GET', '/messages', { narrow, anchor: 'newest', num_before: 1, num_after: 0 });

  test.each<[string, unknown]>([
    ['shape', 'round'],
    ['constructor', 'x'],
    ['is', 'purple'],
    ['is', ''],
    ['in', 'space'],
    ['has', 'fun'],
    ['channel', 'nowhere'],
    ['channel', 99_999],
    ['channels', 'secret'],
    ['sender', 'nobody@example.test'],
    ['sender', 99_999],
    ['dm', [99_999]],
    ['dm', 'x@example.test'],
    ['id', 'ten'],
    ['id', -1],
    ['with', 'x'],
    ['search', ''],
    ['search', '   '],
    ['search', 5],
    ['topic', [1]],
    ['topic', 5],
  ])('%s: %j', async (operator, operand) => {
    const body = expectRefusal(await ask([{ operator, operand }]), 'BAD_NARROW');
    expect(body.desc).toMatch(/\S/);
    expect(body.msg).toContain(body.desc);
    if (['is', 'in', 'has', 'channels'].includes(operator))
      expect(body.desc).toBe(`unknown '${operator}' operand ${String(operand)}`);
  });

  test.each(['near', 'with', 'in'])(
    'but for a negated %s, which has no opposite: it means the same',
    async (operator) => {
      const operand = operator === 'in' ? 'home' : ids['green'];
      const term = { operator, operand };
      expect(await found(ann, [{ ...term, negated: true }])).toEqual(await found(ann, [term]));
    },
  );

  test('and what lists more than it may', async () => {
    const { userId } = ben;
    const dm = (count: number): unknown => [{ operator: 'dm', operand: new Array<number>(count).fill(userId) }];
    expect((await ask(dm(1000))).status).toBe(200);
    expect(expectRefusal(await ask(dm(1001)), 'BAD_REQUEST').msg).toMatch(/narrow.*1000/);
    const terms = (count: number): unknown => new Array<unknown>(count).fill(['is', 'dm']);
    expect((await ask(terms(100))).status).toBe(200);
    expect(expectRefusal(await ask(terms(101)), 'BAD_REQUEST').msg).toMatch(/narrow.*100\b/);
    expect(expectRefusal(await ask([['topic', 'x'.repeat(70_000)]]), 'BAD_REQUEST').msg).toMatch(/narrow.*65536/);
  });

  test.each<[unknown]>([
    ['x'],
    ['{}'],
    [[{ operator: 'is' }]],
    [[['is']]],
    [[[1, 2]]],
    [[{ operator: 1, operand: 'x' }]],
    [[null]],
  ])('malformed: %j', async (narrow) => {
    const answer = await ask(narrow);
    expect([answer.status, ['REQUEST_VARIABLE_INVALID', 'BAD_REQUEST'].includes(answer.body.code)]).toEqual([
      400,
      true,
    ]);
  });
});

describe('matches_narrow', () => {
  test('tells which of these are the caller’s own and match', async () => {
    const msg_ids = ['green', 'black', 'outside', 'secret'].map((name) => ids[name]);
    const ask = async (narrow: unknown, client = ann): Promise<any> =>
      (await client.ok('GET', '/messages/matches_narrow', { msg_ids, narrow })).messages;
    expect(Object.keys(await ask([['channel', 'tea']])).map(Number)).toEqual([ids['green'], ids['black']]);
    expect(await ask([['channel', 'milk']])).toEqual({});
    expect(await ask([['search', 'green']])).toEqual({
      [String(ids['green'])]: {
        match_content: '<p>a <span class="highlight">green</span> leaf</p>',
        match_subject: '<span class="highlight">Green</span>',
      },
    });
    expect(await ask([['is', 'dm']], cleo)).toEqual({});
  });

  test('needs both parameters, and sense', async () => {
    const answer = await ann.call('GET', '/messages/matches_narrow', { msg_ids: [1] });
    expect(expectRefusal(answer, 'REQUEST_VARIABLE_MISSING').var_name).toBe('narrow');
    expectRefusal(
      await ann.call('GET', '/messages/matches_narrow', { msg_ids: [1], narrow: [['x', 'y']] }),
      'BAD_NARROW',
    );
  });
});

describe('any narrow agrees with a filter over all of the viewer’s messages', () => {
  const random = seeded(SEED);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;

  const participants = ({ display_recipient }: any): string =>
    typeof display_recipient === 'string' ? '' : String(display_recipient.map(({ id }: any) => id).sort());
  const visible = ({ content, subject }: any): string => `${content} ${subject}`.replace(/<[^>]*>/g, ' ').toLowerCase();

  const termsFor = (viewer: ApiClient): { term: object; holds: (message: any) => boolean }[] => [
    ...[tea, milk].map((id) => ({
      term: { operator: 'channel', operand: id },
      holds: (message: any) => message.stream_id === id,
    })),
    ...['green', 'Black', '', 'cold'].map((topic) => ({
      term: { operator: 'topic', operand: topic },
      holds: ({ type, subject }: any) => type === 'stream' && subject.toLowerCase() === topic.toLowerCase(),
    })),
    ...[ann, ben, cleo].flatMap(({ userId }) => [
      { term: { operator: 'sender', operand: userId }, holds: ({ sender_id }: any) => sender_id === userId },
      {
        term: { operator: 'dm', operand: [userId] },
        holds: (message: any) => participants(message) === String([...new Set([viewer.userId, userId])].sort()),
      },
      {
        term: { operator: 'dm-including', operand: userId },
        holds: (message: any) => participants(message).split(',').includes(String(userId)),
      },
    ]),
    ...['starred', 'unread', 'mentioned', 'alerted', 'dm', 'resolved'].map((operand) => ({
      term: { operator: 'is', operand },
      holds: ({ flags, type, subject }: any) =>
        operand === 'unread'
          ? !flags.includes('read')
          : operand === 'dm'
            ? type === 'private'
            : operand === 'resolved'
              ? subject.startsWith('✔ ')
              : operand === 'mentioned'
                ? ['mentioned', 'wildcard_mentioned'].some((flag) => flags.includes(flag))
                : flags.includes(operand === 'alerted' ? 'has_alert_word' : operand),
    })),
    { term: { operator: 'has', operand: 'reaction' }, holds: ({ reactions }: any) => reactions.length > 0 },
    ...['leaf', 'hello', 'kettle', 'green'].map((word) => ({
      term: { operator: 'search', operand: word },
      holds: (message: any) => new RegExp(`\\b${word}\\b`).test(visible(message)),
    })),
  ];

  test('hundreds of them', async () => {
    for (const viewer of [ann, ben, cleo]) {
      const all = await messagesIn(viewer);
      const terms = termsFor(viewer);
      for (let count = 0; count < 120; count++) {
        const chosen = Array.from({ length: pick([1, 2, 2, 3]) }, () => ({ ...pick(terms), negated: random() < 0.4 }));
        // A channel's whole history is another story (see above).
        if (chosen.some(({ term, negated }) => 'operand' in term && term.operand === milk && !negated)) continue;
        const narrow = chosen.map(({ term, negated }) => ({ ...term, negated }));
        const isChannel = chosen.some(({ term, negated }) => 'operand' in term && term.operand === tea && !negated);
        if (isChannel && viewer === cleo) continue;
        const expected = all.filter((message) => chosen.every(({ holds, negated }) => holds(message) !== negated));
        expect({ narrow, ids: idsOf(await messagesIn(viewer, narrow)) }).toEqual({ narrow, ids: idsOf(expected) });
      }
    }
  });
});
