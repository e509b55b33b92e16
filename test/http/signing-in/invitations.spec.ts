/** Invitations: who may invite whom to what, what clients are told, and that nothing is half-done. Joining is in joining.spec.ts. */
import { fetch } from '#testing';
import { expectRefusal } from '../../support/answers.js';
import type { Answer, ApiClient } from '../../support/client.js';
import { later } from '../../support/later.js';
import { letters, lettersTo } from '../../support/letters.js';
import { channelOf, startWithPeople } from '../../support/people.js';
import type { TestServer } from '../../support/server.js';

const DAYS_10 = 864_000;

let server: TestServer;
let owner: ApiClient;
let ann: ApiClient;
let ben: ApiClient;
let gus: ApiClient;
let made = 0;
beforeAll(async () => {
  ({ server, owner, ann, ben } = await startWithPeople());
  owner.userId = (await owner.ok('GET', '/users/me')).user_id;
  gus = await server.user('Gus Guest');
  await owner.ok('PATCH', `/users/${gus.userId}`, { role: 600 });
});
afterAll(() => server.stop());

const someone = (): string => `invitee${++made}@example.test`;
const invite = (actor: ApiClient, invitee_emails: string, more: object = {}): Promise<Answer> =>
  actor.call('POST', '/invites', { invitee_emails, stream_ids: [], ...more });
const list = async (viewer: ApiClient): Promise<any[]> => (await viewer.ok('GET', '/invites')).invites;
const invited = async (actor: ApiClient, more: object = {}): Promise<any> => {
  const email = someone();
  expect((await invite(actor, email, more)).body).toEqual({ result: 'success', msg: '' });
  return (await list(actor)).find((one) => one.email === email);
};
const linked = async (actor: ApiClient, more: object = {}): Promise<any> => {
  const { invite_link } = await actor.ok('POST', '/invites/multiuse', { ...more });
  return (await list(actor)).find((one) => one.link_url === invite_link);
};

async function having(settings: object, otherwise: object, test: () => Promise<void>): Promise<void> {
  await owner.ok('PATCH', '/realm', { ...settings });
  try {
    await test();
  } finally {
    await owner.ok('PATCH', '/realm', { ...otherwise });
  }
}

