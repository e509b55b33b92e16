/** Joining by an invitation: the pages, the account that they make, and what follows. */
import { until } from '#testing';
import { messagesIn } from '../../support/answers.js';
import { ApiClient } from '../../support/client.js';
import { fetchPage, submit, type FetchedPage } from '../../support/forms.js';
import { lettersTo } from '../../support/letters.js';
import { MailServer } from '../../support/mail-server.js';
import { channelOf, startWithPeople } from '../../support/people.js';
import { startTestServer, type TestServer } from '../../support/server.js';

let server: TestServer;
let owner: ApiClient;
let ann: ApiClient;
let ben: ApiClient;
let made = 0;
beforeAll(async () => {
  ({ server, owner, ann, ben } = await startWithPeople());
  owner.userId = (await owner.ok('GET', '/users/me')).user_id;
});
afterAll(() => server.stop());

const PASSWORD = 'a good long password';
const someone = (): string => `newcomer${++made}@example.test`;

/** Invites a new address; gives it and the link of its mail. */
async function invitation(actor: ApiClient, more: object = {}): Promise<{ email: string; link: string }> {
  const email = someone();
  await actor.ok('POST', '/invites', { invitee_emails: email, stream_ids: [], ...more });
  const [{ link }] = await lettersTo(server, email);
  return { email, link };
}

async function linkOf(more: object = {}): Promise<string> {
  return (await owner.ok('POST', '/invites/multiuse', { ...more })).invite_link;
}

async function logIn(email: string, password = PASSWORD): Promise<ApiClient> {
  const { api_key, user_id } = await owner.ok('POST', '/fetch_api_key', { username: email, password });
  const client = new ApiClient(() => server.url, email, api_key);
  client.userId = user_id;
  return client;
}

async function joinBy(link: string, filled: Record<string, string | readonly string[]> = {}): Promise<FetchedPage> {
  const page = await fetchPage(link);
  expect(page.status).toBe(200);
  return submit(page, link, { full_name: `Newcomer ${made}`, password: PASSWORD, ...filled });
}

function expectDead({ status, text, headers }: FetchedPage): string {
  expect(status).toBe(404);
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  return text;
}

/** What the notification bot tells one. */
const NOTICES = [{ operator: 'sender', operand: 'notification-bot@127.0.0.1' }];

describe('default channel groups', () => {
  /** Groups with a channel each, the last of which is private. */
  const groupIds: string[] = [];
  const channelsOf = async (who: ApiClient): Promise<string[]> =>
    (await who.ok('GET', '/users/me/subscriptions')).subscriptions.map(({ name }: { name: string }) => name).sort();
  beforeAll(async () => {
    for (const name of ['cooks', 'bakers', 'hidden']) {
      await channelOf(`of-${name}`, owner);
      const params = { group_name: name, description: `For ${name}`, stream_names: [`of-${name}`] };
      await owner.ok('POST', '/default_stream_groups/create', params);
    }
    const { streams } = await owner.ok('GET', '/streams');
    const hidden = streams.find(({ name }: { name: string }) => name === 'of-hidden').stream_id;
    await owner.ok('PATCH', `/streams/${hidden}`, { is_private: true });
    const { realm_default_stream_groups: groups } = await owner.ok('POST', '/register', {
      fetch_event_types: ['default_stream_groups'],
    });
    for (const name of ['cooks', 'bakers', 'hidden'])
      groupIds.push(String(groups.find((one: { name: string }) => one.name === name).id));
  });

  test('are offered, and those that are chosen subscribe; what was chosen stays when the form is refused', async () => {
    const { email, link } = await invitation(owner, { include_realm_default_subscriptions: true });
    const { text } = await fetchPage(link);
    expect(text).toContain('For cooks (#of-cooks)');
    expect(text).not.toMatch(/of-hidden|checked/);
    const refused = await joinBy(link, { password: 'x', default_stream_group: groupIds });
    expect(refused.status).toBe(400);
    expect(refused.text.match(/<input[^>]* checked/g)).toHaveLength(2);
    await joinBy(link, { default_stream_group: [...groupIds, '99', 'x', '-1'] });
    expect(await channelsOf(await logIn(email))).toEqual(['general', 'of-bakers', 'of-cooks']);
    const other = await invitation(owner);
    await joinBy(other.link, { default_stream_group: groupIds.slice(0, 1) });
    expect(await channelsOf(await logIn(other.email))).toEqual(['of-cooks']);
  });

  test('are neither offered to guests, nor given to those who ask all the same', async () => {
    const { email, link } = await invitation(owner, { invite_as: 600 });
    expect((await fetchPage(link)).text).not.toContain('default_stream_group');
    await joinBy(link, { default_stream_group: groupIds });
    expect(await channelsOf(await logIn(email))).toEqual([]);
  });
});

