import { REALM_PERMISSIONS, REALM_SETTING_TABLE, type RealmPermission, type RealmSetting } from '#realm/model';
import { channelId, expectRefusal } from '../../support/answers.js';
import type { ApiClient } from '../../support/client.js';
import { startWithPeople } from '../../support/people.js';
import type { TestServer } from '../../support/server.js';

/** Every setting in its table is changed, seen in the register response, and told. */

let server: TestServer;
let owner: ApiClient;
let ann: ApiClient;
let privateId: number;

beforeAll(async () => {
  ({ server, owner, ann } = await startWithPeople(undefined, { RETENTION: 'on' }));
  await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'reports' }], invite_only: true });
  privateId = await channelId(owner, 'reports');
});
afterAll(() => server.stop());

const realm = async (): Promise<any> => (await ann.register({ fetch_event_types: ['realm'] })).state;
const withoutId = ({ id: _, ...event }: any): any => event;
/** The ways to sign in need a server with several; test/http/signing-in/sign-in.spec.ts changes them. */
const names = Object.keys(REALM_SETTING_TABLE).filter((name) => name !== 'authentication_methods');
const settings: Readonly<Record<string, RealmSetting>> = REALM_SETTING_TABLE;

/** Another value than the one that holds, as it is sent and as it is shown; and one that is refused. */
function another(name: string, current: any): { sent: unknown; shown: unknown; bad: unknown } {
  const { form } = settings[name]!;
  // Reports are for few.
  if (name === 'moderation_request_channel_id') return { sent: privateId, shown: privateId, bad: 1 };
  switch (form.kind) {
    case 'switch':
      return { sent: current !== true, shown: current !== true, bad: 'perhaps' };
    case 'count':
      return { sent: Number(current) + 3, shown: Number(current) + 3, bad: form.max + 1 };
    case 'number':
    case 'word': {
      const value = form.oneOf.find((one) => one !== current);
      return { sent: value, shown: value, bad: form.kind === 'number' ? 77 : 'other' };
    }
    case 'time-limit':
      return current === null
        ? { sent: 3600, shown: 3600, bad: 0 }
        : { sent: 'unlimited', shown: null, bad: 'for ever' };
    case 'retention':
      return current === -1 ? { sent: 30, shown: 30, bad: 0 } : { sent: 'unlimited', shown: -1, bad: 'for ever' };
    case 'channel':
      return current === 1 ? { sent: -1, shown: -1, bad: 999 } : { sent: 1, shown: 1, bad: 999 };
    case 'text':
      return { sent: 'Some *words*', shown: 'Some *words*', bad: 'x'.repeat(form.lengthMax + 1) };
    case 'language':
      return { sent: 'de', shown: 'de', bad: 'no language' };
    case 'code-language':
      return { sent: 'python', shown: 'python', bad: '<b>' };
    case 'video-chat-provider':
      return { sent: 0, shown: 0, bad: 3 };
    case 'login-methods':
      throw new Error('There is one way to sign in.');
    case 'website':
      return { sent: 'https://meet.example', shown: 'https://meet.example', bad: 'javascript:alert(1)' };
  }
}

test.each(names)('%s is changed, shown, told and changed back', async (name) => {
  const setting = settings[name]!;
  const before = (await realm())[`realm_${name}`];
  const { sent, shown, bad } = another(name, before);
  const queue = await ann.register({ event_types: ['realm'] });

  const refused = await owner.call('PATCH', '/realm', { [name]: bad });
  expect([refused.status, refused.body.result]).toEqual([400, 'error']);
  expect(refused.body.code).toMatch(/^(BAD_REQUEST|REQUEST_VARIABLE_INVALID)$/);
  expect(await queue.pending()).toEqual([]);

  expect(await owner.ok('PATCH', '/realm', { [name]: sent })).toMatchObject({ [name]: shown });
  expect((await realm())[`realm_${name}`]).toEqual(shown);
  const events = (await queue.pending()).map(withoutId);
  if (setting.isToldTogether) {
    expect(events).toContainEqual({
      type: 'realm',
      op: 'update_dict',
      property: 'default',
      data: expect.objectContaining({ [name]: shown }),
    });
  } else {
    expect(events).toContainEqual({ type: 'realm', op: 'update', property: name, value: shown });
  }
  expect(await owner.ok('PATCH', '/realm', { [name]: sent })).toEqual({ result: 'success', msg: '' });
  expect(await queue.pending()).toEqual([]);

  const { kind } = setting.form;
  const isUnlimited = (kind === 'time-limit' && before === null) || (kind === 'retention' && before === -1);
  const back = isUnlimited ? 'unlimited' : (before ?? 'default');
  await owner.ok('PATCH', '/realm', { [name]: back });
  expect((await realm())[`realm_${name}`]).toEqual(before);
});