describe('by mail', () => {
  test('each gets one, and inviter and administrators are told', async () => {
    const queues = await Promise.all(
      [owner, ann, ben].map((one) => one.register({ event_types: ['invites_changed'] })),
    );
    const [first, second] = [someone(), someone()];
    const answer = await invite(ann, ` ${first} ,\nSecond Invitee <${second}>\n${first.toUpperCase()},`);
    expect(answer.body).toEqual({ result: 'success', msg: '' });
    const told = await Promise.all(queues.map((queue) => queue.pending()));
    const event = [{ type: 'invites_changed', id: expect.any(Number) }];
    expect(told).toEqual([event, event, []]);
    const now = Math.floor(Date.now() / 1000);
    const shown = (await list(ann)).map(({ id: _, invited, expiry_date, ...rest }) => {
      expect(expiry_date - invited).toBe(DAYS_10);
      expect(Math.abs(invited - now)).toBeLessThan(60);
      return rest;
    });
    const common = { invited_by_user_id: ann.userId, invited_as: 400, is_multiuse: false };
    expect(shown).toEqual([
      { ...common, email: first, notify_referrer_on_join: true },
      { ...common, email: second, notify_referrer_on_join: true },
    ]);
    const [letter] = await lettersTo(server, first);
    expect(letter.subject).toBe('Ann Archer has invited you to join Scrollback');
    expect(letter.link).toMatch(new RegExp(`^${server.url}/accounts/do_confirm/[\\w-]{20,}$`));
    expect(letter.text).toContain(`<a href=\n"${letter.link}"`);
    expect(letter.text).toContain('expires in 10 days');
    // The address that clients ask for stays at hand when the link is spent.
    expect(letter.text).toMatch(new RegExp(`Open\\s${server.url}\\sin\\sa\\sbrowser`));
    const [other] = await lettersTo(server, second);
    expect(other.link).not.toBe(letter.link);
    expect(letters(server)).toHaveLength(2);
    expect(await server.rawLog()).not.toContain(letter.link.split('/').at(-1));
  });

  test('with all that it can have', async () => {
    const channel = await channelOf('garden', ann);
    const { group_id } = await ann.ok('POST', '/user_groups/create', {
      name: 'gardeners',
      description: '',
      members: [],
    });
    const shown = await invited(ann, {
      invite_expires_in_minutes: null,
      invite_as: 600,
      stream_ids: [channel],
      group_ids: [group_id],
      include_realm_default_subscriptions: true,
      notify_referrer_on_join: false,
      welcome_message_custom_text: 'Nobody reads this',
    });
    expect(shown).toMatchObject({ expiry_date: null, invited_as: 600, notify_referrer_on_join: false });
    expect((await invited(ann, { invite_expires_in_minutes: 5 })).expiry_date).toEqual(expect.any(Number));
  });

  test.each([
    ['no address', 'BAD_REQUEST', { invitee_emails: ' ,\n, ' }],
    ['nothing', 'REQUEST_VARIABLE_MISSING', { invitee_emails: undefined }],
    ['no list of channels', 'REQUEST_VARIABLE_MISSING', { stream_ids: undefined }],
    ['a channel that is none', 'BAD_REQUEST', { stream_ids: [9999] }],
    ['a group that is none', 'BAD_REQUEST', { group_ids: [9999] }],
    ['a system group', 'BAD_REQUEST', { group_ids: [5] }],
    ['a role that is none', 'BAD_REQUEST', { invite_as: 500 }],
    ['a role above the own', 'BAD_REQUEST', { invite_as: 300 }],
    ['the end at once', 'BAD_REQUEST', { invite_expires_in_minutes: 0 }],
    ['an end that is none', 'REQUEST_VARIABLE_INVALID', { invite_expires_in_minutes: '"soon"' }],
    ['a welcome that is too long', 'BAD_REQUEST', { welcome_message_custom_text: 'x'.repeat(8001) }],
  ])('%s is refused', async (_, code, parameters) => {
    const before = await list(ann);
    expectRefusal(
      await ann.call('POST', '/invites', { invitee_emails: someone(), stream_ids: [], ...parameters }),
      code,
    );
    expect(await list(ann)).toEqual(before);
  });

  test('is not for guests, bots and strangers', async () => {
    expectRefusal(await invite(gus, someone()), 'BAD_REQUEST');
    expectRefusal(await gus.call('GET', '/invites'), 'BAD_REQUEST');
    const { user_id, api_key } = await owner.ok('POST', '/bots', { full_name: 'Robo', short_name: 'robo' });
    const { email } = (await owner.ok('GET', `/users/${user_id}`)).user;
    const bot = Object.assign(ann.as('Bot'), { email, apiKey: api_key });
    expectRefusal(await invite(bot, someone()), 'BAD_REQUEST');
    const answer = await fetch(`${server.url}/api/v1/invites`);
    expect(answer.status).toBe(401);
  });

  test('to each role by those who have it, or one above', async () => {
    const mia = await server.user('Mia Mod');
    await owner.ok('PATCH', `/users/${mia.userId}`, { role: 300 });
    const may = async (actor: ApiClient, invite_as: number) => (await invite(actor, someone(), { invite_as })).status;
    const roles = [100, 200, 300, 400, 600];
    const answers: number[][] = [];
    for (const actor of [owner, mia, ann]) answers.push(await Promise.all(roles.map((role) => may(actor, role))));
    expect(answers).toEqual([
      [200, 200, 200, 200, 200],
      [400, 400, 200, 200, 200],
      [400, 400, 400, 200, 200],
    ]);
  });

  test('to channels of those who may subscribe others, and default channels', async () => {
    const secret = (await owner.ok('POST', '/channels/create', { name: 'secret', subscribers: [], invite_only: true }))
      .id;
    const { streams } = await owner.ok('GET', '/streams');
    const general = streams.find((one: any) => one.name === 'general').stream_id;
    expectRefusal(await invite(ann, someone(), { stream_ids: [secret] }), 'BAD_REQUEST');
    expectRefusal(await invite(ann, someone(), { stream_ids: [general, secret] }), 'BAD_REQUEST');
    await invited(ann, { stream_ids: [general] });
    await having({ can_add_subscribers_group: { new: 1 } }, { can_add_subscribers_group: { new: 5 } }, async () => {
      expectRefusal(await invite(ann, someone(), { stream_ids: [general] }), 'BAD_REQUEST');
      await invited(ann, { include_realm_default_subscriptions: true });
    });
  });
});

