import { ROLE } from '#users/model';
import { applyEvents, comparable } from '#testing';
import { expectRefusal, idsOf, messageOf, messagesIn } from '../../support/answers.js';
import type { ApiClient } from '../../support/client.js';
import { accountOf, recordFacts } from '../../support/facts.js';
import { channelOf, startWithPeople } from '../../support/people.js';
import type { TestServer } from '../../support/server.js';

const TEMPLATES = { linkifier_url_template: true };
const BUG = { pattern: '#(?P<id>[0-9]+)', url_template: 'https://bugs.example.com/{id}' };
const CODE = { pattern: '(?P<repo>[a-z]+)#(?P<id>[0-9]+)', url_template: 'https://code.example.com/{repo}/{id}' };
const WIKI = { pattern: 'wiki:(?P<page>\\w+)', url_template: '/wiki/{page}' };

let server: TestServer;
let owner: ApiClient;
let ann: ApiClient;
let ben: ApiClient;
let admin: ApiClient;
let moderator: ApiClient;
let guest: ApiClient;

beforeAll(async () => {
  ({ server, owner, ann, ben } = await startWithPeople());
  const { members } = await owner.ok('GET', '/users');
  const firstId = 1 + Math.max(...members.map(({ user_id }: { user_id: number }) => user_id));
  const accounts = [ROLE.administrator, ROLE.moderator, ROLE.guest].map((role, index) =>
    accountOf(server, firstId + index, `Role ${role}`, role),
  );
  await server.restart(() =>
    recordFacts(
      server,
      accounts.flatMap(({ facts }) => facts),
    ),
  );
  [admin, moderator, guest] = accounts.map(({ client }) => client) as [ApiClient, ApiClient, ApiClient];
  await channelOf('den', ann, ben);
});
afterAll(() => server.stop());

const list = async (client = ann): Promise<any[]> => (await client.ok('GET', '/realm/linkifiers')).linkifiers;
const add = async (definition: object, client = owner): Promise<number> =>
  (await client.ok('POST', '/realm/filters', { ...definition })).id;
const eventOf = ({ id: _, ...event }: any): any => event;
const topicOf = (topic: string) => ({ topic, send_notification_to_new_thread: false });

afterEach(async () => {
  for (const { id } of await list()) await owner.ok('DELETE', `/realm/filters/${id}`);
});

test('one that is not there yet is tried out by administrators', async () => {
  const content = 'see #12, x#13 and #14: https://e.example/';
  expect(await owner.ok('POST', '/realm/linkifiers/try', { ...BUG, content })).toMatchObject({
    links: [
      { text: '#12', url: 'https://bugs.example.com/12' },
      { text: '#14', url: 'https://bugs.example.com/14' },
    ],
  });
  expect((await admin.ok('POST', '/realm/linkifiers/try', { ...BUG, content: 'nothing' })).links).toEqual([]);
  // More steps than a topic has: a message is longer.
  const dear = {
    pattern: '(?P<word>[a-z]{1,100})-(?P<id>[0-9]{1,20})',
    url_template: 'https://bugs.example.com/{word}/{id}',
  };
  const late = await owner.ok('POST', '/realm/linkifiers/try', { ...dear, content: `${'prose '.repeat(80)}abc-12` });
  expect(late.links).toEqual([{ text: 'abc-12', url: 'https://bugs.example.com/abc/12' }]);
  expect(await list()).toEqual([]);
  const wrong = { ...BUG, pattern: '#(?P<id>[0-9]+' };
  const { msg } = expectRefusal(
    await owner.call('POST', '/realm/linkifiers/try', { ...wrong, content }),
    'BAD_REQUEST',
  );
  expect(msg).toMatch(/^Bad regular expression/);
  expectRefusal(await moderator.call('POST', '/realm/linkifiers/try', { ...BUG, content }), 'UNAUTHORIZED_PRINCIPAL');
});

