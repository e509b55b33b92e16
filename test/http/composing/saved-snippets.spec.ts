/** Saved snippets (endpoints.md §6). */
import { applyEvents } from '#testing';
import { expectRefusal } from '../../support/answers.js';
import type { ApiClient } from '../../support/client.js';
import { startWithPeople, type Cast } from '../../support/people.js';

let cast: Cast;
let ann: ApiClient, ben: ApiClient;

beforeAll(async () => {
  cast = await startWithPeople();
  ({ ann, ben } = cast);
});
afterAll(() => cast.server.stop());
afterEach(async () => {
  for (const { id } of await list()) await ann.ok('DELETE', `/saved_snippets/${id}`);
});

const list = async (client = ann): Promise<any[]> => (await client.ok('GET', '/saved_snippets')).saved_snippets;
const add = async (title: string, content: string): Promise<number> =>
  (await ann.ok('POST', '/saved_snippets', { title, content })).saved_snippet_id;
const eventOf = ({ id: _, ...event }: any): any => event;

test('are added, changed, removed, and told to all of their owner’s clients alone', async () => {
  const queue = await ann.register();
  const others = await ben.register();
  const before = Math.floor(Date.now() / 1000);
  const one = await add(' Greeting ', ' Good *morning* ');
  const two = await add('Bye', 'Good night');
  expect(two).toBe(one + 1);
  const [greeting, bye] = await list();
  expect(greeting).toEqual({ id: one, title: 'Greeting', content: 'Good *morning*', date_created: expect.any(Number) });
  expect(greeting.date_created).toBeGreaterThanOrEqual(before);
  await ann.ok('PATCH', `/saved_snippets/${one}`, { title: 'Hello' });
  await ann.ok('PATCH', `/saved_snippets/${one}`, { content: 'Hi', title: 'Hello' });
  await ann.ok('PATCH', `/saved_snippets/${one}`, { content: 'Hi' });
  await ann.ok('DELETE', `/saved_snippets/${two}`);
  const now = { ...greeting, title: 'Hello', content: 'Hi' };
  expect(await list()).toEqual([now]);
  const events = await queue.pending();
  const type = 'saved_snippets';
  expect(events.map(eventOf)).toEqual([
    { type, op: 'add', saved_snippet: greeting },
    { type, op: 'add', saved_snippet: bye },
    { type, op: 'update', saved_snippet: { ...greeting, title: 'Hello' } },
    { type, op: 'update', saved_snippet: now },
    { type, op: 'remove', saved_snippet_id: two },
  ]);
  const { saved_snippets } = (await ann.register({ fetch_event_types: ['saved_snippets'] })).state;
  expect(saved_snippets).toEqual([now]);
  expect(applyEvents(queue.state, events)['saved_snippets']).toEqual(saved_snippets);
  expect(await others.pending()).toEqual([]);
  expect(await list(ben)).toEqual([]);
  await cast.server.restart(() => cast.server.forgetReadModels());
  expect(await list()).toEqual([now]);
  expect(await add('Next', 'one')).toBe(two + 1);
});

test('refusals change and tell nothing', async () => {
  const id = await add('Greeting', 'Hi');
  const kept = await list();
  const queue = await ann.register({ event_types: ['saved_snippets'] });
  const bad: [object, RegExp][] = [
    [{ title: ' ', content: 'x' }, /^title cannot be blank$/],
    [{ title: 'x', content: ' \n' }, /^content cannot be blank$/],
    [{ title: 'x'.repeat(61), content: 'x' }, /^title is too long \(limit: 60 characters\)$/],
    [{ title: 'x', content: 'x'.repeat(10_001) }, /^content is too long \(limit: 10000 characters\)$/],
    [{ title: 'x\0x', content: 'x' }, /null bytes/],
  ];
  for (const [parameters, words] of bad) {
    const answers = [
      await ann.call('POST', '/saved_snippets', { ...parameters }),
      await ann.call('PATCH', `/saved_snippets/${id}`, { ...parameters }),
    ];
    for (const answer of answers) expect(expectRefusal(answer, 'BAD_REQUEST').msg).toMatch(words);
  }
  expectRefusal(await ann.call('POST', '/saved_snippets', { title: 'x' }), 'REQUEST_VARIABLE_MISSING');
  expectRefusal(await ann.call('PATCH', `/saved_snippets/${id}`), 'BAD_REQUEST');
  for (const [client, path] of [
    [ben, `/saved_snippets/${id}`],
    [ann, '/saved_snippets/99999'],
    [ann, '/saved_snippets/0'],
    [ann, '/saved_snippets/x'],
  ] as const) {
    for (const answer of [await client.call('PATCH', path, { title: 'x' }), await client.call('DELETE', path)])
      expect(expectRefusal(answer, 'BAD_REQUEST', 404).msg).toBe('Saved snippet does not exist.');
  }
  expect(await list()).toEqual(kept);
  expect(await queue.pending()).toEqual([]);
});

test('a user’s take 512 KiB at most', async () => {
  const content = 'x'.repeat(10_000);
  for (let count = 0; count < 52; count++) await add('Long', content);
  const refusal = await ann.call('POST', '/saved_snippets', { title: 'Long', content });
  expect(expectRefusal(refusal, 'BAD_REQUEST').msg).toMatch(/524288 bytes/);
  expect(await list()).toHaveLength(52);
});