describe('INVITATION_FAILED', () => {
  const failed = async (emails: string): Promise<any> => {
    const body = expectRefusal(await invite(ann, emails), 'INVITATION_FAILED');
    expect(Object.keys(body).sort()).toEqual([
      'code',
      'daily_limit_reached',
      'errors',
      'license_limit_reached',
      'msg',
      'result',
      'sent_invitations',
    ]);
    expect([body.daily_limit_reached, body.license_limit_reached]).toEqual([false, false]);
    return body;
  };

  test('names who has an account, and the others are invited', async () => {
    const gone = await server.user('Gone Gary');
    await owner.ok('DELETE', `/users/${gone.userId}`);
    const email = someone();
    const body = await failed(`${ben.email.toUpperCase()}, ${email}, ${gone.email}`);
    expect(body.errors).toEqual([
      [ben.email.toUpperCase(), 'Already has an account.', false],
      [gone.email, 'Account has been deactivated.', true],
    ]);
    expect(body.sent_invitations).toBe(true);
    expect((await list(ann)).at(-1).email).toBe(email);
    await lettersTo(server, email);
  });

  test('when nobody can be invited, nobody is', async () => {
    const before = await list(ann);
    const errors = [[ben.email, 'Already has an account.', false]];
    expect(await failed(ben.email)).toMatchObject({ sent_invitations: false, errors });
    const bad = await failed(`no address,${someone()},a b@example.test,${ben.email}`);
    expect(bad.sent_invitations).toBe(false);
    expect(bad.errors.map(([email]: [string]) => email)).toEqual(['no address', 'a b@example.test', ben.email]);
    for (const email of [
      'x@example.test\0',
      'x\u200by@example.test',
      'x@example..test',
      '.x@example.test',
      'x@-example.test',
    ])
      expect((await failed(email)).errors).toEqual([[email, 'Invalid address.', false]]);
    expect((await failed('x@mailinator.com')).errors).toEqual([
      ['x@mailinator.com', 'Please use your real email address.', false],
    ]);
    expect(await list(ann)).toEqual(before);
  });

  test('goes by the domains of the organization', async () => {
    await owner.ok('POST', '/realm/domains', { domain: 'acme.test', allow_subdomains: true });
    const restricted = { emails_restricted_to_domains: true };
    await having(restricted, { emails_restricted_to_domains: false }, async () => {
      const { errors } = await failed('x@example.test, y+1@acme.test, z@sub.acme.test');
      expect(errors).toEqual([
        ['x@example.test', 'Outside your domain.', false],
        ['y+1@acme.test', 'Email addresses containing + are not allowed.', false],
      ]);
      expect((await invite(ann, 'z@sub.acme.test')).status).toBe(200);
    });
    const open = { disallow_disposable_email_addresses: false };
    await having(open, { disallow_disposable_email_addresses: true }, async () => {
      expect((await invite(ann, 'x@mailinator.com')).status).toBe(200);
    });
  });

  test('when a day has enough of them', async () => {
    const many = Array.from({ length: 1_001 }, (_, index) => `m${index}@example.test`).join();
    const body = expectRefusal(await invite(ann, many), 'INVITATION_FAILED');
    expect(body).toMatchObject({ daily_limit_reached: true, sent_invitations: false, errors: [] });
  });
});

describe('links for many', () => {
  test('are made by administrators, listed after the others, and revoked', async () => {
    expectRefusal(await ann.call('POST', '/invites/multiuse'), 'BAD_REQUEST');
    const queue = await owner.register({ event_types: ['invites_changed'] });
    const link = await linked(owner, { invite_as: 600, invite_expires_in_minutes: null });
    expect(link).toEqual({
      id: expect.any(Number),
      invited_by_user_id: owner.userId,
      invited: expect.any(Number),
      expiry_date: null,
      invited_as: 600,
      is_multiuse: true,
      link_url: expect.stringMatching(new RegExp(`^${server.url}/join/[\\w-]{20,}/$`)),
    });
    // One answer tells of it once, however often it changed.
    expect(await queue.pending()).toHaveLength(1);
    await invited(owner);
    expect(await queue.pending()).toHaveLength(1);
    const kinds = (await list(owner)).map(({ is_multiuse }) => is_multiuse);
    expect(kinds).toEqual([...kinds].sort());
    expectRefusal(await ann.call('DELETE', `/invites/multiuse/${link.id}`), 'BAD_REQUEST');
    expectRefusal(await owner.call('DELETE', `/invites/${link.id}`), 'BAD_REQUEST');
    expectRefusal(await owner.call('POST', `/invites/${link.id}/resend`), 'BAD_REQUEST');
    expect((await fetch(link.link_url)).status).toBe(200);
    await owner.ok('DELETE', `/invites/multiuse/${link.id}`);
    expect((await fetch(link.link_url)).status).toBe(404);
    expectRefusal(await owner.call('DELETE', `/invites/multiuse/${link.id}`), 'BAD_REQUEST');
    expect(await queue.pending()).toHaveLength(1);
  });

  test('to owners are for owners', async () => {
    await owner.ok('PATCH', `/users/${ben.userId}`, { role: 200 });
    const link = await linked(owner, { invite_as: 100 });
    expectRefusal(await ben.call('POST', '/invites/multiuse', { invite_as: 100 }), 'BAD_REQUEST');
    expectRefusal(await ben.call('DELETE', `/invites/multiuse/${link.id}`), 'UNAUTHORIZED_PRINCIPAL');
    const mail = await invited(owner, { invite_as: 100 });
    expectRefusal(await ben.call('DELETE', `/invites/${mail.id}`), 'UNAUTHORIZED_PRINCIPAL');
    expectRefusal(await ben.call('POST', `/invites/${mail.id}/resend`), 'UNAUTHORIZED_PRINCIPAL');
    expect((await list(ben)).map(({ id }) => id)).toEqual((await list(owner)).map(({ id }) => id));
    await owner.ok('PATCH', `/users/${ben.userId}`, { role: 400 });
  });
});

