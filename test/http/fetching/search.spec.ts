import { expectRefusal, idsOf, messagesIn } from '../../support/answers.js';
import type { ApiClient } from '../../support/client.js';
import { channelOf, startWithPeople } from '../../support/people.js';
import type { TestServer } from '../../support/server.js';

let server: TestServer;
let ann: ApiClient;
let ben: ApiClient;
let cleo: ApiClient;

beforeAll(async () => {
  ({ server, ann, ben, cleo } = await startWithPeople());
  await channelOf('library', ann, ben);
});
afterAll(() => server.stop());

let topics = 0;
/** A topic of its own with one message. */
const said = async (content: string, topic = `shelf ${++topics}`): Promise<{ id: number; topic: string }> => ({
  id: await ann.send('library', topic, content),
  topic,
});
const search = (operand: string, topic: string, client = ben, parameters = {}): Promise<any[]> =>
  messagesIn(
    client,
    [
      ['channel', 'library'],
      ['topic', topic],
      ['search', operand],
    ],
    parameters,
  );

describe('a search finds', () => {
  test.each<[string, string, string]>([
    ['a word', 'the quick brown fox', 'quick'],
    ['in any case', 'the quick brown fox', 'QUICK'],
    ['all of several, in any order', 'the quick brown fox', 'fox quick'],
    ['other forms of it', 'we were running and planned it', 'runs planning'],
    ['with stop words, which count for nothing', 'brown fox', 'the fox and a brown'],
    ['with accents or without', 'a café in Zürich', 'cafe zurich'],
    ['without accents or with', 'a cafe', 'café'],
    ['numbers', 'room 4711 is free', '4711'],
    ['a part of a compound', 'the half-open_door.', 'open'],
    ['what is marked up', 'a **bold** *move* in `code`', 'bold move code'],
    ['a mention', 'ask @**Ben Baker** first', 'baker'],
    ['words of scripts without blanks', '今日は東京へ行く', '東京'],
    ['words of other scripts', 'Привет, мир', 'привет'],
    ['a phrase', 'one small step for man', '"small step"'],
    ['a phrase in another case', 'one Small Step for man', '"small step"'],
    ['a phrase and a word', 'one small step for man', 'man "small step"'],
    ['with a quotation mark that is never closed', 'one small step', '"small'],
    ['a web address', 'see https://example.test/a_b?c=1&d=2.', 'https://example.test/a_b?c=1&d=2'],
    ['a host in a web address', 'see https://www.example.test/a', 'www.example.test'],
    ['an e-mail address, with punctuation behind it', 'ask Ann.Archer@example.test', 'ann.archer@example.test.'],
  ])('%s', async (_, content, operand) => {
    const { id, topic } = await said(content);
    expect(idsOf(await search(operand, topic))).toEqual([id]);
  });

  test('words of the topic too', async () => {
    const { id, topic } = await said('hello', 'Rare birds');
    expect(idsOf(await search('bird hello', topic))).toEqual([id]);
    expect(idsOf(await search('"rare birds"', topic))).toEqual([id]);
  });
});

describe('a search does not find', () => {
  test.each<[string, string, string]>([
    ['a part of a word', 'the elephant', 'elep'],
    ['one word of two', 'the quick fox', 'quick dog'],
    ['a phrase in another order', 'one small step', '"step small"'],
    ['what only an address says', 'see [this](https://example.test/secret)', 'secret'],
    ['what only the markup says', 'a **bold** word', 'strong'],
    ['anything by stop words alone', 'the and of', 'the'],
    ['a phrase of stop words that stand apart', 'to be, or perhaps not to be', '"to be or not to be"'],
    ['characters far apart', '東へ行く京', '東京'],
    ['words of an address far apart', 'a test is an example', 'example.test'],
  ])('%s', async (_, content, operand) => {
    const { topic } = await said(content);
    expect(await search(operand, topic)).toEqual([]);
  });

  test('what is hidden from the viewer, or not theirs', async () => {
    const id = await ann.sendTo([ben], 'xylophone');
    expect(idsOf(await messagesIn(ben, [['search', 'xylophone']]))).toEqual([id]);
    expect(await messagesIn(cleo, [['search', 'xylophone']])).toEqual([]);
    const { id: shared } = await said('marimba');
    expect(await messagesIn(cleo, [['search', 'marimba']])).toEqual([]);
    expect(
      idsOf(
        await messagesIn(cleo, [
          ['channels', 'public'],
          ['search', 'marimba'],
        ]),
      ),
    ).toEqual([shared]);
  });
});