describe('by mail', () => {
  test('with role, channels, groups and defaults; and everybody is told', async () => {
    const garden = await channelOf('garden', ann);
    const group = { name: 'gardeners', description: '', members: [] };
    const { group_id } = await ann.ok('POST', '/user_groups/create', group);
    const { email, link } = await invitation(ann, {
      stream_ids: [garden],
      group_ids: [group_id],
      include_realm_default_subscriptions: true,
    });
    const queue = await ben.register({ client_capabilities: { user_list_incomplete: true } });
    const anns = await ann.register({ event_types: ['invites_changed', 'message'] });
    const page = await fetchPage(link);
    expect(page.values).toMatchObject({ email, full_name: '', password: '' });
    const joined = await submit(page, link, {
      full_name: '  Nell Newcomer ',
      password: PASSWORD,
      timezone: 'Asia/Tokyo',
    });
    expect([joined.status, joined.headers.get('location')]).toEqual([303, '/']);
    const { text } = await fetchPage(`${server.url}/login/`, { headers: { cookie: joined.cookie } });
    expect(text).toContain(`(${email})`);
    const nell = await logIn(email);
    const me = await nell.ok('GET', '/users/me');
    expect(me).toMatchObject({ full_name: 'Nell Newcomer', delivery_email: email, role: 400, timezone: 'Asia/Tokyo' });
    const { subscriptions } = await nell.ok('GET', '/users/me/subscriptions');
    expect(subscriptions.map(({ name }: { name: string }) => name).sort()).toEqual(['garden', 'general']);
    expect((await ann.ok('GET', `/user_groups/${group_id}/members`)).members).toEqual([nell.userId]);
    const told = await queue.pending();
    const kinds = told.map(({ type, op }) => `${type}/${op}`);
    expect(kinds).toEqual(
      expect.arrayContaining(['realm_user/add', 'user_group/add_members', 'subscription/peer_add']),
    );
    expect(kinds).not.toContain('invites_changed/undefined');
    expect(told.find(({ op }) => op === 'add').person).toMatchObject({
      user_id: nell.userId,
      full_name: 'Nell Newcomer',
    });
    await until(async () => (await messagesIn(ann, NOTICES)).length > 0);
    const [notice] = await messagesIn(ann, NOTICES, { apply_markdown: false });
    expect(notice.content).toBe(`@_**Nell Newcomer|${nell.userId}** accepted your invitation to join Scrollback!`);
    expect((await anns.pending()).map(({ type }) => type)).toEqual(['invites_changed', 'message']);
    const [welcome, ...others] = await messagesIn(nell, [{ operator: 'is', operand: 'dm' }]);
    expect(others).toEqual([]);
    expect(welcome.sender_full_name).toBe('Welcome Bot');
    expect((await ann.ok('GET', '/invites')).invites).toEqual([]);
    expect(await server.rawLog()).not.toContain(PASSWORD);
  });

  test('with recent messages of public channels, of which the newest are unread', async () => {
    const [open, closed] = [await channelOf('open to all', ann), await channelOf('closed', ann)];
    await ann.ok('PATCH', `/streams/${closed}`, { is_private: true });
    const ids: number[] = [];
    for (let index = 0; index < 23; index++) ids.push(await ann.send('open to all', 'news', `message ${index}`));
    await ann.send('closed', 'news', 'nobody else reads this');
    const { email, link } = await invitation(ann, { stream_ids: [open, closed] });
    await joinBy(link);
    const after = await ann.send('open to all', 'news', 'after');
    const nora = await logIn(email);
    const own = (await messagesIn(nora, [])).filter(({ type }: any) => type === 'stream');
    expect(own.map(({ id }: any) => id)).toEqual([...ids, after]);
    const flagged = own.map(({ flags }: any) => flags);
    expect(flagged.slice(0, 4)).toEqual([...Array(3).fill(['read', 'historical']), ['historical']]);
    expect(flagged.at(-1)).toEqual([]);
    const { state } = await nora.register({ fetch_event_types: ['message', 'update_message_flags'] });
    expect(state.unread_msgs.streams).toEqual([
      { stream_id: open, topic: 'news', unread_message_ids: [...ids.slice(-20), after] },
    ]);
  });

  test('without channels, as a guest, silently', async () => {
    const { email, link } = await invitation(ben, { invite_as: 600, notify_referrer_on_join: false });
    await joinBy(link);
    const guest = await logIn(email);
    expect(await guest.ok('GET', '/users/me')).toMatchObject({ role: 600, is_guest: true });
    expect((await guest.ok('GET', '/users/me/subscriptions')).subscriptions).toEqual([]);
    expect(await messagesIn(ben, NOTICES)).toEqual([]);
  });

  test.each([
    [undefined, 'the words of the organization'],
    ['', undefined],
    ['Read **this**', 'Read **this**'],
  ])('a welcome of %j', async (welcome_message_custom_text, expected) => {
    await owner.ok('PATCH', '/realm', { welcome_message_custom_text: 'the words of the organization' });
    const { email, link } = await invitation(owner, { welcome_message_custom_text });
    await joinBy(link);
    const [{ content }] = await messagesIn(await logIn(email), [{ operator: 'is', operand: 'dm' }], {
      apply_markdown: false,
    });
    expect(content).toMatch(/^Hello, and welcome to Scrollback!/);
    if (expected === undefined) expect(content).not.toContain('the words');
    else expect(content.split('\n\n').at(-1)).toBe(expected);
  });

  test('is announced where the organization wants it, as read for whom it announces', async () => {
    const hall = await channelOf('hall', owner);
    await owner.ok('PATCH', '/realm', { signup_announcements_stream_id: hall });
    const { email, link } = await invitation(owner, { stream_ids: [hall] });
    await joinBy(link);
    const newcomer = await logIn(email);
    const { userId } = newcomer;
    const [{ subject, content, flags }] = await messagesIn(owner, [{ operator: 'channel', operand: hall }], {
      apply_markdown: false,
    });
    expect(flags).not.toContain('read');
    const [seen] = await messagesIn(newcomer, [{ operator: 'channel', operand: hall }]);
    expect(seen.flags).toEqual(['read']);
    expect([subject, content]).toEqual(['signups', expect.stringContaining(`|${userId}** joined`)]);
  });

  test('works once, whoever comes first', async () => {
    const { email, link } = await invitation(ann);
    const page = await fetchPage(link);
    const names = ['One', 'Two', 'Three', 'Four'].map((name) => `Racer ${name}`);
    const pages = await Promise.all(
      names.map((full_name) => submit(page, link, { full_name, password: PASSWORD, email: someone() })),
    );
    expect(pages.map(({ status }) => status).sort()).toEqual([303, 404, 404, 404]);
    const { members } = await owner.ok('GET', '/users');
    expect(members.filter(({ full_name }: any) => names.includes(full_name))).toMatchObject([
      { delivery_email: email },
    ]);
    expectDead(await fetchPage(link));
  });

  test('keeps what was filled in, and says what is wrong with it', async () => {
    const { email, link } = await invitation(ann);
    const first = await fetchPage(link);
    const page = await submit(first, link, { full_name: '"><script>', password: 'short' });
    expect(page.status).toBe(400);
    expect(page.values).toMatchObject({ email, full_name: '&quot;&gt;&lt;script&gt;', password: '' });
    expect(page.text).toContain('id="full_name-error"');
    expect(page.text).toContain('id="password-error"');
    expect(page.text).not.toContain('<script');
    for (const password of ['', 'password', email, 'x'.repeat(101)]) {
      const again = await submit(page, link, { full_name: 'Nora New', password });
      expect([password, again.status]).toEqual([password, 400]);
    }
    expect((await submit(page, link, { full_name: 'Nora New', password: PASSWORD })).status).toBe(303);
    await logIn(email);
  });

  test('where names are unique', async () => {
    await owner.ok('PATCH', '/realm', { require_unique_names: true });
    const { link } = await invitation(ann);
    const page = await joinBy(link, { full_name: 'ann ARCHER' });
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('Unique names required')]);
    await owner.ok('PATCH', '/realm', { require_unique_names: false });
  });
});

