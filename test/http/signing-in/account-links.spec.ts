/** A lost password, and another address of one's own: links that come by mail, and the pages to which they lead. */
import { fetch } from '#testing';
import { expectRefusal } from '../../support/answers.js';
import type { Answer, ApiClient } from '../../support/client.js';
import { fetchPage, submit } from '../../support/forms.js';
import { later } from '../../support/later.js';
import { letters, lettersTo } from '../../support/letters.js';
import { startWithPeople } from '../../support/people.js';
import type { TestServer } from '../../support/server.js';

const DAY = 86_400;
const SLOT = 601;
const [OLD, NEW] = ['the password of Ann Archer', 'quite another one'];

let server: TestServer;
let owner: ApiClient;
let ann: ApiClient;
let ben: ApiClient;
let cleo: ApiClient;
/** How far the clock is ahead: an address gets one mail in some minutes. */
let ahead = 0;
beforeAll(async () => ({ server, owner, ann, ben, cleo } = await startWithPeople()));
afterAll(() => server.stop());

const logIn = (username: string, password: string): Promise<Answer> =>
  owner.call('POST', '/fetch_api_key', { username, password });

const askFor = async (email: string): Promise<readonly [number, string | null, string]> => {
  const url = `${server.url}/accounts/password/reset/`;
  const { status, headers, text } = await submit(await fetchPage(url), url, { email });
  return [status, headers.get('location'), text];
};

/** The link of a new mail to reset the password. */
async function resetLink(email: string): Promise<string> {
  const known = letters(server)
    .filter(({ to }) => to === email)
    .map(({ link }) => link);
  ahead += SLOT;
  await later(ahead, async () => {
    await askFor(email);
    await lettersTo(server, email, known.length + 1);
  });
  return letters(server).find(({ to, link }) => to === email && !known.includes(link))?.link ?? '';
}

describe('a lost password', () => {
  const reset = async (link: string, password: string, more: Record<string, string> = {}) => {
    const page = await fetchPage(link);
    return submit(page, link, { new_password1: password, new_password2: password, log_out: '', ...more });
  };

  test('is replaced by a link that works once; keys stay when the user wants it', async () => {
    const link = await resetLink(ann.email);
    expect(link).toMatch(new RegExp(`^${server.url}/accounts/password/reset/[\\w-]+$`));
    expect((await logIn(ann.email, OLD)).status).toBe(200);
    const page = await fetchPage(link);
    expect([page.status, page.values['email']]).toEqual([200, ann.email]);
    const differing = await submit(page, link, { new_password1: NEW, new_password2: OLD });
    expect([differing.status, differing.text]).toEqual([400, expect.stringContaining('differ')]);
    for (const weak of ['', 'short', 'password', ann.email]) expect((await reset(link, weak)).status).toBe(400);
    const done = await reset(link, NEW);
    expect([done.status, done.headers.get('location')]).toEqual([303, '/accounts/password/done/']);
    const told = await (await fetch(`${server.url}/accounts/password/done/`)).text();
    expect(told).toContain('<a href="/">Open the chat</a>');
    expect(told).toContain(`, the address of the server is ${server.url}.`);
    expect(told).not.toContain(`Open ${server.url}`);
    expect((await logIn(ann.email, NEW)).body.api_key).toBe(ann.apiKey);
    expectRefusal(await logIn(ann.email, OLD), 'AUTHENTICATION_FAILED', 401);
    expect((await fetchPage(link)).status).toBe(404);
    expect((await submit(page, link, { new_password1: OLD, new_password2: OLD })).status).toBe(404);
    const log = await server.rawLog();
    expect(log).not.toContain(NEW);
    expect(log).not.toContain(link.split('/').at(-1));
  });

  test('logs all clients out, as the form proposes', async () => {
    const link = await resetLink(ben.email);
    const page = await fetchPage(link);
    expect(page.text).toMatch(/type="checkbox" name="log_out" value="yes" checked/);
    await reset(link, NEW, { log_out: 'yes' });
    expectRefusal(await ben.call('GET', '/users/me'), 'INVALID_API_KEY', 401);
    const { body } = await logIn(ben.email, NEW);
    expect(body.api_key).not.toBe(ben.apiKey);
  });

  test('of two who use the link at once, one does', async () => {
    const link = await resetLink(cleo.email);
    const words = ['the first of two', 'the second of two'];
    const answers = await Promise.all(words.map((word) => reset(link, word)));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 404]);
    const logins = await Promise.all(words.map((word) => logIn(cleo.email, word)));
    expect(logins.map(({ status }) => status)).toEqual(answers.map(({ status }) => (status === 303 ? 200 : 401)));
  });

  test('ends with a day, another password, and the account', async () => {
    const link = await resetLink(ann.email);
    await later(ahead + DAY, async () => expect((await fetchPage(link)).status).toBe(404));
    expect((await fetchPage(link)).status).toBe(200);
    await ann.ok('PATCH', '/settings', { old_password: NEW, new_password: OLD });
    expect((await fetchPage(link)).status).toBe(404);
    const next = await resetLink(ann.email);
    const dora = await server.user('Dora Day');
    const doras = await resetLink(dora.email);
    expect((await fetchPage(doras)).status).toBe(200);
    await owner.ok('DELETE', `/users/${dora.userId}`);
    expect((await fetchPage(doras)).status).toBe(404);
    const key = next.split('/').at(-1) ?? '';
    for (const other of ['x', `${key}x`, key.slice(1)])
      expect((await fetchPage(`${server.url}/accounts/password/reset/${other}`)).status).toBe(404);
    expect((await fetchPage(`${server.url}/accounts/confirm_new_email/${key}`)).status).toBe(404);
    expect((await fetchPage(`${server.url}/accounts/do_confirm/${key}`)).status).toBe(404);
  });

  test('tells nobody who has an account', async () => {
    ahead += SLOT;
    const count = letters(server).filter(({ to }) => to === ann.email).length;
    const seen = await later(ahead, async () => {
      const answers = [await askFor('nobody@example.test'), await askFor(ann.email)];
      await lettersTo(server, ann.email, count + 1);
      return answers;
    });
    expect(seen[0]).toEqual([303, '/accounts/password/reset/done/', '']);
    expect(seen[1]).toEqual(seen[0]);
    expect((await askFor('no address'))[0]).toBe(400);
    expect(letters(server).filter(({ to }) => to === 'nobody@example.test')).toEqual([]);
  });
});

