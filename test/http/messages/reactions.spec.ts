import { fetch } from '#testing';
import { expectRefusal, messageOf } from '../../support/answers.js';
import type { Answer, ApiClient } from '../../support/client.js';
import { channelOf, startWithPeople } from '../../support/people.js';
import type { TestServer } from '../../support/server.js';

let server: TestServer;
let ann: ApiClient;
let ben: ApiClient;
let cleo: ApiClient;

beforeAll(async () => {
  ({ server, ann, ben, cleo } = await startWithPeople());
  await channelOf('hall', ann, ben, cleo);
});
afterAll(() => server.stop());

const react = (client: ApiClient, id: number, parameters: Record<string, unknown>): Promise<Answer> =>
  client.call('POST', `/messages/${id}/reactions`, parameters);
const unreact = (client: ApiClient, id: number, parameters: Record<string, unknown>): Promise<Answer> =>
  client.call('DELETE', `/messages/${id}/reactions`, parameters);

test('come and go', async () => {
  const id = await ann.send('hall', 'react', 'x');
  expect((await react(ben, id, { emoji_name: 'tada' })).status).toBe(200);
  const reaction = { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji', user_id: ben.userId };
  expect((await messageOf(ann, id)).reactions).toEqual([expect.objectContaining(reaction)]);
  expectRefusal(await react(ben, id, { emoji_name: 'tada' }), 'REACTION_ALREADY_EXISTS');
  expect((await react(cleo, id, { emoji_name: 'tada', emoji_code: '1f389' })).status).toBe(200);
  expect((await unreact(ben, id, { emoji_name: 'tada' })).status).toBe(200);
  expect((await messageOf(ann, id)).reactions.map(({ user_id }: any) => user_id)).toEqual([cleo.userId]);
  expectRefusal(await unreact(ben, id, { emoji_name: 'tada' }), 'REACTION_DOES_NOT_EXIST');
  expect((await unreact(cleo, id, { emoji_code: '1f389', reaction_type: 'unicode_emoji' })).status).toBe(200);
  expect((await messageOf(ann, id)).reactions).toEqual([]);
});

test('the type of the built-in extra emoji is understood by either name, and told by one', async () => {
  const id = await ann.send('hall', 'react', 'x');
  for (const [client, reaction_type] of [
    [ann, 'service_extra_emoji'],
    [ben, 'zulip_extra_emoji'],
  ] as const)
    expect((await react(client, id, { emoji_name: 'zulip', emoji_code: 'zulip', reaction_type })).status).toBe(200);
  for (const client of [ann, ann.as('website'), ann.as('ZulipFlutter/30.0 (Android 14)')]) {
    const { reactions } = await messageOf(client, id);
    expect(reactions.map((reaction: any) => reaction.reaction_type)).toEqual(Array(2).fill('zulip_extra_emoji'));
  }
  expect((await unreact(ann, id, { emoji_name: 'zulip', reaction_type: 'zulip_extra_emoji' })).status).toBe(200);
});

test.each<[string, Record<string, unknown>]>([
  ['an unknown name', { emoji_name: 'no_such_emoji' }],
  ['a code of another name', { emoji_name: 'tada', emoji_code: '1f642' }],
  ['a code that is none', { emoji_name: 'tada', emoji_code: 'xyz' }],
  ['an unknown type', { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'sticker' }],
  ['a custom emoji that is none', { emoji_name: 'tada', emoji_code: '77', reaction_type: 'realm_emoji' }],
])('%s is refused', async (_, parameters) => {
  const id = await ann.send('hall', 'react', 'x');
  const answer = await react(ben, id, parameters);
  expect([answer.status, answer.body.result]).toEqual([400, 'error']);
  expect((await messageOf(ann, id)).reactions).toEqual([]);
});

test('need a name to come, a name or a code to go, and a message', async () => {
  const id = await ann.send('hall', 'react', 'x');
  expect(expectRefusal(await react(ben, id, {}), 'REQUEST_VARIABLE_MISSING').var_name).toBe('emoji_name');
  expectRefusal(await unreact(ben, id, {}), 'BAD_REQUEST');
  expectRefusal(await react(ben, 999_999, { emoji_name: 'tada' }), 'BAD_REQUEST');
  expectRefusal(await react(cleo, await ann.sendTo([ben], 'x'), { emoji_name: 'tada' }), 'BAD_REQUEST');
});

test('two clicks at once are one reaction', async () => {
  const id = await ann.send('hall', 'react', 'x');
  const answers = await Promise.all([1, 2, 3].map(() => react(ben, id, { emoji_name: 'tada' })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  expect((await messageOf(ann, id)).reactions).toHaveLength(1);
});

/** Two names of one emoji, and its code. */
const [ONE, OTHER, CODE] = ['+1', 'thumbs_up', '1f44d'];

test('have the name that the first one used', async () => {
  for (const [first, second] of [
    [ONE, OTHER],
    [OTHER, ONE],
  ]) {
    const id = await ann.send('hall', 'react', 'x');
    await ann.ok('POST', `/messages/${id}/reactions`, { emoji_name: first });
    const queue = await cleo.register({ event_types: ['reaction'] });
    await ben.ok('POST', `/messages/${id}/reactions`, { emoji_name: second });
    const reaction = { emoji_name: first, emoji_code: CODE, reaction_type: 'unicode_emoji' };
    expect((await messageOf(cleo, id)).reactions).toEqual([
      { ...reaction, user_id: ann.userId },
      { ...reaction, user_id: ben.userId },
    ]);
    expect(await queue.pending()).toMatchObject([{ op: 'add', user_id: ben.userId, ...reaction }]);
  }
});

test('go by their code alone', async () => {
  const id = await ann.send('hall', 'react', 'x');
  await react(ben, id, { emoji_name: ONE });
  await react(cleo, id, { emoji_name: ONE });
  expect((await unreact(ben, id, { emoji_code: CODE })).status).toBe(200);
  expect((await messageOf(ann, id)).reactions.map(({ user_id }: any) => user_id)).toEqual([cleo.userId]);
  const gone = await unreact(ben, id, { emoji_code: CODE });
  expectRefusal(gone, 'REACTION_DOES_NOT_EXIST');
});

test('are a hundred to a message, of each', async () => {
  const { code_to_names } = await (await fetch(`${server.url}/static/emoji.json`)).json();
  const names = Object.values<string[]>(code_to_names).map(([name]) => name);
  const id = await ann.send('hall', 'react', 'x');
  for (const emoji_name of names.slice(0, 100)) await ben.ok('POST', `/messages/${id}/reactions`, { emoji_name });
  expectRefusal(await react(ben, id, { emoji_name: names[100] }), 'BAD_REQUEST');
  expect((await react(cleo, id, { emoji_name: names[100] })).status).toBe(200);
  expect((await messageOf(ann, id)).reactions).toHaveLength(101);
  await ben.ok('DELETE', `/messages/${id}/reactions`, { emoji_name: names[0] });
  expect((await react(ben, id, { emoji_name: names[100] })).status).toBe(200);
});