describe('by a link for many', () => {
  test('any number of people, each with an address of their own', async () => {
    const notices = () => messagesIn(owner, [{ operator: 'is', operand: 'dm' }]);
    const before = await notices();
    const link = await linkOf({ invite_as: 300, include_realm_default_subscriptions: true });
    const emails = [someone(), someone()];
    for (const email of emails) expect((await joinBy(link, { email })).status).toBe(303);
    const moderator = await logIn(emails[1]!);
    expect((await moderator.ok('GET', '/users/me')).role).toBe(300);
    for (const email of [emails[0]!, 'no address', '']) {
      const page = await joinBy(link, { email });
      expect([email, page.status]).toEqual([email, 400]);
    }
    const { invites } = await owner.ok('GET', '/invites');
    expect(invites.map(({ link_url }: any) => link_url)).toContain(link);
    expect(await notices()).toEqual(before);
  });

  test('with a mail server, the address is confirmed first, and nobody learns who has an account', async () => {
    const mails = await MailServer.start();
    const other = await startTestServer({ SMTP_URL: `smtp://127.0.0.1:${mails.port}` });
    const link = (await other.owner.ok('POST', '/invites/multiuse')).invite_link;
    const page = await fetchPage(link);
    expect(Object.keys(page.values)).toEqual(['csrfmiddlewaretoken', 'email']);
    const key = link.split('/').at(-2);
    const direct = { key, email: someone(), full_name: 'Not Confirmed', password: PASSWORD };
    expectDead(await submit({ ...page, action: '/accounts/register/' }, link, direct));
    expect((await submit(page, link, { email: 'no address' })).status).toBe(400);
    const email = someone();
    const answers = await Promise.all([email, other.owner.email].map((one) => submit(page, link, { email: one })));
    const seen = answers.map(({ status, headers, text }) => [status, headers.get('location'), text]);
    expect(seen[0]).toEqual([303, '/accounts/send_confirm/', '']);
    expect(seen[1]).toEqual(seen[0]);
    await until(() => mails.taken.length === 2);
    const linkTo = (to: string): string => {
      const text = mails.taken.find((mail) => mail.to.includes(to))?.text.replaceAll(/=\r\n/g, '') ?? '';
      return /^https?:\/\/\S+$/m.exec(text)?.[0].trim() ?? '';
    };
    expect(linkTo(other.owner.email)).toBe(`${other.url}/accounts/password/reset/`);
    const confirmed = linkTo(email);
    const form = await fetchPage(confirmed);
    expect(form.values['email']).toBe(email);
    const answer = await submit(form, confirmed, { full_name: 'Confirmed', password: PASSWORD, email: someone() });
    expect(answer.status).toBe(303);
    expect((await other.owner.ok('POST', '/fetch_api_key', { username: email, password: PASSWORD })).email).toBe(email);
    expectDead(await fetchPage(confirmed));
    await other.stop();
    await mails.stop();
  });
});