describe('another address of one’s own', () => {
  const wish = (client: ApiClient, email: string): Promise<unknown> => client.ok('PATCH', '/settings', { email });
  const use = async (link: string) => submit(await fetchPage(link), link, {});

  test('counts when the link is confirmed, once; the former address is told', async () => {
    const queue = await owner.register({ event_types: ['realm_user'] });
    await wish(ann, 'anne@example.test');
    const [{ link, subject }] = await lettersTo(server, 'anne@example.test');
    expect(subject).toBe('Verify your new address for Scrollback');
    expect(link).toMatch(new RegExp(`^${server.url}/accounts/confirm_new_email/[\\w-]+$`));
    const page = await fetchPage(link);
    expect(page.text).toContain('anne@example.test');
    expect((await ann.ok('GET', '/users/me')).delivery_email).toBe(ann.email);
    const told = letters(server).filter(({ to }) => to === ann.email).length;
    const answer = await use(link);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/accounts/new_email_confirmed/']);
    expect((await logIn('anne@example.test', OLD)).body.email).toBe('anne@example.test');
    expect((await queue.pending())[0]?.person).toEqual({ user_id: ann.userId, delivery_email: 'anne@example.test' });
    const notices = await lettersTo(server, ann.email, told + 1);
    expect(notices.some(({ text }) => text.includes(`from ${ann.email} to anne@example.test`))).toBe(true);
    expect((await fetchPage(link)).status).toBe(404);
    expect(await server.rawLog()).not.toContain(link.split('/').at(-1));
  });

  test('that is wanted later takes the place of the one before', async () => {
    await wish(cleo, 'first@example.test');
    await wish(cleo, 'second@example.test');
    const [{ link: second }] = await lettersTo(server, 'second@example.test');
    const first = letters(server).find(({ to }) => to === 'first@example.test')?.link;
    if (first !== undefined) expect((await fetchPage(first)).status).toBe(404);
    expect((await use(second)).status).toBe(303);
    expect((await logIn('first@example.test', 'x')).status).toBe(401);
  });

  test('that cannot be one is refused, and nobody gets mail', async () => {
    const gail = await server.user('Gail Gray');
    const queue = await gail.register({ event_types: ['realm_user'] });
    // What was sent to others before may come late.
    const addressees = new Set([gail.email, ben.email, 'a@example.test', 'a@mailinator.com']);
    const theirs = () => letters(server).filter(({ to }) => addressees.has(to.toLowerCase())).length;
    const count = theirs();
    const bad: [string, RegExp][] = [
      [ben.email.toUpperCase(), /already in use/],
      ['no address', /^Invalid email address\.$/],
      ['a@example.test\nBcc: b@example.test', /^Invalid email address\.$/],
      ['a@example.test\0', /^Invalid email address\.$/],
      ['a@mailinator.com', /^Disposable email addresses are not allowed/],
    ];
    for (const [email, words] of bad)
      expect(expectRefusal(await gail.call('PATCH', '/settings', { email }), 'BAD_REQUEST').msg).toMatch(words);
    expect(await queue.pending()).toEqual([]);
    expect(theirs()).toBe(count);
  });

  test('ends with a day, and when somebody else has got it', async () => {
    const eve = await server.user('Eve East');
    await wish(eve, 'eva@example.test');
    const [{ link }] = await lettersTo(server, 'eva@example.test');
    await later(DAY, async () => expect((await fetchPage(link)).status).toBe(404));
    await owner.ok('POST', '/users', {
      email: 'EVA@example.test',
      password: 'a good long one',
      full_name: 'Eva Early',
    });
    expect((await use(link)).status).toBe(400);
    expect((await eve.ok('GET', '/users/me')).delivery_email).toBe(eve.email);
  });

  test('by an administrator is told at both addresses', async () => {
    const finn = await server.user('Finn Fay');
    await owner.ok('PATCH', `/users/${finn.userId}`, { new_email: 'fay@example.test' });
    for (const email of [finn.email, 'fay@example.test']) await lettersTo(server, email);
  });
});
