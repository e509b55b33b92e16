import { channelId, expectRefusal, messageOf, messagesIn } from '../../support/answers.js';
import type { ApiClient } from '../../support/client.js';
import { channelOf, startWithPeople } from '../../support/people.js';
import type { TestServer } from '../../support/server.js';

let server: TestServer;
let owner: ApiClient;
let ann: ApiClient;
let ben: ApiClient;
let cleo: ApiClient;

beforeAll(async () => {
  ({ server, owner, ann, ben, cleo } = await startWithPeople());
  await channelOf('den', ann, ben, cleo);
});
afterAll(() => server.stop());

const receipts = async (client: ApiClient, id: number): Promise<number[]> =>
  (await client.ok('GET', `/messages/${id}/read_receipts`)).user_ids;
const read = (client: ApiClient, ...messages: number[]): Promise<any> =>
  client.ok('POST', '/messages/flags', { op: 'add', flag: 'read', messages });

describe('read receipts', () => {
  test('name who has read a message of a channel, and not its sender', async () => {
    const id = await ann.send('den', 'r', 'x');
    expect(await receipts(ann, id)).toEqual([]);
    await read(cleo, id);
    expect(await receipts(ann, id)).toEqual([cleo.userId]);
    await read(ben, id);
    await read(ann, id);
    for (const client of [ann, ben, cleo])
      expect(await receipts(client, id)).toEqual([ben.userId, cleo.userId].sort((a, b) => a - b));
    await ben.ok('POST', '/messages/flags', { op: 'remove', flag: 'read', messages: [id] });
    expect(await receipts(ann, id)).toEqual([cleo.userId]);
  });

  test('of a direct message name its readers', async () => {
    const id = await ann.sendTo([ben, cleo], 'x');
    await read(ben, id);
    expect(await receipts(cleo, id)).toEqual([ben.userId]);
    expectRefusal(await owner.call('GET', `/messages/${id}/read_receipts`), 'BAD_REQUEST');
  });

  test('name only users who received it or have it in their history', async () => {
    await ann.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'attic' }] });
    const id = await ann.send('attic', 'r', 'x');
    expect(await receipts(ann, id)).toEqual([]);
    await ben.ok('POST', '/messages/flags', { op: 'add', flag: 'starred', messages: [id] });
    expect(await receipts(ann, id)).toEqual([ben.userId]);
  });

  test('leave out users who opted out, mutes in both directions, and deactivated users', async () => {
    const dora = await server.user('Dora Drake');
    await ann.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'den' }], principals: [dora.userId] });
    const id = await ann.send('den', 'r', 'x');
    for (const client of [ben, cleo, dora]) await read(client, id);
    const all = [ben.userId, cleo.userId, dora.userId].sort((a, b) => a - b);
    expect(await receipts(ann, id)).toEqual(all);
    await dora.ok('PATCH', '/settings', { send_read_receipts: false });
    expect(await receipts(ann, id)).toEqual(all.filter((userId) => userId !== dora.userId));
    await dora.ok('PATCH', '/settings', { send_read_receipts: true });
    await ann.ok('POST', `/users/me/muted_users/${cleo.userId}`);
    expect(await receipts(ann, id)).not.toContain(cleo.userId);
    expect(await receipts(cleo, id)).toContain(cleo.userId);
    await ann.ok('DELETE', `/users/me/muted_users/${cleo.userId}`);
    await ben.ok('POST', `/users/me/muted_users/${ann.userId}`);
    expect(await receipts(ann, id)).not.toContain(ben.userId);
    await ben.ok('DELETE', `/users/me/muted_users/${ann.userId}`);
    expect(await receipts(ann, id)).toEqual(all);
  });

  test('are refused for unknown messages, and when the organization has none', async () => {
    const id = await ann.send('den', 'r', 'x');
    expectRefusal(await ann.call('GET', '/messages/999999/read_receipts'), 'BAD_REQUEST');
    await owner.ok('PATCH', '/realm', { enable_read_receipts: false });
    expectRefusal(await ann.call('GET', `/messages/${id}/read_receipts`), 'BAD_REQUEST');
    expect((await ann.register()).state.realm_enable_read_receipts).toBe(false);
    await owner.ok('PATCH', '/realm', { enable_read_receipts: true });
    expect(await receipts(ann, id)).toEqual([]);
  });
});