test('older clients read them in the older form, as far as it goes', async () => {
  const simple = await add({
    pattern: '(?P<repo>[a-z]+)#(?P<id>[0-9]+)',
    url_template: 'https://a.test/a%20b/{repo}/{id}',
  });
  await add({ pattern: '!(?P<id>[0-9]+)', url_template: 'https://a.test/{?id}' });
  expect(await ann.ok('GET', '/realm/filters')).toEqual({
    result: 'success',
    msg: '',
    filters: [['(?P<repo>[a-z]+)#(?P<id>[0-9]+)', 'https://a.test/a%%20b/%(repo)s/%(id)s', simple]],
  });
});

describe('the organization', () => {
  test('has what was added, changed, reordered and removed, with ids that are never used again', async () => {
    const bug = await add(BUG);
    const code = await add(CODE, admin);
    expect(code).toBe(bug + 1);
    await admin.ok('PATCH', `/realm/filters/${bug}`, WIKI);
    const wire = [
      { id: bug, ...WIKI },
      { id: code, ...CODE },
    ];
    for (const client of [owner, admin, moderator, ann, guest]) expect(await list(client)).toEqual(wire);
    await owner.ok('PATCH', '/realm/linkifiers', { ordered_linkifier_ids: [code, bug] });
    expect(idsOf(await list())).toEqual([code, bug]);
    await admin.ok('DELETE', `/realm/filters/${code}`);
    expect(await list()).toEqual([{ id: bug, ...WIKI }]);
    const next = await add(CODE);
    expect(next).toBe(code + 1);
    await server.restart();
    expect(idsOf(await list())).toEqual([bug, next]);
    await server.restart(() => server.forgetReadModels());
    expect(idsOf(await list())).toEqual([bug, next]);
    expect(await add(BUG)).toBe(next + 1);
  });

  test('is told of with its state, and then of every change, if the client knows templates', async () => {
    const bug = await add(BUG);
    const modern = await guest.register({ client_capabilities: TEMPLATES });
    const old = await guest.register();
    expect(modern.state.realm_linkifiers).toEqual([{ id: bug, ...BUG }]);
    expect([old.state.realm_linkifiers, old.state.realm_filters]).toEqual([[], []]);
    const events: any[] = [];
    const expectTold = async (...realm_linkifiers: object[]): Promise<void> => {
      const told = await modern.pending();
      expect(told.map(eventOf)).toEqual([{ type: 'realm_linkifiers', realm_linkifiers }]);
      events.push(...told);
    };
    const code = await add(CODE);
    await expectTold({ id: bug, ...BUG }, { id: code, ...CODE });
    await owner.ok('PATCH', `/realm/filters/${bug}`, WIKI);
    await expectTold({ id: bug, ...WIKI }, { id: code, ...CODE });
    await owner.ok('PATCH', '/realm/linkifiers', { ordered_linkifier_ids: [code, bug] });
    await expectTold({ id: code, ...CODE }, { id: bug, ...WIKI });
    await owner.ok('DELETE', `/realm/filters/${bug}`);
    const realm_linkifiers = [{ id: code, ...CODE }];
    await expectTold(...realm_linkifiers);
    expect(await old.pending()).toEqual([]);
    const later = await guest.register({ client_capabilities: TEMPLATES });
    expect(later.state.realm_linkifiers).toEqual(realm_linkifiers);
    expect(comparable(applyEvents(modern.state, events))).toEqual(comparable(later.state));
    const { state } = await guest.register({
      client_capabilities: TEMPLATES,
      fetch_event_types: ['realm_linkifiers'],
    });
    expect(state.realm_linkifiers).toEqual(realm_linkifiers);
    expect(state).not.toHaveProperty('realm_name');
  });

  test('is told of each change when it happens', async () => {
    const queue = await ann.register({ client_capabilities: TEMPLATES, event_types: ['realm_linkifiers'] });
    const id = await add(BUG);
    expect((await queue.pending()).map(eventOf)).toEqual([
      { type: 'realm_linkifiers', realm_linkifiers: [{ id, ...BUG }] },
    ]);
    // What is as it was, is no news.
    await owner.ok('PATCH', `/realm/filters/${id}`, BUG);
    await owner.ok('PATCH', '/realm/linkifiers', { ordered_linkifier_ids: [id] });
    expect(await queue.pending()).toEqual([]);
    await owner.ok('DELETE', `/realm/filters/${id}`);
    expect((await queue.pending()).map(eventOf)).toEqual([{ type: 'realm_linkifiers', realm_linkifiers: [] }]);
  });

  test('lets administrators alone change them', async () => {
    const id = await add(BUG);
    for (const client of [moderator, ann, guest]) {
      const attempts = [
        client.call('POST', '/realm/filters', CODE),
        client.call('PATCH', `/realm/filters/${id}`, CODE),
        client.call('DELETE', `/realm/filters/${id}`),
        client.call('PATCH', '/realm/linkifiers', { ordered_linkifier_ids: [id] }),
      ];
      for (const answer of await Promise.all(attempts)) expectRefusal(answer, 'UNAUTHORIZED_PRINCIPAL');
    }
    expect(await list()).toEqual([{ id, ...BUG }]);
  });
});

