/** Mail about missed messages. */
import { fetch, until } from '#testing';
import type { ApiClient } from '../../support/client.js';
import { later } from '../../support/later.js';
import { MailServer, type TakenMail } from '../../support/mail-server.js';
import { channelOf } from '../../support/people.js';
import { startTestServer, type TestServer } from '../../support/server.js';

let mails: MailServer;
let server: TestServer;
let ann: ApiClient, ben: ApiClient, cleo: ApiClient;
let channelId: number;

beforeAll(async () => {
  mails = await MailServer.start();
  server = await startTestServer({ SMTP_URL: `smtp://127.0.0.1:${mails.port}`, MAIL_FROM: 'chat@example.test' });
  ann = await server.user('Ann Archer');
  ben = await server.user('Ben Baker');
  cleo = await server.user('Cleo Cole');
  channelId = await channelOf('kitchen', ann, ben, cleo);
  await ann.ok('PATCH', '/settings', { enable_followed_topic_email_notifications: false });
  for (const reader of [ben, cleo]) {
    const { messages } = await reader.ok('GET', '/messages', { anchor: 'newest', num_before: 100, num_after: 0 });
    const ids = messages.map(({ id }: any) => id);
    await reader.ok('POST', '/messages/flags', { op: 'add', flag: 'read', messages: ids });
  }
});
afterAll(async () => {
  await server.stop();
  await mails.stop();
});

/** The last message that somebody is to be told of by mail. */
const lastNoted = async (): Promise<number> => {
  const noted = (await server.rawLog()).matchAll(/"upTo":\{"messageId":(\d+)/g);
  return Math.max(0, ...Array.from(noted, ([, id]) => Number(id)));
};

/**
 * Later, when the batch of what was just sent is due.
 * @param messageIds messages that notify somebody
 */
const arrived = async (
  count: number,
  messageIds: readonly number[],
  seconds: number,
): Promise<readonly TakenMail[]> => {
  const before = mails.taken.length;
  // Whom they notify is recorded after the send is answered.
  await until(async () => (await lastNoted()) >= Math.max(...messageIds));
  // Its answer waits for the read models, which then know of what was recorded before.
  await ann.sendTo([ann], 'note');
  await later(seconds, () => until(() => mails.taken.length >= before + count));
  return mails.taken.slice(before);
};
const header = (mail: TakenMail, name: string): string =>
  new RegExp(`^${name}: (.*(?:\r\n[ \t].*)*)`, 'm').exec(mail.text)?.[1]?.replaceAll(/\r\n[ \t]/g, ' ') ?? '';
const decoded = ({ text }: TakenMail): string =>
  text
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));

test('a batch has a mail for each conversation, with all that was not read', async () => {
  const ids = [await ann.sendTo([ben], 'Hello <Ben>')];
  const read = await ann.sendTo([ben], 'read in time');
  ids.push(await ann.sendTo([ben], 'see **this** and #**kitchen**'));
  ids.push(await ann.send('kitchen', 'soup', '@**Ben Baker** one'));
  ids.push(await cleo.send('kitchen', 'soup', '@**Ben Baker** two'));
  await ann.send('kitchen', 'cake', 'nothing for Ben');
  await ben.ok('POST', '/messages/flags', { op: 'add', flag: 'read', messages: [read] });
  const got = await arrived(2, ids, 130);
  expect(got.map(({ to }) => to)).toEqual([[ben.email], [ben.email]]);
  const direct = got.find((mail) => header(mail, 'Subject') === 'Direct messages with Ann Archer')!;
  const topic = got.find((mail) => header(mail, 'Subject') === '#kitchen > soup')!;
  const text = decoded(direct);
  expect(text).toContain('Content-Type: multipart/alternative');
  expect(text).toContain('Ann Archer\r\n\r\nHello <Ben>');
  expect(text).toContain('<p>Hello &lt;Ben&gt;</p>');
  expect(text).toContain('<strong>this</strong>');
  expect(text).toContain(`href="${server.url}/#narrow/channel/${channelId}-kitchen"`);
  expect(text).not.toContain('read in time');
  expect(decoded(topic)).toMatch(/Ann Archer[^]*one[^]*Cleo Cole[^]*two/);
  expect(header(topic, 'References')).toMatch(/^<thread-[0-9a-f]{32}@example\.test>$/);
  expect(header(topic, 'In-Reply-To')).toBe(header(topic, 'References'));
  expect(header(direct, 'References')).not.toBe(header(topic, 'References'));
  const third = await ann.send('kitchen', 'SOUP', '@**Ben Baker** three');
  const [next] = await arrived(1, [third], 400);
  expect(header(next!, 'References')).toBe(header(topic, 'References'));
  expect(header(next!, 'Message-ID')).not.toBe(header(topic, 'Message-ID'));
});

