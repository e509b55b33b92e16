/** Navigation views (endpoints.md §6). */
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

const list = async (client = ann): Promise<any[]> => (await client.ok('GET', '/navigation_views')).navigation_views;
const eventOf = ({ id: _, ...event }: any): any => event;
const MENTIONED = 'narrow/is/mentioned';
const MINE = 'narrow/channel/3-tea/topic/gr%C3%BCn .2E';
const path = (fragment: string): string => `/navigation_views/${encodeURIComponent(fragment)}`;

test('are added, changed, removed, and told to all of their owner’s clients alone', async () => {
  const queue = await ann.register();
  const others = await ben.register();
  await ann.ok('POST', '/navigation_views', { fragment: MENTIONED, is_pinned: true });
  await ann.ok('POST', '/navigation_views', { fragment: MINE, is_pinned: false, name: ' Tea ' });
  await ann.ok('POST', '/navigation_views', { fragment: 'inbox', is_pinned: false });
  const tea = { fragment: MINE, is_pinned: false, name: 'Tea' };
  // Views that clients have built in.
  const inbox = { fragment: 'inbox', is_pinned: false, name: null };
  const mentioned = { fragment: MENTIONED, is_pinned: true, name: null };
  expect(await list()).toEqual([mentioned, tea, inbox]);
  await ann.ok('PATCH', path(MENTIONED), { is_pinned: false });
  await ann.ok('PATCH', path(MINE), { is_pinned: false, name: 'Green tea' });
  await ann.ok('PATCH', path(MINE), { name: 'Green tea' });
  await ann.ok('DELETE', path('inbox'));
  const now = [
    { ...mentioned, is_pinned: false },
    { ...tea, name: 'Green tea' },
  ];
  expect(await list()).toEqual(now);
  const events = await queue.pending();
  const type = 'navigation_view';
  expect(events.map(eventOf)).toEqual([
    { type, op: 'add', navigation_view: mentioned },
    { type, op: 'add', navigation_view: tea },
    { type, op: 'add', navigation_view: inbox },
    { type, op: 'update', fragment: MENTIONED, data: { is_pinned: false } },
    { type, op: 'update', fragment: MINE, data: { name: 'Green tea' } },
    { type, op: 'remove', fragment: 'inbox' },
  ]);
  const { navigation_views } = (await ann.register({ fetch_event_types: ['navigation_views'] })).state;
  expect(navigation_views).toEqual(now);
  expect(applyEvents(queue.state, events)['navigation_views']).toEqual(now);
  expect(await others.pending()).toEqual([]);
  expect(await list(ben)).toEqual([]);
  await cast.server.restart(() => cast.server.forgetReadModels());
  expect(await list()).toEqual(now);
});

test('are named by a path with slashes as they are, too', async () => {
  const { cleo } = cast;
  await cleo.ok('POST', '/navigation_views', { fragment: 'narrow/is/alerted', is_pinned: true, name: 'Alerts' });
  await cleo.ok('PATCH', '/navigation_views/narrow/is/alerted', { is_pinned: false });
  expect(await list(cleo)).toEqual([{ fragment: 'narrow/is/alerted', is_pinned: false, name: 'Alerts' }]);
  await cleo.ok('DELETE', '/navigation_views/narrow/is/alerted');
  expect(await list(cleo)).toEqual([]);
  expectRefusal(await cleo.call('DELETE', '/navigation_views/narrow/is/alerted'), 'BAD_REQUEST', 404);
});

test('refusals change and tell nothing', async () => {
  await ben.ok('POST', '/navigation_views', { fragment: 'recent', is_pinned: true });
  await ben.ok('POST', '/navigation_views', { fragment: 'one', is_pinned: true, name: 'One' });
  await ben.ok('POST', '/navigation_views', { fragment: 'two', is_pinned: true, name: 'Two' });
  const kept = await list(ben);
  const queue = await ben.register({ event_types: ['navigation_view'] });
  const bad: [object, RegExp][] = [
    [{ fragment: 'recent' }, /already exists/],
    [{ fragment: 'one', name: 'New' }, /already exists/],
    [{ fragment: 'new', name: 'One' }, /already exists/],
    [{ fragment: ' ', name: 'x' }, /^fragment cannot be blank$/],
    [{ fragment: 'x'.repeat(1001), name: 'x' }, /^fragment is too long/],
    [{ fragment: 'ä'.repeat(167), name: 'x' }, /^fragment is too long/],
    [{ fragment: 'new', name: 'x'.repeat(101) }, /^name is too long/],
    [{ fragment: 'new' }, /must have a valid name/],
    [{ fragment: 'inbox', name: 'Mine' }, /Built-in views cannot have a custom name/],
  ];
  for (const [parameters, words] of bad) {
    const answer = await ben.call('POST', '/navigation_views', { is_pinned: true, ...parameters });
    expect(expectRefusal(answer, 'BAD_REQUEST').msg).toMatch(words);
  }
  expectRefusal(await ben.call('POST', '/navigation_views', { fragment: 'inbox' }), 'REQUEST_VARIABLE_MISSING');
  expectRefusal(await ben.call('PATCH', path('recent'), { name: 'Mine' }), 'BAD_REQUEST');
  expectRefusal(await ben.call('PATCH', path('two'), { name: 'One' }), 'BAD_REQUEST');
  expectRefusal(await ben.call('PATCH', path('two')), 'BAD_REQUEST');
  for (const fragment of ['one', 'none', 'narrow/no/such']) {
    const answers = [
      await cast.cleo.call('PATCH', path(fragment), { is_pinned: true }),
      await cast.cleo.call('DELETE', path(fragment)),
    ];
    for (const answer of answers)
      expect(expectRefusal(answer, 'BAD_REQUEST', 404).msg).toBe('Navigation view does not exist.');
  }
  expect(await list(ben)).toEqual(kept);
  expect(await queue.pending()).toEqual([]);
});
