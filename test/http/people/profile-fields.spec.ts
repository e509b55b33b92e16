import { expectRefusal } from '../../support/answers.js';
import type { Answer, ApiClient, TestQueue } from '../../support/client.js';
import { startWithPeople } from '../../support/people.js';
import type { TestServer } from '../../support/server.js';

let server: TestServer;
let owner: ApiClient;
let ann: ApiClient;
let ben: ApiClient;
beforeAll(async () => ({ server, owner, ann, ben } = await startWithPeople()));
afterAll(() => server.stop());
afterEach(async () => {
  for (const { id } of await fields()) await owner.ok('DELETE', `/realm/profile_fields/${id}`);
});

type Parameters = Record<string, unknown>;

const [SHORT, PARAGRAPH, CHOICE, DATE, LINK, USERS, ACCOUNT, PRONOUNS] = [1, 2, 3, 4, 5, 6, 7, 8];
const COLOURS = { r: { text: 'Red', order: '1' }, g: { text: 'Green', order: '2' } };

const fields = async (client = ann): Promise<any[]> => (await client.ok('GET', '/realm/profile_fields')).custom_fields;
const create = (field: Parameters, client = owner): Promise<Answer> =>
  client.call('POST', '/realm/profile_fields', { name: 'Field', field_type: SHORT, ...field });
const created = async (field: Parameters = {}): Promise<number> => {
  const { status, body } = await create(field);
  expect([status, body]).toEqual([200, { result: 'success', msg: '', id: expect.any(Number) }]);
  return body.id;
};
const set = (client: ApiClient, id: number, value: unknown): Promise<Answer> =>
  client.call('PATCH', '/users/me/profile_data', { data: [{ id, value }] });
const profileOf = async ({ userId }: ApiClient, by = ben): Promise<any> =>
  (await by.ok('GET', `/users/${userId}`, { include_custom_profile_fields: true })).user.profile_data;
const listen = (client: ApiClient, parameters: Parameters = {}): Promise<TestQueue> =>
  client.register({ event_types: ['custom_profile_fields', 'realm_user'], ...parameters });
const heard = async (queue: TestQueue): Promise<any[]> => (await queue.pending()).map(({ id: _, ...event }) => event);