test('the stop words that searches ignore are in the register response', async () => {
  const { state } = await ann.register({ fetch_event_types: ['stop_words'] });
  expect(state.stop_words).toEqual(expect.arrayContaining(['the', 'and', 'yourselves']));
  expect(state.stop_words).not.toContain('lunch');
});

test('a quoted phrase of stop words alone is found, in any window', async () => {
  const ids = [(await said('To be or not to be', 'hamlet')).id, (await said('... to be or not to be?', 'hamlet')).id];
  await said('to be, or not', 'hamlet');
  const operand = '"to be or not to be"';
  expect(idsOf(await search(operand, 'hamlet'))).toEqual(ids);
  const rest = [['topic', 'hamlet'], { operator: 'search', operand, negated: true }];
  expect((await messagesIn(ben, rest)).map(({ content }) => content)).toEqual(['<p>to be, or not</p>']);
  const narrow = [['search', operand]];
  const newest = await ben.ok('GET', '/messages', { narrow, anchor: 'newest', num_before: 1, num_after: 0 });
  expect([idsOf(newest.messages), newest.found_oldest]).toEqual([ids.slice(1), false]);
  const { messages } = await ben.ok('GET', '/messages/matches_narrow', { narrow, msg_ids: [...ids, ids[1]! + 1] });
  expect(Object.keys(messages).map(Number)).toEqual(ids);
});

test('the negation finds the rest, and terms are joined', async () => {
  const topic = 'negated';
  const [both, first, second] = [
    (await said('alpha beta', topic)).id,
    (await said('alpha', topic)).id,
    (await said('beta', topic)).id,
  ];
  const ask = async (...terms: object[]): Promise<number[]> =>
    idsOf(await messagesIn(ben, [{ operator: 'topic', operand: topic }, ...terms]));
  const word = (operand: string, negated = false): object => ({ operator: 'search', operand, negated });
  expect(await ask(word('alpha', true))).toEqual([second]);
  expect(await ask(word('alpha'), word('beta', true))).toEqual([first]);
  expect(await ask(word('alpha'), word('beta'))).toEqual([both]);
  expect(await ask(word('alpha beta', true))).toEqual([first, second]);
});

describe('hits are shown', () => {
  const fields = async (content: string, operand: string, topic?: string): Promise<[string, string]> => {
    const made = await said(content, topic);
    const [message] = await search(operand, made.topic);
    return [message.match_content, message.match_subject];
  };
  const hit = (word: string): string => `<span class="highlight">${word}</span>`;

  test('in content and topic, in every form', async () => {
    expect(await fields('Run, running & runs', 'run', 'Long runs')).toEqual([
      `<p>${hit('Run')}, ${hit('running')} &amp; ${hit('runs')}</p>`,
      `Long ${hit('runs')}`,
    ]);
  });

  test('inside markup, and never inside tags or entities', async () => {
    const [content] = await fields('**strong** & [link](https://example.test/link) amp', 'strong link amp');
    expect(content).toContain(`<strong>${hit('strong')}</strong>`);
    expect(content).toContain(`&amp; <a href="https://example.test/link">${hit('link')}</a> ${hit('amp')}`);
  });

  test.each<[string, string, string, string]>([
    [
      'of a script without blanks as runs',
      '東京都は東にある。京都も。',
      '東京',
      `<p>${hit('東京')}都は東にある。京都も。</p>`,
    ],
    ['of Japanese', '今日は東京へ行く', '行く 東京', `<p>今日は${hit('東京')}へ${hit('行く')}</p>`],
    [
      'of kana with a long vowel',
      'タワーへ、コーヒー',
      'タワー コーヒー',
      `<p>${hit('タワー')}へ、${hit('コーヒー')}</p>`,
    ],
    ['in overlapping runs', '東京都', '東京 京都', `<p>${hit('東京都')}</p>`],
    ['by one character', '東京は東', '東', `<p>${hit('東')}京は${hit('東')}</p>`],
    ['of two scripts', 'the 東京 tower', '東京tower', `<p>the ${hit('東京')} ${hit('tower')}</p>`],
    [
      'of an e-mail address, and not of its parts',
      'ann@example.test is an example',
      'ann@example.test',
      `<p><a href="mailto:ann@example.test">${hit('ann@example.test')}</a> is an example</p>`,
    ],
    ['of a file', 'open notes.txt, not the notes', 'NOTES.txt', `<p>open ${hit('notes.txt')}, not the notes</p>`],
  ])('%s', async (_, content, operand, expected) => {
    expect((await fields(content, operand))[0]).toBe(expected);
  });

  test('of an address as a whole, with its entities', async () => {
    const address = 'https://example.test/a_b?c=1&d=2';
    const [content, topic] = await fields(`see ${address}, an example`, address, 'about example.test');
    expect(content).toContain(`>${hit('https://example.test/a_b?c=1&amp;d=2')}</a>`);
    expect(content).toContain('</a>, an example');
    expect(topic).toBe('about example.test');
  });

  test('with the topic escaped', async () => {
    expect((await fields('x-ray', 'x ray', 'a <b> & x'))[1]).toBe(`a &lt;b&gt; &amp; ${hit('x')}`);
  });

  test('as HTML even to clients that ask for Markdown, and only for searches', async () => {
    const { topic } = await said('some *text*');
    const [message] = await search('text', topic, ben, { apply_markdown: false });
    expect(message).toMatchObject({ content: 'some *text*', match_content: `<p>some <em>${hit('text')}</em></p>` });
    const [plain] = await messagesIn(ben, [['topic', topic]]);
    expect(plain).not.toHaveProperty('match_content');
    const [negated] = await messagesIn(ben, [
      { operator: 'topic', operand: topic },
      { operator: 'search', operand: 'zebra', negated: true },
    ]);
    expect(negated).not.toHaveProperty('match_content');
  });
});

