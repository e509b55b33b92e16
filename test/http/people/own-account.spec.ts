import { basic, exchange, expectRefusal } from '../../support/answers.js';
import { type Answer, ApiClient, type TestQueue } from '../../support/client.js';
import { startWithPeople } from '../../support/people.js';
import type { TestServer } from '../../support/server.js';

let server: TestServer;
let owner: ApiClient;
let ann: ApiClient;
let ben: ApiClient;
beforeAll(async () => ({ server, owner, ann, ben } = await startWithPeople()));
afterAll(() => server.stop());

type Parameters = Record<string, unknown>;

const settings = (client: ApiClient, parameters: Parameters): Promise<Answer> =>
  client.call('PATCH', '/settings', parameters);
const change = async (client: ApiClient, parameters: Parameters): Promise<void> => {
  expect((await settings(client, parameters)).body).toEqual({ result: 'success', msg: '' });
};
const refuse = async (client: ApiClient, parameters: Parameters): Promise<void> => {
  expectRefusal(await settings(client, parameters), 'BAD_REQUEST');
};
const me = (client: ApiClient): Promise<any> => client.ok('GET', '/users/me');
const heard = async (queue: TestQueue): Promise<any[]> => (await queue.pending()).map(({ id: _, ...event }) => event);
const logIn = ({ email }: ApiClient, password: string): Promise<Answer> =>
  ann.call('POST', '/fetch_api_key', { username: email, password });

async function having(setting: Parameters, test: () => Promise<void>): Promise<void> {
  await owner.ok('PATCH', '/realm', setting);
  try {
    await test();
  } finally {
    await owner.ok('PATCH', '/realm', Object.fromEntries(Object.keys(setting).map((name) => [name, false])));
  }
}

describe('the name', () => {
  test('changes for everybody', async () => {
    const queue = await ben.register({ event_types: ['realm_user'] });
    await change(ann, { full_name: '  Anne Archer ' });
    expect((await me(ann)).full_name).toBe('Anne Archer');
    const person = { user_id: ann.userId, full_name: 'Anne Archer' };
    expect(await heard(queue)).toEqual([{ type: 'realm_user', op: 'update', person }]);
    await change(ann, { full_name: 'Anne Archer' });
    expect(await heard(queue)).toEqual([]);
  });

  test.each(['A', 'x'.repeat(101), 'Ann *Archer*', 'Ann|12', 'Ann @ Archer', 'Notification Bot'])(
    '%j is refused',
    async (full_name) => {
      await refuse(ann, { full_name });
      expect((await me(ann)).full_name).toBe('Anne Archer');
    },
  );

  test('of somebody else is refused where names are unique', async () => {
    await having({ require_unique_names: true }, async () => {
      await refuse(ann, { full_name: 'ben BAKER' });
      expectRefusal(await owner.call('PATCH', `/users/${ann.userId}`, { full_name: 'Ben Baker' }), 'BAD_REQUEST');
      await change(ann, { full_name: 'ANNE Archer' });
      await change(ann, { full_name: 'Anne Archer' });
    });
  });

  test('stays where names are not to be changed, except for administrators', async () => {
    await having({ name_changes_disabled: true }, async () => {
      await change(ann, { full_name: 'Someone Else', timezone: 'Asia/Tokyo' });
      expect(await me(ann)).toMatchObject({ full_name: 'Anne Archer', timezone: 'Asia/Tokyo' });
      await change(owner, { full_name: 'Olive Oak' });
      expect((await me(owner)).full_name).toBe('Olive Oak');
    });
  });
});

describe('the time zone', () => {
  test('is told to everybody as that of the account, and to its owner as a setting', async () => {
    const modern = await ann.register({ client_capabilities: { user_settings_object: true } });
    const [legacy, bens] = [await ann.register(), await ben.register()];
    await change(ann, { timezone: 'Europe/Berlin' });
    const person = { user_id: ann.userId, email: ann.email, timezone: 'Europe/Berlin' };
    const account = { type: 'realm_user', op: 'update', person };
    const setting = { type: 'user_settings', op: 'update', property: 'timezone', value: 'Europe/Berlin' };
    expect(await heard(bens)).toEqual([account]);
    expect(await heard(modern)).toEqual([account, setting]);
    expect(await heard(legacy)).toEqual([
      account,
      setting,
      { type: 'update_display_settings', user: ann.email, setting_name: 'timezone', setting: 'Europe/Berlin' },
    ]);
    const { user_settings, timezone } = (await ann.register()).state;
    expect([user_settings.timezone, timezone]).toEqual(['Europe/Berlin', 'Europe/Berlin']);
    await change(ann, { timezone: '"UTC"' });
    expect((await me(ann)).timezone).toBe('UTC');
  });

  test.each(['Berlin', 'Mars/Base', '+02:00', 'Europe/Berlin; DROP', 'europe/berlin'])(
    '%j is none',
    async (timezone) => {
      await refuse(ann, { timezone });
    },
  );
});