describe('rendering', () => {
  const render = (content: unknown, client = ann): ReturnType<ApiClient['call']> =>
    client.call('POST', '/messages/render', { content });

  test('shows what would be sent, and sends nothing', async () => {
    const before = (await messagesIn(ann)).length;
    const content = '**bold** @**Ben Baker** #**den** :smile:';
    const { body } = await render(content);
    expect(body).toMatchObject({ result: 'success', msg: '' });
    const id = await ann.send('den', 'rendered', content);
    expect(body.rendered).toBe((await messageOf(ann, id)).content);
    expect((await messagesIn(ann)).length).toBe(before + 1);
  });

  test('of plain text is a paragraph', async () => {
    expect((await render('hello')).body.rendered).toBe('<p>hello</p>');
  });

  test('of nothing yet is nothing', async () => {
    for (const content of ['', ' \n\t '])
      expect((await render(content)).body).toMatchObject({ result: 'success', rendered: '' });
  });

  test('needs content', async () => {
    expect(expectRefusal(await render(undefined), 'REQUEST_VARIABLE_MISSING').var_name).toBe('content');
    expectRefusal(await render('a\u0000b'), 'BAD_REQUEST');
  });
});

describe('reports', () => {
  const report = (client: ApiClient, id: number, parameters: object): ReturnType<ApiClient['call']> =>
    client.call('POST', `/messages/${id}/report`, parameters as Record<string, unknown>);

  test('go nowhere until the organization says where', async () => {
    const id = await ann.send('den', 'r', 'rude words');
    expectRefusal(await report(ben, id, { report_type: 'spam' }), 'BAD_REQUEST');
    expectRefusal(await owner.call('PATCH', '/realm', { moderation_request_channel_id: 99_999 }), 'BAD_REQUEST');
  });

  test('reach the moderators with the message, and notify no user', async () => {
    await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'moderation' }], invite_only: true });
    const moderation = await channelId(owner, 'moderation');
    await owner.ok('PATCH', '/realm', { moderation_request_channel_id: moderation });
    // Reports are for few, so the channel is private and stays so.
    const den = await channelId(ann, 'den');
    expectRefusal(await owner.call('PATCH', '/realm', { moderation_request_channel_id: den }), 'BAD_REQUEST');
    expectRefusal(await owner.call('PATCH', `/streams/${moderation}`, { is_private: false }), 'BAD_REQUEST');
    const id = await ann.sendTo([ben], '```\nrude\n``` words');
    const answer = await report(ben, id, { report_type: 'harassment', description: 'Not nice.' });
    expect(answer.body).toMatchObject({ result: 'success', msg: '' });
    const [message] = await messagesIn(owner, [['channel', 'moderation']], { apply_markdown: false });
    expect(message.subject).toBe("Ann Archer's moderation requests");
    for (const part of ['Ben Baker', 'Ann Archer', 'Harassment', 'Not nice.', 'rude', `/near/${id}`])
      expect(message.content).toContain(part);
    const [html] = await messagesIn(owner, [['channel', 'moderation']]);
    expect(html.content).toContain('user-mention silent');
    expect(html.content).not.toContain('class="user-mention"');
  });

  test('need a reason that is known, and words when it is another', async () => {
    const id = await ann.send('den', 'r', 'x');
    expectRefusal(await report(ben, id, { report_type: 'boredom' }), 'BAD_REQUEST');
    expectRefusal(await report(ben, id, { report_type: 'other' }), 'BAD_REQUEST');
    expectRefusal(await report(ben, id, { report_type: 'other', description: 'x'.repeat(1001) }), 'BAD_REQUEST');
    expect((await report(ben, id, { report_type: 'other', description: 'odd' })).status).toBe(200);
    expect(expectRefusal(await report(ben, id, {}), 'REQUEST_VARIABLE_MISSING').var_name).toBe('report_type');
    const hidden = await ann.sendTo([ben], 'x');
    expectRefusal(await report(cleo, hidden, { report_type: 'spam' }), 'BAD_REQUEST');
  });
});