describe('refused', () => {
  const bad: [string, Record<string, string>][] = [
    ['a pattern that is none', { ...BUG, pattern: '#(?P<id>[0-9]+' }],
    ['look-around', { ...BUG, pattern: '(?<=x)#(?P<id>[0-9]+)' }],
    ['a back reference', { ...BUG, pattern: '#(?P<id>[0-9]+)(?P=id)' }],
    ['a pattern that is too long', { ...BUG, pattern: `${'a'.repeat(500)}(?P<id>[0-9]+)` }],
    ['no pattern at all', { ...BUG, pattern: '' }],
    ['a group that the template does not use', { ...BUG, url_template: 'https://bugs.example.com/' }],
    ['a variable that is no group', { ...BUG, url_template: 'https://bugs.example.com/{id}/{name}' }],
    ['a template that is none', { ...BUG, url_template: 'https://bugs.example.com/{id' }],
    ['a template of before templates', { ...BUG, url_template: 'https://bugs.example.com/%(id)s' }],
    ['a template that is too long', { ...BUG, url_template: `https://e.example/{id}${'a'.repeat(1000)}` }],
    ['a script', { ...BUG, url_template: 'javascript:alert({id})' }],
    ['no template at all', { ...BUG, url_template: '' }],
  ];
  test.each(bad)('%s', async (_, definition) => {
    const id = await add(WIKI);
    expectRefusal(await owner.call('POST', '/realm/filters', definition), 'BAD_REQUEST');
    expectRefusal(await owner.call('PATCH', `/realm/filters/${id}`, definition), 'BAD_REQUEST');
    expect(await list()).toEqual([{ id, ...WIKI }]);
  });

  test('a pattern that another has', async () => {
    await add(BUG);
    const id = await add(CODE);
    const twin = { ...BUG, url_template: '/{id}' };
    expectRefusal(await owner.call('POST', '/realm/filters', twin), 'BAD_REQUEST');
    expectRefusal(await owner.call('PATCH', `/realm/filters/${id}`, twin), 'BAD_REQUEST');
  });

  test('half a definition', async () => {
    const id = await add(CODE);
    for (const { pattern, url_template } of [
      { ...BUG, pattern: undefined },
      { ...BUG, url_template: undefined },
    ]) {
      const half = { pattern, url_template };
      expectRefusal(await owner.call('POST', '/realm/filters', half), 'REQUEST_VARIABLE_MISSING');
      expectRefusal(await owner.call('PATCH', `/realm/filters/${id}`, half), 'REQUEST_VARIABLE_MISSING');
    }
  });

  test('what is not there', async () => {
    const id = await add(BUG);
    await owner.ok('DELETE', `/realm/filters/${id}`);
    expectRefusal(await owner.call('PATCH', `/realm/filters/${id}`, BUG), 'BAD_REQUEST');
    expectRefusal(await owner.call('DELETE', `/realm/filters/${id}`), 'BAD_REQUEST');
    for (const none of ['0', '-1', 'x', '99999999999999999999']) {
      const answer = await owner.call('DELETE', `/realm/filters/${none}`);
      expect([400, 404]).toContain(answer.status);
      expect(answer.body.result).toBe('error');
    }
  });

  test('an order that is not one of all', async () => {
    const [bug, code] = [await add(BUG), await add(CODE)];
    for (const ids of [[bug], [], [bug, bug], [bug, code, code], [bug, code, code + 1], [bug, -code]]) {
      const answer = await owner.call('PATCH', '/realm/linkifiers', { ordered_linkifier_ids: ids });
      expectRefusal(answer, 'BAD_REQUEST');
    }
    for (const ids of ['[', 'x', '{}', '["1"]', 'null']) {
      const answer = await owner.call('PATCH', '/realm/linkifiers', { ordered_linkifier_ids: ids });
      expect([answer.status, answer.body.result]).toEqual([400, 'error']);
    }
    expect(idsOf(await list())).toEqual([bug, code]);
  });
});