describe('the password', () => {
  const [old_password, new_password] = ['the password of Ann Archer', 'another good one'];

  test('changes for who knows it; API keys stay', async () => {
    await refuse(ann, { new_password });
    await refuse(ann, { new_password, old_password: 'wrong' });
    expect((await logIn(ann, old_password)).status).toBe(200);
    await change(ann, { new_password, old_password });
    expectRefusal(await logIn(ann, old_password), 'AUTHENTICATION_FAILED', 401);
    expect((await logIn(ann, new_password)).body.api_key).toBe(ann.apiKey);
    await change(ann, { new_password: old_password, old_password: new_password });
  });

  test.each(['short', 'x'.repeat(101), 'aaaaaaaa', 'password', 'Passwort1!', '12345678', 'ann.archer@example.test'])(
    '%j is too weak or too long',
    async (weak) => {
      await refuse(ann, { new_password: weak, old_password });
      expect((await logIn(ann, old_password)).status).toBe(200);
    },
  );

  test('an old one alone changes nothing', async () => {
    await change(ann, { old_password: 'anything' });
    expect((await logIn(ann, old_password)).status).toBe(200);
  });

  test('is not changed when another part of the request is refused, and nothing else is when it is wrong', async () => {
    await refuse(ann, { new_password, old_password, full_name: 'A' });
    expect((await logIn(ann, old_password)).status).toBe(200);
    await refuse(ann, { new_password, old_password: 'wrong', full_name: 'Anne Adams', enter_sends: true });
    expect((await me(ann)).full_name).toBe('Anne Archer');
    expect((await ann.register({ fetch_event_types: ['user_settings'] })).state.user_settings.enter_sends).toBe(false);
  });

  test('is in no log', async () => {
    expect(await server.rawLog()).not.toContain(new_password);
  });
});

describe('the e-mail address', () => {
  test('stays until the new one is confirmed', async () => {
    const queue = await ben.register();
    await change(ann, { email: 'anne@example.test' });
    expect((await me(ann)).delivery_email).toBe(ann.email);
    expect((await logIn(ann, 'the password of Ann Archer')).status).toBe(200);
    expect(await heard(queue)).toEqual([]);
  });

  test('as it is already', async () => {
    await change(ann, { email: ` ${ann.email} ` });
  });

  test.each(['no address', '', 'ben.baker@example.test', 'BEN.baker@example.test', '@example.test'])(
    '%j is refused',
    async (email) => {
      await refuse(ann, { email });
    },
  );

  test('is not to be changed in some organizations, except by administrators', async () => {
    await having({ email_changes_disabled: true }, async () => {
      await refuse(ann, { email: 'anne@example.test' });
      await change(owner, { email: 'other@example.test' });
    });
  });
});

