// Push devices and notifications, webhooks, video calls, missed mail.
import { Browser } from '../browser.mjs';

const base64 = (bytes) => Buffer.alloc(bytes, 7).toString('base64');

export async function integrations(session) {
  await devices(session);
  await webhooks(session);
  await calls(session);
  await missedMail(session);
}

async function devices({ recorder, ann, ben, outside }) {
  recorder.chapter('Push devices', { isPatient: true });
  const apple = { token: 'ab'.repeat(32), appid: 'org.chat.App' };
  for (const path of ['/users/me/apns_device_token', '/users/me/platformpush_device_token']) {
    await ben.post(path, apple);
    await ben.post(path, { token: 'xyz', appid: 'org.chat.App' });
    if (path.includes('platform')) break;
    await ben.delete(path, { token: apple.token });
    await ben.delete(path, { token: apple.token });
  }
  await ben.post('/users/me/android_gcm_reg_id', { token: 'cR7:x_Y' });
  await ben.post('/users/me/android_gcm_reg_id', { token: '' });
  await ben.delete('/users/me/android_gcm_reg_id', { token: 'cR7:x_Y' });
  await ben.delete('/users/me/android_gcm_reg_id', { token: 'cR7:x_Y' });
  await ben.post('/mobile_push/test_notification', { token: apple.token });
  await ben.post('/mobile_push/test_notification', { token: 'unknown' });
  const { device_id } = await ann.post('/register_client_device');
  await ann.post('/register_client_device');
  await ann.post('/remove_client_device', { device_id });
  await ann.post('/remove_client_device', { device_id });
  const registration = {
    token_kind: 'fcm',
    bouncer_public_key: base64(32),
    encrypted_push_registration: base64(100),
  };
  const account = { ...registration, push_account_id: 77 };
  // A key for the secretbox, in which the first byte names the kind.
  const push_key = Buffer.concat([Buffer.from([0x31]), Buffer.alloc(32, 7)]).toString('base64');
  const isCalled = async (work) => {
    const before = outside.count;
    await work();
    await recorder.until('the push service is called', () => outside.count > before);
  };
  await isCalled(() => ann.post('/mobile_push/register', { ...account, push_key }));
  await ann.post('/mobile_push/register', { ...account, push_key: 'AAAA' });
  const { device_id: other } = await ann.post('/register_client_device');
  const device = { ...registration, device_id: other, push_key_id: 4_000_000_000, token_id: base64(8) };
  await isCalled(() => ann.post('/mobile_push/register', { ...device, push_key }));
  await ann.post('/mobile_push/e2ee/test_notification', { push_account_id: 77 });
  await ann.post('/mobile_push/e2ee/test_notification', { push_account_id: 78 });
  await isCalled(() => ben.sendTo([ann], 'for your device'));
  await isCalled(() => ann.sendTo([ben], 'for yours'));
  await ben.delete('/users/me/apns_device_token', { token: apple.token });
}

async function webhooks({ recorder, ann, ben, outside }) {
  recorder.chapter('Webhooks', { isPatient: true });
  const hook = {
    full_name: 'Hook',
    short_name: 'hook',
    bot_type: 3,
    payload_url: JSON.stringify(`${outside.url}/hook`),
  };
  const { user_id } = await ann.post('/bots', hook);
  await ann.post('/bots', { ...hook, short_name: 'far', payload_url: JSON.stringify('https://elsewhere.example/') });
  const before = outside.count;
  await ben.post('/messages', { type: 'direct', to: [user_id], content: 'hello hook' });
  await recorder.until('the service is called', () => outside.count > before);
  await ann.delete(`/bots/${user_id}`);
}

async function missedMail({ recorder, server, ann, ben }) {
  recorder.chapter('Mail of missed messages', { isPatient: true });
  await ben.patch('/settings', { enable_offline_email_notifications: true });
  recorder.later(300, 'Ben is away');
  const before = server.mails().length;
  await ann.sendTo([ben], 'Are you *there*?');
  recorder.later(150, 'the messages are collected');
  await recorder.until('the mail is written', () => server.mails().length > before);
  await ben.patch('/settings', { enable_offline_email_notifications: false });
}

async function calls({ recorder, ann }) {
  recorder.chapter('Video calls', { isPatient: true });
  await ann.get('/calls/bigbluebutton/create', { meeting_name: 'Lunch', voice_only: true });
  await ann.get('/calls/bigbluebutton/create');
  await ann.post('/calls/zoom/create');
  const browser = new Browser(recorder);
  await browser.logIn(ann);
  await browser.open('/calls/zoom/register');
  const state = new URL(browser.location).searchParams.get('state');
  await browser.open(`/calls/zoom/complete?code=good&state=${state}`);
  await ann.post('/calls/zoom/create');
}
