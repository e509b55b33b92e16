/** Mail: over SMTP, or into files without a mail server. Its occasion here is `deactivation_notification_comment`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '#testing';
import { expectRefusal } from '../../support/answers.js';
import { later } from '../../support/later.js';
import { MailServer } from '../../support/mail-server.js';
import { startTestServer, type TestServer } from '../../support/server.js';

const DAY = 86_400;

let server: TestServer;
let mails: MailServer | undefined;
afterEach(async () => {
  await server.stop();
  await mails?.stop();
  mails = undefined;
});

/** Deactivates a new account; gives its address. */
async function deactivate(name: string, comment?: string): Promise<string> {
  const { userId, email } = await server.user(name);
  await server.owner.ok('DELETE', `/users/${userId}`, { deactivation_notification_comment: comment });
  return email;
}

test('without a mail server it is written into files, and the log says where', async () => {
  const lines: string[] = [];
  server = await startTestServer({}, (line) => lines.push(line));
  const folder = join(server.dataDir, 'mail');
  expect(lines.join('')).toContain(folder);
  await deactivate('Quiet Quinn');
  const { userId } = await server.user('Ben Baker');
  const tooLong = { deactivation_notification_comment: 'x'.repeat(2001) };
  expectRefusal(await server.owner.call('DELETE', `/users/${userId}`, tooLong), 'BAD_REQUEST');
  const email = await deactivate('Ann Archer', ' Farewell,\n<b>Ann</b> ');
  const files = (): string[] => (existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.eml')) : []);
  await until(() => files().length > 0);
  await server.restart();
  expect(files()).toHaveLength(1);
  const text = readFileSync(join(folder, files()[0] as string), 'utf8');
  expect(text).toContain(`To: ${email}`);
  expect(text).toMatch(/^Subject: Notification of account deactivation on /m);
  expect(text).toContain('> Farewell,\r\n> <b>Ann</b>');
  expect(text).toContain('&lt;b&gt;Ann&lt;/b&gt;');
  expect(lines.join('')).not.toContain('Farewell');
});

test('a mail server takes it once', async () => {
  mails = await MailServer.start();
  server = await startTestServer({ SMTP_URL: `smtp://127.0.0.1:${mails.port}`, MAIL_FROM: 'chat@example.test' });
  const email = await deactivate('Ann Archer', '');
  await until(() => mails?.taken.length === 1);
  await server.restart();
  await pause(1_500);
  expect(mails.taken).toMatchObject([{ from: 'chat@example.test', to: [email] }]);
});

test('a stalled mail server delays no request, and no other timer', async () => {
  mails = await MailServer.start();
  mails.answering = () => undefined;
  server = await startTestServer({ SMTP_URL: `smtp://127.0.0.1:${mails.port}` });
  for (const name of ['Ann Archer', 'Ben Baker']) await deactivate(name, '');
  await until(() => mails!.texts > 0);
  const ann = await server.user('Cleo Cole');
  const time = Math.floor(Date.now() / 1000) + 3_600;
  const message = { type: 'direct', to: [ann.userId], content: 'on time', scheduled_delivery_timestamp: time };
  await ann.ok('POST', '/scheduled_messages', message);
  const isSent = async (): Promise<boolean> =>
    (await ann.ok('GET', '/scheduled_messages')).scheduled_messages.length === 0;
  await later(3_601, () => until(isSent));
  expect(mails.taken).toEqual([]);
  await mails.stop();
});

test('what a mail server did not take is sent later, over restarts of both', async () => {
  mails = await MailServer.start();
  const { port } = mails;
  await mails.stop();
  mails = undefined;
  const lines: string[] = [];
  server = await startTestServer({ SMTP_URL: `smtp://127.0.0.1:${port}` }, (line) => lines.push(line));
  const email = await deactivate('Ann Archer', '');
  await until(() => lines.some((line) => line.includes('A mail could not be sent.')));
  expect(lines.join('')).not.toMatch(new RegExp(`could not be sent.*${email}`));
  await server.restart();
  mails = await MailServer.start({}, port);
  await later(61, () => until(() => mails?.taken.length === 1));
  expect(mails.taken).toMatchObject([{ to: [email] }]);
});

test('what a mail server may have taken is not sent again', async () => {
  mails = await MailServer.start();
  mails.answering = (_, hangUp) => {
    hangUp();
  };
  server = await startTestServer({ SMTP_URL: `smtp://127.0.0.1:${mails.port}` });
  await deactivate('Ann Archer', '');
  await until(() => mails?.texts === 1);
  await later(3 * DAY, () => pause(1_500));
  expect(mails.texts).toBe(1);
});