describe('the e-mail address that an administrator gives', () => {
  test('counts at once, for logging in, keys and everybody', async () => {
    const finn = await server.user('Finn Fay');
    const queue = await ben.register({ event_types: ['realm_user'] });
    const new_email = 'finn@example.test';
    await owner.ok('PATCH', `/users/${finn.userId}`, { new_email: ` ${new_email} ` });
    const persons = (await heard(queue)).map(({ person }) => person);
    const user_id = finn.userId;
    expect(persons).toEqual([
      { user_id, delivery_email: new_email },
      { user_id, new_email },
      {
        user_id,
        avatar_source: 'G',
        avatar_url: expect.stringMatching(/^\/user_avatars\//),
        avatar_url_medium: expect.stringContaining('-medium.png'),
        avatar_version: 1,
      },
    ]);
    const login = { username: new_email, password: 'the password of Finn Fay' };
    expect((await ben.ok('POST', '/fetch_api_key', login)).user_id).toBe(user_id);
    expectRefusal(await finn.call('GET', '/users/me'), 'INVALID_API_KEY', 401);
    expect((await ben.ok('GET', `/users/${new_email}`)).user).toMatchObject({ user_id, email: new_email });
    expectRefusal(await ben.call('GET', `/users/${finn.email}`), 'BAD_REQUEST');
    // The former address is free again.
    const account = { email: finn.email, password: 'a good long password', full_name: 'Fay Finn' };
    await owner.ok('POST', '/users', account);
    await server.restart();
    expect((await ben.ok('GET', `/users/${new_email}`)).user.user_id).toBe(user_id);
  });

  test.each(['no address', 'ben.baker@example.test'])('%j is refused, and all that came with it', async (new_email) => {
    const asked = { new_email, full_name: 'Someone Else' };
    expectRefusal(await owner.call('PATCH', `/users/${ann.userId}`, asked), 'BAD_REQUEST');
    expect(await me(ann)).toMatchObject({ full_name: 'Anne Archer', email: ann.email });
  });

  test('is for administrators, and not for bots', async () => {
    const asked = { new_email: 'x@example.test' };
    expectRefusal(await ben.call('PATCH', `/users/${ann.userId}`, asked), 'BAD_REQUEST');
    const bot = { full_name: 'Helper', short_name: 'helper' };
    const { user_id } = await owner.ok('POST', '/bots', bot);
    expectRefusal(await owner.call('PATCH', `/users/${user_id}`, asked), 'BAD_REQUEST');
  });
});

describe('the API key', () => {
  test('is another one at once', async () => {
    const eve = await server.user('Eve East');
    const body = await eve.ok('POST', '/users/me/api_key/regenerate');
    expect(body).toEqual({ result: 'success', msg: '', api_key: expect.stringMatching(/^[A-Za-z0-9]{32}$/) });
    expect(body.api_key).not.toBe(eve.apiKey);
    expectRefusal(await eve.call('GET', '/users/me'), 'INVALID_API_KEY', 401);
    expect((await logIn(eve, 'the password of Eve East')).body.api_key).toBe(body.api_key);
    expect(await server.rawLog()).not.toContain(body.api_key);
  });

  test('of a bot is another one when the bot asks, and its owner is told', async () => {
    const { user_id, api_key } = await ann.ok('POST', '/bots', { full_name: 'Keyed', short_name: 'keyed' });
    const bot = new ApiClient(() => server.url, 'keyed-bot@127.0.0.1', api_key);
    const queue = await ann.register({ event_types: ['realm_bot'] });
    const next = (await bot.ok('POST', '/users/me/api_key/regenerate')).api_key;
    expect(next).not.toBe(api_key);
    expectRefusal(await bot.call('GET', '/users/me'), 'INVALID_API_KEY', 401);
    expect(await queue.pending()).toMatchObject([{ type: 'realm_bot', op: 'update', bot: { user_id, api_key: next } }]);
  });

  test('is given to who is logged in and gives the password again', async () => {
    const ask = ({ email, apiKey }: ApiClient, parameters: Record<string, string>): Promise<Answer> =>
      exchange(`${server.url}/json/fetch_api_key`, {
        method: 'POST',
        headers: { authorization: basic(email, apiKey) },
        body: new URLSearchParams(parameters),
      });
    const given = await ask(ben, { password: 'the password of Ben Baker' });
    expect(given.body).toEqual({ result: 'success', msg: '', api_key: ben.apiKey, email: ben.email });
    expectRefusal(await ask(ben, { password: 'wrong' }), 'BAD_REQUEST');
    expectRefusal(await ask(ben, {}), 'REQUEST_VARIABLE_MISSING');
    const stranger = { method: 'POST', body: new URLSearchParams({ password: 'the password of Ben Baker' }) };
    expectRefusal(await exchange(`${server.url}/json/fetch_api_key`, stranger), 'UNAUTHORIZED', 401);
  });
});

test('a restarted server still knows it', async () => {
  await server.restart();
  expect(await me(ann)).toMatchObject({ full_name: 'Anne Archer', timezone: 'UTC' });
});