describe('messages', () => {
  const LINKED = '<p>see <a href="https://bugs.example.com/7">#7</a>, and not x#7x</p>';
  const content = 'see #7, and not x#7x';

  test('are linked as they are sent and as they are edited, and stay so', async () => {
    const before = await ann.send('den', 'bugs', content);
    const id = await add(BUG);
    const queue = await ben.register({ apply_markdown: true });
    const after = await ann.send('den', 'bugs', content);
    const direct = await ann.sendTo([ben], content);
    const plain = `<p>${content}</p>`;
    for (const client of [ann, ben]) {
      expect((await messageOf(client, before)).content).toBe(plain);
      expect((await messageOf(client, after)).content).toBe(LINKED);
      expect((await messageOf(client, direct)).content).toBe(LINKED);
    }
    expect((await queue.pending()).map(({ message }) => message?.content)).toEqual([LINKED, LINKED]);
    await ann.ok('PATCH', `/messages/${before}`, { content: `${content}!` });
    const [edited] = await queue.pending();
    expect(edited).toMatchObject({
      type: 'update_message',
      rendered_content: LINKED.replace('</p>', '!</p>'),
      orig_rendered_content: plain,
    });
    await owner.ok('PATCH', `/realm/filters/${id}`, { ...BUG, url_template: 'https://elsewhere.example.com/{id}' });
    expect((await messageOf(ben, after)).content).toBe(LINKED);
    await owner.ok('DELETE', `/realm/filters/${id}`);
    expect((await messageOf(ben, after)).content).toBe(LINKED);
    expect((await messageOf(ben, await ann.send('den', 'bugs', content))).content).toBe(plain);
    const narrow = [
      { operator: 'topic', operand: 'bugs' },
      { operator: 'has', operand: 'link' },
    ];
    expect(idsOf(await messagesIn(ben, narrow))).toEqual([before, after]);
  });

  test('are linked by templates with modifiers', async () => {
    const prefix = await add({ pattern: 'doc:(?P<part>\\w+)', url_template: 'https://d.example/{#part:5}' });
    const query = await add({ pattern: 'find:(?P<q>\\w+)', url_template: 'https://f.example/{?q*}' });
    const { rendered } = await ann.ok('POST', '/messages/render', { content: 'doc:introduction find:tea' });
    expect(rendered).toBe(
      '<p><a href="https://d.example/#intro">doc:introduction</a> <a href="https://f.example/?q=tea">find:tea</a></p>',
    );
    for (const id of [prefix, query]) await owner.ok('DELETE', `/realm/filters/${id}`);
  });

  test('are linked among other markup, by the first linkifier that matches', async () => {
    await add(WIKI);
    const [code, bug] = [await add(CODE), await add(BUG)];
    const html = async (text: string): Promise<string> =>
      (await ann.ok('POST', '/messages/render', { content: text })).rendered;
    expect(await html('**server#12** `#7` #8')).toBe(
      '<p><strong><a href="https://code.example.com/server/12">server#12</a></strong> <code>#7</code> ' +
        '<a href="https://bugs.example.com/8">#8</a></p>',
    );
    expect(await html('[#7](https://e.example/)')).toBe('<p><a href="https://e.example/">#7</a></p>');
    expect(await html('wiki:Tea')).toBe('<p><a href="/wiki/Tea">wiki:Tea</a></p>');
    const fence = { pattern: '(?P<rest>see #[0-9]+)', url_template: 'https://rest.example.com/{rest}' };
    const rest = await add(fence);
    expect(await html('see #7')).toContain('https://bugs.example.com/7');
    const others = (await list()).map(({ id }) => id).filter((id) => id !== rest);
    await owner.ok('PATCH', '/realm/linkifiers', { ordered_linkifier_ids: [rest, ...others] });
    expect(await html('see #7')).toBe('<p><a href="https://rest.example.com/see%20%237">see #7</a></p>');
    await owner.ok('DELETE', `/realm/filters/${bug}`);
    await owner.ok('DELETE', `/realm/filters/${code}`);
    expect(await html('#8')).toBe('<p>#8</p>');
  });

  test('say what their topics link to, by the linkifiers of now', async () => {
    const early = await ann.send('den', 'about #7', 'x');
    const queue = await ben.register({ event_types: ['message', 'update_message'] });
    expect((await messageOf(ben, early)).topic_links).toEqual([]);
    const id = await add(BUG);
    const links = [{ text: '#7', url: 'https://bugs.example.com/7' }];
    expect((await messageOf(ben, early)).topic_links).toEqual(links);
    const late = await ann.send('den', 'about #7', 'x');
    await ann.ok('PATCH', `/messages/${late}`, topicOf('#8, https://e.example/'));
    const both = [
      { text: '#8', url: 'https://bugs.example.com/8' },
      { text: 'https://e.example/', url: 'https://e.example/' },
    ];
    expect(await queue.pending()).toEqual([
      expect.objectContaining({ type: 'message', message: expect.objectContaining({ topic_links: links }) }),
      expect.objectContaining({ type: 'update_message', topic_links: both }),
    ]);
    const listed = await messagesIn(ben, [{ operator: 'topic', operand: '#8, https://e.example/' }]);
    expect(listed.map(({ topic_links }) => topic_links)).toEqual([both]);
    await owner.ok('DELETE', `/realm/filters/${id}`);
    expect((await messageOf(ben, early)).topic_links).toEqual([]);
    expect((await messageOf(ben, late)).topic_links).toEqual(both.slice(1));
  });

  test('hang on no pattern', async () => {
    // A backtracking engine takes longer than a test can wait for the first forty letters of each.
    const hostile = ['(?:a+)+(?:a*)*b', '(?:a|a|aa)+$x', '(?:(?:a?){50}){2}c', '(?P<x>(?:[a ]+)+)d', '(?:.*)*(?:.*)*e'];
    for (const pattern of hostile)
      await add({ pattern, url_template: pattern.includes('<x>') ? 'https://e.example/{x}' : 'https://e.example/' });
    for (const text of ['a'.repeat(10_000), 'a '.repeat(4_999).trim(), `${'a'.repeat(30)} `.repeat(300).trim()]) {
      const id = await ann.send('den', text.slice(0, 60).trim(), text);
      const { content: html, topic_links } = await messageOf(ann, id);
      expect([html, topic_links]).toEqual([`<p>${text}</p>`, []]);
    }
    expect(await ann.send('den', 'soon again', 'x')).toBeGreaterThan(0);
  });
});