describe('fields', () => {
  test('of every type, in the order in which they were made', async () => {
    const queue = await listen(ann);
    const account = { subtype: 'custom', url_pattern: 'https://s.example/%(username)s' };
    const ids = [
      await created({ name: ' Phone ', hint: 'With prefix', required: true, display_in_profile_summary: true }),
      await created({ name: 'Biography', field_type: PARAGRAPH, editable_by_user: false }),
      await created({ name: 'Colour', field_type: CHOICE, field_data: COLOURS }),
      await created({ name: 'Birthday', field_type: DATE }),
      await created({ name: 'Page', field_type: LINK }),
      await created({ name: 'Mentor', field_type: USERS }),
      await created({ name: 'Service', field_type: ACCOUNT, field_data: account }),
      await created({ name: 'Pronouns', field_type: PRONOUNS }),
    ];
    const plain = { hint: '', field_data: '', required: false, editable_by_user: true };
    const expected = [
      {
        ...{ ...plain, name: 'Phone', type: SHORT, hint: 'With prefix', required: true },
        display_in_profile_summary: true,
      },
      { ...plain, name: 'Biography', type: PARAGRAPH, editable_by_user: false },
      { ...plain, name: 'Colour', type: CHOICE, field_data: JSON.stringify(COLOURS) },
      { ...plain, name: 'Birthday', type: DATE },
      { ...plain, name: 'Page', type: LINK },
      { ...plain, name: 'Mentor', type: USERS },
      { ...plain, name: 'Service', type: ACCOUNT, field_data: JSON.stringify(account) },
      { ...plain, name: 'Pronouns', type: PRONOUNS },
    ].map((field, order) => ({ ...field, id: ids[order], order }));
    expect(await fields()).toEqual(expected);
    // Each is told with the list of then.
    expect(await heard(queue)).toEqual(
      expected.map((_, index) => ({ type: 'custom_profile_fields', fields: expected.slice(0, index + 1) })),
    );
    const { state } = await ann.register({ fetch_event_types: ['custom_profile_fields'] });
    expect(state.custom_profile_fields).toEqual(expected);
    expect(state.custom_profile_field_types).toMatchObject({ PRONOUNS: { id: 8 }, SHORT_TEXT: { id: 1 } });
  });

  test('for pronouns are text for clients that do not know them', async () => {
    const queue = await listen(ann, { pronouns_field_type_supported: false });
    const id = await created({ name: 'Pronouns', field_type: PRONOUNS });
    expect(await heard(queue)).toMatchObject([{ fields: [{ id, type: SHORT }] }]);
    const { state } = await ann.register({ pronouns_field_type_supported: false });
    expect(state.custom_profile_fields).toMatchObject([{ id, type: SHORT }]);
    expect(state.custom_profile_field_types).not.toHaveProperty('PRONOUNS');
  });

  test('for accounts that the server knows have its texts', async () => {
    const id = await created({ name: '', field_type: ACCOUNT, field_data: { subtype: 'github' } });
    const known = { name: 'GitHub', hint: 'Enter your GitHub username', field_data: '{"subtype":"github"}' };
    expect(await fields()).toMatchObject([{ id, ...known }]);
    const change = (parameters: Parameters): Promise<Answer> =>
      owner.call('PATCH', `/realm/profile_fields/${id}`, parameters);
    expectRefusal(await change({ name: 'Code' }), 'BAD_REQUEST');
    expect((await change({ required: true })).status).toBe(200);
    expect(await fields()).toMatchObject([{ id, ...known, required: true }]);
  });

  test.each<[string, Parameters]>([
    ['without a label', { name: ' ' }],
    ['with a long label', { name: 'x'.repeat(41) }],
    ['with a long hint', { hint: 'x'.repeat(81) }],
    ['of another type', { field_type: 9 }],
    ['with choices that are none', { field_type: CHOICE, field_data: {} }],
    ['without choices', { field_type: CHOICE }],
    ['with a choice without a text', { field_type: CHOICE, field_data: { a: { order: '1' } } }],
    ['with a choice without an order', { field_type: CHOICE, field_data: { a: { text: 'A' } } }],
    ['with a choice that has more', { field_type: CHOICE, field_data: { a: { text: 'A', order: '1', x: 1 } } }],
    ['with a choice without a name', { field_type: CHOICE, field_data: { ' ': { text: 'A', order: '1' } } }],
    ['with a choice twice', { field_type: CHOICE, field_data: { a: COLOURS.r, b: COLOURS.r } }],
    ['with a choice that is text', { field_type: CHOICE, field_data: { a: 'A' } }],
    ['for an account of no kind', { field_type: ACCOUNT }],
    ['for an account of another kind', { field_type: ACCOUNT, field_data: { subtype: 'nowhere' } }],
    ['for an account without an address', { field_type: ACCOUNT, field_data: { subtype: 'custom' } }],
    [
      'for an account whose address names nobody',
      { field_type: ACCOUNT, field_data: { subtype: 'custom', url_pattern: 'https://s.example/' } },
    ],
    [
      'for an account at no website',
      { field_type: ACCOUNT, field_data: { subtype: 'custom', url_pattern: 'javascript:%(username)s' } },
    ],
    ['with data that is a list', { field_type: CHOICE, field_data: [] }],
    ['too long for a summary', { field_type: PARAGRAPH, display_in_profile_summary: true }],
  ])('%s are refused', async (_, field) => {
    expectRefusal(await create(field), 'BAD_REQUEST');
    expect(await fields()).toEqual([]);
  });

  test('have a type', async () => {
    expectRefusal(await owner.call('POST', '/realm/profile_fields', { name: 'x' }), 'REQUEST_VARIABLE_MISSING');
    expectRefusal(await create({ field_type: 'x' }), 'REQUEST_VARIABLE_INVALID');
  });

  test('have labels of their own, and two of them are in the summary', async () => {
    await created({ name: 'Phone', display_in_profile_summary: true });
    expectRefusal(await create({ name: 'Phone' }), 'BAD_REQUEST');
    const second = await created({ name: 'Second', display_in_profile_summary: true });
    expectRefusal(await create({ name: 'Third', display_in_profile_summary: true }), 'BAD_REQUEST');
    const path = `/realm/profile_fields/${second}`;
    expectRefusal(await owner.call('PATCH', path, { name: 'Phone' }), 'BAD_REQUEST');
    await owner.ok('PATCH', path, { display_in_profile_summary: false });
    expect((await fields())[1]).not.toHaveProperty('display_in_profile_summary');
    await created({ name: 'Third', display_in_profile_summary: true });
  });

  test('are changed by what is named', async () => {
    const id = await created({ name: 'Phone', hint: 'With prefix' });
    const queue = await listen(ann);
    await owner.ok('PATCH', `/realm/profile_fields/${id}`, { name: 'Mobile', editable_by_user: false });
    expect(await heard(queue)).toMatchObject([
      { type: 'custom_profile_fields', fields: [{ id, name: 'Mobile', hint: 'With prefix', editable_by_user: false }] },
    ]);
    await owner.ok('PATCH', `/realm/profile_fields/${id}`, { name: 'Mobile' });
    expect(await heard(queue)).toEqual([]);
    expectRefusal(await owner.call('PATCH', `/realm/profile_fields/${id}`, { name: '' }), 'BAD_REQUEST');
    expectRefusal(await owner.call('PATCH', '/realm/profile_fields/999', { name: 'x' }), 'BAD_REQUEST');
  });

  test('are ordered by a list of all', async () => {
    const [one, two] = [await created({ name: 'One' }), await created({ name: 'Two' })];
    const queue = await listen(ann);
    const order = (ids: unknown): Promise<Answer> => owner.call('PATCH', '/realm/profile_fields', { order: ids });
    expect((await order([two, one])).status).toBe(200);
    expect((await fields()).map(({ id, order: place }) => [id, place])).toEqual([
      [two, 0],
      [one, 1],
    ]);
    expect(await heard(queue)).toMatchObject([{ fields: [{ id: two }, { id: one }] }]);
    for (const ids of [[two], [one, one], [one, two, 999], ['x']]) expectRefusal(await order(ids), 'BAD_REQUEST');
  });

  test('go with their values, and their IDs are not used again', async () => {
    const id = await created({});
    await set(ann, id, 'hello');
    const queue = await listen(ben);
    await owner.ok('DELETE', `/realm/profile_fields/${id}`);
    expect(await heard(queue)).toEqual([{ type: 'custom_profile_fields', fields: [] }]);
    expect(await profileOf(ann)).toEqual({});
    expect(await created({})).toBe(id + 1);
    expectRefusal(await owner.call('DELETE', `/realm/profile_fields/${id}`), 'BAD_REQUEST');
  });

  test('are for administrators to change', async () => {
    const id = await created({});
    const refused = [
      await create({ name: 'x' }, ann),
      await ann.call('PATCH', `/realm/profile_fields/${id}`, { name: 'x' }),
      await ann.call('PATCH', '/realm/profile_fields', { order: [id] }),
      await ann.call('DELETE', `/realm/profile_fields/${id}`),
    ];
    for (const answer of refused) expectRefusal(answer, 'UNAUTHORIZED_PRINCIPAL');
    expect(await fields()).toMatchObject([{ id, name: 'Field' }]);
  });
});