test.each(names)('%s is changed by administrators alone, with all that comes with it', async (name) => {
  const before = await realm();
  const { sent } = another(name, before[`realm_${name}`]);
  expectRefusal(await ann.call('PATCH', '/realm', { [name]: sent }), 'UNAUTHORIZED_PRINCIPAL');
  const refused = await owner.call('PATCH', '/realm', {
    [name]: sent,
    enable_read_receipts: name === 'enable_read_receipts' ? sent : false,
    can_resolve_topics_group: { new: 2, old: 3 },
  });
  expectRefusal(refused, 'EXPECTATION_MISMATCH');
  expect(await realm()).toEqual({ ...before, queue_id: expect.anything(), last_event_id: expect.anything() });
});

describe('permissions', () => {
  const GROUPS: Readonly<Record<string, number>> = {
    'role:owners': 1,
    'role:administrators': 2,
    'role:moderators': 3,
    'role:fullmembers': 4,
    'role:members': 5,
    'role:everyone': 6,
    'role:internet': 7,
    'role:nobody': 8,
  };
  const permissions = Object.entries<RealmPermission>(REALM_PERMISSIONS);

  test('are all to be given', () => {
    expect(permissions).toHaveLength(25);
  });

  test.each(permissions)('%s names the groups that it may, is shown and told', async (name, rule) => {
    const before = (await realm())[`realm_${name}`];
    for (const [group, groupId] of Object.entries(GROUPS)) {
      const update = { [name]: { new: groupId } };
      const isAllowed =
        group !== 'role:internet' &&
        (group !== 'role:nobody' || rule.allowsNobody) &&
        (group !== 'role:everyone' || rule.allowsEveryone) &&
        (rule.onlySystemGroups === undefined || rule.onlySystemGroups.some((one) => one === group));
      if (!isAllowed) {
        const { status, body } = await owner.call('PATCH', '/realm', update);
        expect([group, status, body.code]).toEqual([group, 400, 'BAD_REQUEST']);
        continue;
      }
      const queue = await ann.register({ event_types: ['realm'] });
      const current = (await realm())[`realm_${name}`];
      const changed = await owner.ok('PATCH', '/realm', { [name]: { new: groupId, old: current } });
      expect(changed[name]).toBe(current === groupId ? undefined : groupId);
      const told = (await queue.pending()).map(withoutId);
      const event = { type: 'realm', op: 'update_dict', property: 'default', data: { [name]: groupId } };
      expect([group, told]).toEqual([group, current === groupId ? [] : [event]]);
      expect((await realm())[`realm_${name}`]).toEqual(groupId);
    }
    const people = { direct_members: [ann.userId], direct_subgroups: [2] };
    const named = await owner.call('PATCH', '/realm', { [name]: { new: people } });
    if (rule.onlySystemGroups === undefined) {
      expect(named.status).toBe(200);
      expect((await realm())[`realm_${name}`]).toEqual(people);
    } else {
      expect(expectRefusal(named, 'SYSTEM_GROUP_REQUIRED').setting_name).toBe(name);
    }
    expectRefusal(await ann.call('PATCH', '/realm', { [name]: { new: 2 } }), 'UNAUTHORIZED_PRINCIPAL');
    await owner.ok('PATCH', '/realm', { [name]: { new: before } });
  });
});