test('edits, moves and deletions are followed', async () => {
  const { id, topic } = await said('early');
  await ann.ok('PATCH', `/messages/${id}`, { content: 'late' });
  expect(await search('early', topic)).toEqual([]);
  expect(idsOf(await search('late', topic))).toEqual([id]);
  await ann.ok('PATCH', `/messages/${id}`, { topic: 'Wherever', send_notification_to_new_thread: false });
  expect(idsOf(await search('wherever', 'Wherever'))).toEqual([id]);
  expect(idsOf(await messagesIn(ben, [['search', `late ${topic}`]]))).toEqual([]);
  await ann.ok('DELETE', `/messages/${id}`);
  expect(await messagesIn(ben, [['search', 'late']])).toEqual([]);
});

test('a search has windows like any narrow, and knows its ends', async () => {
  const ids: number[] = [];
  for (let count = 0; count < 5; count++) {
    ids.push((await said(`needle ${count}`, 'hay')).id);
    await said('straw', 'hay');
  }
  const narrow = [['search', 'needle']];
  const fetch = (parameters: object): Promise<any> => ben.ok('GET', '/messages', { narrow, ...parameters });
  const newest = await fetch({ anchor: 'newest', num_before: 2, num_after: 0 });
  expect([idsOf(newest.messages), newest.found_oldest, newest.found_newest]).toEqual([ids.slice(3), false, true]);
  const around = await fetch({ anchor: ids[2], num_before: 1, num_after: 1 });
  expect([idsOf(around.messages), around.found_anchor]).toEqual([ids.slice(1, 4), true]);
  const all = await fetch({ anchor: ids[0], num_before: 5, num_after: 9 });
  expect([idsOf(all.messages), all.found_oldest, all.found_newest]).toEqual([ids, true, true]);
});

test('survives a restart', async () => {
  const { id, topic } = await said('perennial');
  await server.restart();
  expect(idsOf(await search('perennial', topic))).toEqual([id]);
});

test.each<[string, unknown]>([
  ['nothing', ''],
  ['blanks', '  '],
  ['a list', ['a']],
  ['too many words', Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ')],
])('%s is refused', async (_, operand) => {
  const narrow = [{ operator: 'search', operand }];
  expectRefusal(
    await ben.call('GET', '/messages', { narrow, anchor: 'newest', num_before: 1, num_after: 0 }),
    'BAD_NARROW',
  );
});

test.each([
  '"',
  '*',
  'a* OR b',
  "'; DROP TABLE x --",
  'NEAR(a b)',
  '\u0000',
  '\ud800',
  'a'.repeat(5000),
  '<script>',
  '%_',
])('odd text is only text: %j', async (operand) => {
  const narrow = [{ operator: 'search', operand }];
  const answer = await ben.call('GET', '/messages', { narrow, anchor: 'newest', num_before: 1, num_after: 0 });
  expect([200, 400]).toContain(answer.status);
});