describe('values', () => {
  test('of every type are told to everybody', async () => {
    const queue = await listen(ben);
    const values: [number, unknown, unknown][] = [
      [await created({ name: 'a' }), '**hi**', { value: '**hi**', rendered_value: '<p><strong>hi</strong></p>' }],
      [
        await created({ name: 'b', field_type: PARAGRAPH }),
        'one\ntwo',
        { value: 'one\ntwo', rendered_value: '<p>one<br>\ntwo</p>' },
      ],
      [await created({ name: 'c', field_type: CHOICE, field_data: COLOURS }), 'g', { value: 'g' }],
      [await created({ name: 'd', field_type: DATE }), '2024-02-29', { value: '2024-02-29' }],
      [await created({ name: 'e', field_type: LINK }), 'https://e.example/x', { value: 'https://e.example/x' }],
      [await created({ name: 'f', field_type: USERS }), [ann.userId, ben.userId], undefined],
      [await created({ name: 'g', field_type: ACCOUNT, field_data: { subtype: 'github' } }), 'ann', { value: 'ann' }],
      [await created({ name: 'h', field_type: PRONOUNS }), 'she/her', { value: 'she/her' }],
    ];
    await heard(queue);
    const data = values.map(([id, value]) => ({ id, value }));
    expect(await ann.ok('PATCH', '/users/me/profile_data', { data })).toEqual({ result: 'success', msg: '' });
    const users = { value: `[${ann.userId},${ben.userId}]` };
    const profile = Object.fromEntries(values.map(([id, , shown]) => [id, shown ?? users]));
    expect(await profileOf(ann)).toEqual(profile);
    expect(await heard(queue)).toEqual(
      values.map(([id, , shown]) => ({
        type: 'realm_user',
        op: 'update',
        person: { user_id: ann.userId, custom_profile_field: { id, ...(shown ?? users) } },
      })),
    );
    const { realm_users } = (await ben.register({ fetch_event_types: ['realm_user'] })).state;
    expect(realm_users.find(({ user_id }: any) => user_id === ann.userId).profile_data).toEqual(profile);
    expect((await ann.ok('GET', '/users/me')).profile_data).toEqual(profile);
    const { members } = await ben.ok('GET', '/users', { include_custom_profile_fields: true });
    expect(members.find(({ user_id }: any) => user_id === ann.userId).profile_data).toEqual(profile);
    await ann.ok('PATCH', '/users/me/profile_data', { data });
    expect(await heard(queue)).toEqual([]);
  });

  test.each<[string, Parameters, unknown]>([
    ['a long text', {}, 'x'.repeat(51)],
    ['a list as text', {}, [1]],
    ['a very long text', { field_type: PARAGRAPH }, 'x'.repeat(501)],
    ['a choice that is none', { field_type: CHOICE, field_data: COLOURS }, 'b'],
    ['no date', { field_type: DATE }, '2023-02-29'],
    ['half a date', { field_type: DATE }, '2023-2-1'],
    ['a date before the first year', { field_type: DATE }, '0000-01-01'],
    ['no link', { field_type: LINK }, 'e.example'],
    ['a dangerous link', { field_type: LINK }, 'javascript:alert(1)'],
    ['nobody', { field_type: USERS }, [9999]],
    ['a bot', { field_type: USERS }, [1]],
    ['users as text', { field_type: USERS }, 'ann'],
    ['a long account', { field_type: ACCOUNT, field_data: { subtype: 'github' } }, 'x'.repeat(51)],
    ['long pronouns', { field_type: PRONOUNS }, 'x'.repeat(51)],
    ['a number', {}, 5],
    ['nothing at all', {}, null],
    ['a deactivated field', { editable_by_user: false }, 'x'],
  ])('%s is refused, and what came with it', async (_, field, value) => {
    const [id, other] = [await created(field), await created({ name: 'Other' })];
    const data = [
      { id: other, value: 'x' },
      { id, value },
    ];
    expectRefusal(await ann.call('PATCH', '/users/me/profile_data', { data }), 'BAD_REQUEST');
    expect(await profileOf(ann)).toEqual({});
  });

  test('are removed', async () => {
    const [one, two] = [await created({ name: 'One' }), await created({ name: 'Two' })];
    await set(ann, one, 'x');
    await set(ann, two, 'y');
    const queue = await listen(ben);
    await ann.ok('DELETE', '/users/me/profile_data', { data: [one] });
    await set(ann, two, '');
    const gone = (id: number): any => ({
      type: 'realm_user',
      op: 'update',
      person: { user_id: ann.userId, custom_profile_field: { id, value: null } },
    });
    expect(await heard(queue)).toEqual([gone(one), gone(two)]);
    expect(await profileOf(ann)).toEqual({});
    await ann.ok('DELETE', '/users/me/profile_data', { data: [one] });
    expect(await heard(queue)).toEqual([]);
    expectRefusal(await ann.call('DELETE', '/users/me/profile_data', { data: [999] }), 'BAD_REQUEST');
    expectRefusal(await ann.call('DELETE', '/users/me/profile_data', { data: ['x'] }), 'BAD_REQUEST');
    expectRefusal(await ann.call('DELETE', '/users/me/profile_data'), 'REQUEST_VARIABLE_MISSING');
  });

  test('of no field', async () => {
    expectRefusal(await set(ann, 999, 'x'), 'BAD_REQUEST');
    expectRefusal(await ann.call('PATCH', '/users/me/profile_data'), 'REQUEST_VARIABLE_MISSING');
  });

  test('that only administrators change', async () => {
    const id = await created({ editable_by_user: false });
    expectRefusal(await ann.call('DELETE', '/users/me/profile_data', { data: [id] }), 'BAD_REQUEST');
    await owner.ok('PATCH', '/users/me/profile_data', { data: [{ id, value: 'mine' }] });
    const queue = await listen(ben);
    const path = `/users/${ann.userId}`;
    await owner.ok('PATCH', path, { profile_data: [{ id, value: 'given' }] });
    expect(await profileOf(ann)).toMatchObject({ [id]: { value: 'given' } });
    expect(await heard(queue)).toMatchObject([{ person: { custom_profile_field: { id, value: 'given' } } }]);
    await owner.ok('PATCH', path, { profile_data: [{ id, value: null }] });
    expect(await profileOf(ann)).toEqual({});
    const both = { full_name: 'Anne Archer', profile_data: [{ id: 999, value: 'x' }] };
    expectRefusal(await owner.call('PATCH', path, both), 'BAD_REQUEST');
    expect((await ann.ok('GET', '/users/me')).full_name).toBe('Ann Archer');
    expectRefusal(await ben.call('PATCH', path, { profile_data: [{ id, value: 'x' }] }), 'BAD_REQUEST');
  });

  test('that are no choice any more go', async () => {
    const id = await created({ field_type: CHOICE, field_data: COLOURS });
    await set(ann, id, 'r');
    await set(ben, id, 'g');
    const queue = await listen(ben);
    await owner.ok('PATCH', `/realm/profile_fields/${id}`, { field_data: { g: COLOURS.g } });
    expect(await heard(queue)).toMatchObject([
      { type: 'custom_profile_fields' },
      { type: 'realm_user', person: { user_id: ann.userId, custom_profile_field: { id, value: null } } },
    ]);
    expect([await profileOf(ann), await profileOf(ben)]).toEqual([{}, { [id]: { value: 'g' } }]);
  });

  test('are known to a restarted server', async () => {
    const id = await created({});
    await set(ann, id, 'x');
    const before = [await fields(), await profileOf(ann)];
    await server.restart();
    expect([await fields(), await profileOf(ann)]).toEqual(before);
  });
});

