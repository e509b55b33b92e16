import { USER_SETTING_NAMES, USER_SETTING_TABLE, type UserSetting } from '#preferences/model';
import { expectRefusal } from '../../support/answers.js';
import { ApiClient } from '../../support/client.js';
import { startWithPeople } from '../../support/people.js';
import type { TestServer } from '../../support/server.js';

/** Every personal setting in its table is changed, seen in the register response, told to each kind of client, and given to new users. */

let server: TestServer;
let owner: ApiClient;
let ann: ApiClient;

beforeAll(async () => {
  ({ server, owner, ann } = await startWithPeople());
});
afterAll(() => server.stop());

const table: Readonly<Record<string, UserSetting>> = USER_SETTING_TABLE;
/** The time zone is part of the account. */
const settable = USER_SETTING_NAMES.filter(
  (name) => !('because' in USER_SETTING_TABLE[name]) && table[name]!.form.kind !== 'account',
);
const MODERN = { client_capabilities: { user_settings_object: true } };
const FETCHED = { event_types: ['user_settings', 'update_display_settings', 'update_global_notifications'] };
const withoutId = ({ id: _, ...event }: any): any => event;

/** Another value than the default, and one that is refused. */
function another({ form, default: value }: UserSetting): { sent: unknown; bad: unknown } {
  switch (form.kind) {
    case 'switch':
      return { sent: value !== true, bad: 'perhaps' };
    case 'number':
      return { sent: form.oneOf.find((one) => one !== value), bad: 77 };
    case 'range':
      return { sent: form.min, bad: form.max + 1 };
    case 'word':
      return { sent: form.oneOf.find((one) => one !== value), bad: 'other' };
    default:
      return { sent: 'de', bad: 'no language' };
  }
}

test('almost all can be changed', () => {
  expect([USER_SETTING_NAMES.length, settable.length]).toEqual([64, 63]);
});

test.each(settable)('%s is changed, shown, told and changed back', async (name) => {
  const { legacy, legacyName = name, ...setting } = table[name]!;
  const { sent, bad } = another(setting);
  const [modern, older] = [await ann.register({ ...MODERN, ...FETCHED }), await ann.register(FETCHED)];
  const others = await owner.register(FETCHED);
  expect(modern.state.user_settings[name]).toEqual(setting.default);
  expect(modern.state).not.toHaveProperty(legacyName);
  if (legacy !== undefined) expect(older.state[legacyName]).toEqual(setting.default);

  const refused = await ann.call('PATCH', '/settings', { [name]: bad });
  expect(refused.body.code).toMatch(/^(BAD_REQUEST|REQUEST_VARIABLE_INVALID)$/);
  expect(refused.status).toBe(400);

  await ann.ok('PATCH', '/settings', { [name]: sent });
  await ann.ok('PATCH', '/settings', { [legacyName]: sent });
  const language = name === 'default_language' ? { language_name: 'German' } : {};
  const update = { type: 'user_settings', op: 'update', property: name, value: sent, ...language };
  expect((await modern.pending()).map(withoutId)).toEqual([update]);
  const twins = {
    display: { type: 'update_display_settings', user: ann.email, setting_name: legacyName, setting: sent, ...language },
    notification: {
      type: 'update_global_notifications',
      user: ann.email,
      notification_name: legacyName,
      setting: sent,
    },
  };
  expect((await older.pending()).map(withoutId)).toEqual(legacy === undefined ? [update] : [update, twins[legacy]]);
  expect(await others.pending()).toEqual([]);
  expect((await ann.register(MODERN)).state.user_settings[name]).toEqual(sent);
  if (legacy !== undefined) expect((await ann.register(FETCHED)).state[legacyName]).toEqual(sent);
  await ann.ok('PATCH', '/settings', { [name]: setting.default });
  expect((await ann.register(MODERN)).state.user_settings[name]).toEqual(setting.default);
});

test.each(settable)('%s is set for new users by administrators alone', async (name) => {
  const { sent, bad } = another(table[name]!);
  const path = '/realm/user_settings_defaults';
  expectRefusal(await ann.call('PATCH', path, { [name]: sent }), 'UNAUTHORIZED_PRINCIPAL');
  expect((await owner.call('PATCH', path, { [name]: bad })).status).toBe(400);
  const queue = await ann.register({ event_types: ['realm_user_settings_defaults'] });
  await owner.ok('PATCH', path, { [name]: sent });
  const event = { type: 'realm_user_settings_defaults', op: 'update', property: name, value: sent };
  expect((await queue.pending()).map(withoutId)).toEqual([event]);
  const { state } = await ann.register({ fetch_event_types: ['realm_user_settings_defaults', 'user_settings'] });
  expect(state.realm_user_settings_defaults[name]).toEqual(sent);
  expect(state.user_settings[name]).toEqual(table[name]!.default);
});

test('a new user begins with all that was set for new users', async () => {
  const newcomer = await server.user('Nell New');
  const { state } = await newcomer.register(MODERN);
  const { realm_user_settings_defaults: defaults } = state;
  const expected = Object.fromEntries(settable.map((name) => [name, another(table[name]!).sent]));
  expect(state.user_settings).toMatchObject(expected);
  expect(defaults).toMatchObject(expected);
});

describe('a command of the message box', () => {
  const run = (command: string, client = ann) => client.call('POST', '/zcommand', { command });

  test.each([
    ['/dark', 'color_scheme', 2, '/light'],
    ['/light', 'color_scheme', 3, '/dark'],
    ['/fluid-width', 'fluid_layout_width', true, '/fixed-width'],
    ['/fixed-width', 'fluid_layout_width', false, '/fluid-width'],
  ])('%s changes the display, once', async (command, property, value, back) => {
    const queue = await ann.register({ ...MODERN, ...FETCHED });
    const { status, body } = await run(command);
    expect([status, body]).toEqual([200, { result: 'success', msg: expect.stringContaining(back), data: {} }]);
    expect((await queue.pending()).map(withoutId)).toMatchObject([{ type: 'user_settings', property, value }]);
    expect((await run(command)).body.msg).toMatch(/^You are still in /);
    expect(await queue.pending()).toEqual([]);
  });

  test('/ping does nothing', async () => {
    expect((await run('/ping')).body).toEqual({ result: 'success', msg: '', data: {} });
  });

  test.each(['', 'dark', '/', '/night', '/dark now', `/${'x'.repeat(200)}`])('%j is refused', async (command) => {
    expectRefusal(await run(command), 'BAD_REQUEST');
  });

  test('is for people', async () => {
    const { user_id, api_key } = await ann.ok('POST', '/bots', { full_name: 'Bot', short_name: 'zc' });
    const { email } = (await ann.ok('GET', `/users/${user_id}`)).user;
    expectRefusal(await run('/ping', new ApiClient(() => server.url, email, api_key)), 'BAD_REQUEST');
  });
});