describe('pages', () => {
  test('of links that do not work are all the same', async () => {
    const { link } = await invitation(ann);
    await joinBy(link);
    const many = await linkOf();
    const [key, manyKey] = [link.split('/').at(-1)!, many.split('/').at(-2)!];
    const forged = `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`;
    const paths = [
      ...[key, forged, manyKey, 'x', 'x'.repeat(700), '%00'].map((one) => `/accounts/do_confirm/${one}`),
      ...[key, forged].map((one) => `/join/${one}/`),
    ];
    const texts: string[] = [];
    for (const path of paths) texts.push(expectDead(await fetchPage(`${server.url}${path}`)));
    const page = await fetchPage(many);
    const late = { full_name: 'Too Late', password: PASSWORD };
    for (const one of [key, forged, '']) texts.push(expectDead(await submit(page, many, { ...late, key: one })));
    expect(new Set(texts).size).toBe(1);
  });

  test('run no scripts, load nothing, and tell nobody their address', async () => {
    const link = await linkOf();
    for (const { headers, text } of [await fetchPage(link), await fetchPage(`${server.url}/accounts/send_confirm/`)]) {
      const policy = headers.get('content-security-policy');
      expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^ ]+'; /);
      for (const rule of ["base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"])
        expect(policy).toContain(rule);
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cache-control')).toContain('no-store');
      expect(text).not.toMatch(/<script|style="|src=/);
    }
  });

  test.each([
    [{ origin: 'https://elsewhere.test' }, 403],
    [{ cookie: '' }, 403],
    [{ cookie: `csrftoken=${'x'.repeat(43)}` }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'same-origin' }, 303],
    [{}, 303],
  ])('a form sent with %j', async (headers, status) => {
    const link = await linkOf();
    const page = await fetchPage(link);
    const email = someone();
    const filled = { email, full_name: 'Forged', password: PASSWORD };
    expect((await submit(page, link, filled, headers as Record<string, string>)).status).toBe(status);
    const login = await owner.call('POST', '/fetch_api_key', { username: email, password: PASSWORD });
    expect(login.status).toBe(status === 303 ? 200 : 401);
  });

  test('of a deactivated organization', async () => {
    const link = await linkOf();
    const { link: mail } = await invitation(ann);
    await owner.ok('POST', '/realm/deactivate');
    expectDead(await fetchPage(link));
    expectDead(await fetchPage(mail));
  });
});