describe('an invitation', () => {
  test('is revoked by the inviter and administrators, and by nobody else', async () => {
    const [first, second] = [await invited(ann), await invited(ann)];
    expectRefusal(await ben.call('DELETE', `/invites/${first.id}`), 'BAD_REQUEST');
    expectRefusal(await ben.call('POST', `/invites/${first.id}/resend`), 'BAD_REQUEST');
    expect((await list(ben)).map(({ id }) => id)).not.toContain(first.id);
    const [{ link }] = await lettersTo(server, first.email);
    const queue = await ann.register({ event_types: ['invites_changed'] });
    await ann.ok('DELETE', `/invites/${first.id}`);
    expect(await queue.pending()).toHaveLength(1);
    await owner.ok('DELETE', `/invites/${second.id}`);
    expect(await queue.pending()).toHaveLength(1);
    expect((await fetch(link)).status).toBe(404);
    for (const path of ['', '/resend'])
      expectRefusal(await ann.call(path === '' ? 'DELETE' : 'POST', `/invites/${first.id}${path}`), 'BAD_REQUEST');
    expectRefusal(await ann.call('DELETE', '/invites/9999'), 'BAD_REQUEST');
  });

  test('is sent again with the same end, and clients are not told', async () => {
    const { id, email, ...before } = await invited(ann);
    await lettersTo(server, email);
    const queue = await ann.register({ event_types: ['invites_changed'] });
    expect((await ann.call('POST', `/invites/${id}/resend`)).body).toEqual({ result: 'success', msg: '' });
    const [first, second] = await lettersTo(server, email, 2);
    expect(first.link).toBe(second?.link);
    expect((await list(ann)).find((one) => one.id === id)).toMatchObject(before);
    expect(await queue.pending()).toEqual([]);
    for (let more = 3; more <= 10; more++) await ann.ok('POST', `/invites/${id}/resend`);
    expectRefusal(await ann.call('POST', `/invites/${id}/resend`), 'BAD_REQUEST');
  });

  test('ends by its time', async () => {
    const { id, email } = await invited(ann, { invite_expires_in_minutes: 2 });
    const [{ link }] = await lettersTo(server, email);
    const queue = await ann.register({ event_types: ['invites_changed'] });
    await later(121, async () => {
      expect((await list(ann)).map((one) => one.id)).not.toContain(id);
      expect((await fetch(link)).status).toBe(404);
      expectRefusal(await ann.call('DELETE', `/invites/${id}`), 'BAD_REQUEST');
      expect((await queue.poll()).map(({ type }) => type)).toEqual(['invites_changed']);
    });
    expect((await list(ann)).map((one) => one.id)).not.toContain(id);
  });

  test('ends with the account and the role of the inviter', async () => {
    const max = await server.user('Max Mod');
    await owner.ok('PATCH', `/users/${max.userId}`, { role: 300 });
    const [asModerator, asMember] = [await invited(max, { invite_as: 300 }), await invited(max)];
    await owner.ok('PATCH', `/users/${max.userId}`, { role: 400 });
    expect((await list(max)).map(({ id }) => id)).toEqual([asMember.id]);
    const [{ link }] = await lettersTo(server, asMember.email);
    const queue = await owner.register({ event_types: ['invites_changed'] });
    await owner.ok('DELETE', `/users/${max.userId}`);
    expect((await list(owner)).map(({ id }) => id)).not.toContain(asMember.id);
    expect(await queue.pending()).toHaveLength(1);
    expect((await fetch(link)).status).toBe(404);
    await owner.ok('POST', `/users/${max.userId}/reactivate`);
    expect((await fetch(link)).status).toBe(404);
    expect((await list(max)).map(({ id }) => id)).not.toContain(asModerator.id);
  });

  test('ends when its address has an account', async () => {
    const { id, email } = await invited(ann);
    await owner.ok('POST', '/users', { email: email.toUpperCase(), password: 'a good long one', full_name: 'By Hand' });
    expect((await list(ann)).map((one) => one.id)).not.toContain(id);
  });
});

test('a restarted server knows them', async () => {
  const before = await list(owner);
  const mask = ({ link_url, ...one }: any): any => ({ ...one, path: link_url && new URL(link_url).pathname });
  await server.restart();
  expect((await list(owner)).map(mask)).toEqual(before.map(mask));
  expect((await fetch((await linked(owner)).link_url)).status).toBe(200);
});