test('who is online, turned it off, or has muted gets none; content can be left out', async () => {
  await ben.ok('POST', '/users/me/presence', { status: 'active', ping_only: true });
  await ann.sendTo([ben], 'online');
  await cleo.ok('PATCH', '/settings', { message_content_in_email_notifications: false });
  const mention = await ann.send('kitchen', 'soup', '@**Cleo Cole** a secret');
  const direct = await ann.sendTo([cleo], 'another secret');
  const got = await arrived(1, [mention, direct], 800);
  expect(got.map(({ to }) => to)).toEqual([[cleo.email]]);
  expect(header(got[0]!, 'Subject')).toBe('New messages');
  expect(decoded(got[0]!)).toContain('You have 2 new messages on Scrollback.');
  expect(decoded(got[0]!)).not.toMatch(/secret|soup|Ann/);
  await cleo.ok('PATCH', '/settings', { message_content_in_email_notifications: true });
  await server.owner.ok('PATCH', '/realm', { message_content_allowed_in_email_notifications: false });
  await cleo.ok('PATCH', '/settings', { realm_name_in_email_notifications_policy: 2 });
  const third = await ann.sendTo([cleo], 'hidden by the organization');
  const [hidden] = await arrived(1, [third], 1_600);
  expect(header(hidden!, 'Subject')).toBe('[Scrollback] New messages');
  expect(decoded(hidden!)).not.toContain('hidden');
  await server.owner.ok('PATCH', '/realm', { message_content_allowed_in_email_notifications: true });
});

test('one click unsubscribes, without scripts and cookies; looking at the link does not', async () => {
  const property = { stream_id: channelId, property: 'email_notifications', value: true };
  await ben.ok('POST', '/users/me/subscriptions/properties', { subscription_data: [property] });
  // By then nobody is online.
  let id = 0;
  await later(4_000, async () => {
    id = await ann.send('kitchen', 'cake', 'a channel message');
    await until(async () => (await lastNoted()) >= id);
  });
  const [mail] = await arrived(1, [id], 4_200);
  expect(header(mail!, 'Subject')).toBe('#kitchen > cake');
  expect(header(mail!, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
  const [, url = ''] = /^<(.*)>$/.exec(header(mail!, 'List-Unsubscribe')) ?? [];
  expect(url).toContain(`${server.url}/accounts/unsubscribe/missed_messages/`);
  const settings = async (): Promise<any> => (await ben.register({ fetch_event_types: ['user_settings'] })).state;
  const page = await fetch(url);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(await page.text()).toMatch(/<form method="post">/);
  expect((await settings()).user_settings.enable_offline_email_notifications).toBe(true);
  const forged = url.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
  for (const method of ['GET', 'POST']) expect((await fetch(forged, { method })).status).toBe(404);
  const queue = await ben.register({ event_types: ['user_settings', 'subscription'] });
  const done = await fetch(url, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) });
  expect(done.status).toBe(200);
  const { user_settings } = await settings();
  expect(user_settings).toMatchObject({
    enable_offline_email_notifications: false,
    enable_followed_topic_email_notifications: false,
    enable_stream_email_notifications: false,
  });
  expect(await queue.pending()).toContainEqual(
    expect.objectContaining({ type: 'subscription', property: 'email_notifications', value: false }),
  );
});