describe('onboarding steps', () => {
  test('are completed once, each', async () => {
    const names = async (): Promise<string[]> => {
      const { state } = await ann.register({ fetch_event_types: ['onboarding_steps'] });
      expect(state.navigation_tour_video_url).toBeNull();
      return state.onboarding_steps.map(({ name }: any) => name);
    };
    const all = await names();
    // Without the film there is no step that shows it.
    expect(all).toHaveLength(7);
    expect(all).not.toContain('navigation_tour_video');
    const queue = await ann.register({ event_types: ['onboarding_steps'] });
    const bens = await ben.register({ event_types: ['onboarding_steps'] });
    const step = { onboarding_step: 'intro_resolve_topic' };
    expect(await ann.ok('POST', '/users/me/onboarding_steps', step)).toEqual({ result: 'success', msg: '' });
    const rest = all.filter((name) => name !== 'intro_resolve_topic');
    const onboarding_steps = rest.map((name) => ({ type: 'one_time_notice', name }));
    expect(await heard(queue)).toEqual([{ type: 'onboarding_steps', onboarding_steps }]);
    expect(await heard(bens)).toEqual([]);
    expect(await names()).toEqual(rest);
    await ann.ok('POST', '/users/me/onboarding_steps', step);
    expect(await heard(queue)).toEqual([]);
    const unknown = { onboarding_step: 'no_such_step' };
    expectRefusal(await ann.call('POST', '/users/me/onboarding_steps', unknown), 'BAD_REQUEST');
    expectRefusal(await ann.call('POST', '/users/me/onboarding_steps'), 'REQUEST_VARIABLE_MISSING');
  });
});
