// Accounts, bots, profiles, avatars, addresses, presence, status.
import { PIXEL, SQUARE } from './pictures.mjs';

export async function people(session) {
  await accounts(session);
  await profiles(session);
  await presence(session);
  await bots(session);
}

async function accounts(session) {
  const { recorder, owner, ann, ben, gus, nobody } = session;
  recorder.chapter('Accounts', { isPatient: true });
  await nobody.get('/server_settings');
  await nobody.get('/users');
  await nobody.post('/fetch_api_key', { username: ann.email, password: 'wrong' });
  await nobody.get('/dev_list_users');
  await nobody.post('/dev_fetch_api_key', { username: ann.email });
  await nobody.post('/dev_fetch_api_key', { username: 'unknown@example.test' });
  await owner.get('/users');
  await ann.get('/users', { client_gravatar: false, user_ids: [ann.userId, ben.userId] });
  await gus.get('/users/me');
  await ann.get(`/users/${ben.userId}`, { include_custom_profile_fields: true });
  await ann.get(`/users/${ben.email}`);
  await ann.get('/users/unknown@example.test');
  await owner.post('/users', { email: ann.email, password: 'another password', full_name: 'Ann Again' });
  await owner.patch(`/users/${ben.userId}`, { full_name: 'Benjamin Baker' });
  await owner.patch(`/users/${ben.email}`, { full_name: 'Ben Baker' });
  await ann.patch(`/users/${ben.email}`, { full_name: 'Bad Name' });
  await owner.patch(`/users/${ben.userId}`, { role: 300 });
  await owner.patch(`/users/${ben.userId}`, { role: 400 });
  await owner.patch(`/users/${owner.userId}`, { role: 400 });
  // She has no queue: her credentials change with the address.
  await owner.patch(`/users/${session.dora.userId}`, { new_email: 'theodora@example.test' });
  await owner.patch(`/users/${session.dora.userId}`, { new_email: 'dora.drake@example.test' });

  recorder.chapter('Accounts that go and come back', { isPatient: true });
  await owner.delete(`/users/${session.dora.userId}`, { deactivation_notification_comment: 'Good bye' });
  await session.dora.get('/users/me');
  await owner.delete(`/users/${owner.userId}`);
  await owner.post(`/users/${session.dora.userId}/reactivate`);
  await ann.post(`/users/${session.dora.userId}/reactivate`);
}

async function profiles({ recorder, owner, ann, ben, nobody }) {
  recorder.chapter('Profiles');
  const { id: motto } = await owner.post('/realm/profile_fields', { field_type: 1, name: 'Motto', hint: 'Short' });
  const choice = JSON.stringify({ a: { text: 'Tea', order: '1' }, b: { text: 'Coffee', order: '2' } });
  const { id: drink } = await owner.post('/realm/profile_fields', { field_type: 3, name: 'Drink', field_data: choice });
  await owner.post('/realm/profile_fields', { field_type: 1, name: 'Motto' });
  await ann.get('/realm/profile_fields');
  await owner.patch('/realm/profile_fields', { order: [drink, motto] });
  await owner.patch('/realm/profile_fields', { order: [drink] });
  await owner.patch(`/realm/profile_fields/${motto}`, {
    name: 'Maxim',
    hint: 'Long',
    display_in_profile_summary: true,
  });
  await ann.patch('/users/me/profile_data', {
    data: [
      { id: motto, value: 'be *kind*' },
      { id: drink, value: 'a' },
    ],
  });
  await ann.patch('/users/me/profile_data', { data: [{ id: drink, value: 'c' }] });
  await ben.get(`/users/${ann.userId}`, { include_custom_profile_fields: true });
  await ann.delete('/users/me/profile_data', { data: [drink] });
  await ann.delete('/users/me/profile_data', { data: [9999] });
  await owner.delete(`/realm/profile_fields/${drink}`);
  await owner.delete(`/realm/profile_fields/${drink}`);

  recorder.chapter('Pictures of users');
  const { avatar_url } = await ann.upload('/users/me/avatar', ['me.png', PIXEL]);
  await ann.upload('/users/me/avatar', ['me.txt', 'no picture']);
  await nobody.get(`SERVER${avatar_url}`);
  await nobody.get('SERVER/user_avatars/1/0123456789abcdef0123456789abcdef.png');
  await ben.get(`SERVER/avatar/${ann.userId}`);
  await ben.get(`SERVER/avatar/${ann.userId}/medium`);
  await ben.get(`SERVER/avatar/${ben.userId}`);
  await nobody.get(`SERVER/avatar/${ann.userId}`);
  await nobody.get(`SERVER/avatar/${ann.userId}/medium`);
  await ann.delete('/users/me/avatar');
  await ann.upload('/users/me/avatar', ['square.png', SQUARE]);
}

async function presence(session) {
  const { recorder, owner, ann, ben } = session;
  recorder.chapter('Presence and status');
  await ann.post('/users/me/presence', {
    status: 'active',
    ping_only: false,
    new_user_input: true,
    last_update_id: -1,
  });
  await ann.post('/users/me/presence', { status: 'asleep' });
  await ben.post('/users/me/presence', { status: 'idle', slim_presence: true, last_update_id: -1 });
  await ben.get(`/users/${ann.userId}/presence`);
  await ben.get(`/users/${ann.email}/presence`);
  await ben.get(`/users/${session.cleo.userId}/presence`);
  await ben.get('/realm/presence');
  await ann.post('/users/me/status', { status_text: 'at lunch', emoji_name: 'smile' });
  await ann.post('/users/me/status', { status_text: 'x'.repeat(61) });
  await owner.post(`/users/${ben.userId}/status`, { status_text: 'back soon' });
  await ann.post(`/users/${ben.userId}/status`, { status_text: 'not mine' });
  await ben.get(`/users/${ann.userId}/status`);
  await ann.post('/users/me/status', { status_text: '' });

  recorder.chapter('Own settings');
  await ann.patch('/settings', { twenty_four_hour_time: true, default_language: 'de', email_address_visibility: 5 });
  await ann.patch('/settings', { color_scheme: 77 });
  await ann.patch('/settings', { full_name: 'Annie Archer' });
  await ann.patch('/settings', { full_name: 'Ann Archer', timezone: 'Asia/Tokyo' });
  await ann.patch('/settings', { old_password: 'wrong', new_password: 'a new long password' });
  await ann.patch('/settings/display', { emojiset: 'text' });
  await ann.patch('/settings/notifications', { enable_sounds: false });
  await ann.patch('/settings/notifications', { enable_sounds: 'loud' });
  await ann.patch('/settings/display', { emojiset: 'none' });
  await ann.patch('/settings', { allow_private_data_export: true, send_read_receipts: true });
  await ann.patch('/settings', { email_address_visibility: 1 });
  await ann.patch('/settings', { email: 'annie@example.test' });
  await session.cleo.patch('/settings', { starred_message_counts: false, enable_sounds: false });
  await session.cleo.patch('/settings', { enable_drafts_synchronization: false });
  await owner.patch('/realm/user_settings_defaults', { twenty_four_hour_time: true });
  await owner.patch('/realm/user_settings_defaults', { color_scheme: 77 });
  await ann.post('/users/me/onboarding_steps', { onboarding_step: 'intro_inbox_view_modal' });
  await ann.post('/users/me/onboarding_steps', { onboarding_step: 'unknown_step' });
  await ann.post('/zcommand', { command: '/dark' });
  await ann.post('/zcommand', { command: '/ping' });
  await ann.post('/zcommand', { command: '/dance' });
}

async function bots(session) {
  const { recorder, owner, ann, ben } = session;
  recorder.chapter('Bots');
  await ann.post('/bots', { full_name: 'Hello Bot', short_name: 'hello' });
  const { user_id, api_key } = await ann.post('/bots', { full_name: 'Helper', short_name: 'helper' });
  await ann.post('/bots', { full_name: 'Helper', short_name: 'helper' });
  await ann.get('/bots');
  const bot = recorder.client('bot', { email: `helper-bot@chat.example.test`, key: api_key, userId: user_id });
  await bot.get('/users/me');
  await ann.upload(`/bots/${user_id}`, ['bot.png', SQUARE], { full_name: 'The Helper' }, 'PATCH');
  await ben.patch(`/bots/${user_id}`, { full_name: 'Not Mine' });
  await bot.put('/bot_storage', { storage: { count: '1', name: 'x' } });
  await bot.put('/bot_storage', { storage: { count: 1 } });
  await bot.get('/bot_storage', { keys: ['count'] });
  await bot.get('/bot_storage', { keys: ['unknown'] });
  await bot.delete('/bot_storage', { keys: ['name'] });
  await bot.delete('/bot_storage', { keys: ['unknown'] });
  await owner.post(`/bots/${user_id}/api_key/regenerate`);
  await ben.post(`/bots/${user_id}/api_key/regenerate`);
  const { api_key: changed } = await ann.post(`/bots/${user_id}/api_key/regenerate`);
  bot.key = changed;
  await owner.patch(`/bots/${user_id}`, { bot_owner_id: ben.userId });
  await owner.patch(`/bots/${user_id}`, { bot_owner_id: ann.userId });
  bot.key = (await ann.post(`/bots/${user_id}/api_key/regenerate`)).api_key;
  const { user_id: short } = await ann.post('/bots', { full_name: 'Shortlived', short_name: 'short' });
  await ben.delete(`/bots/${short}`);
  await ann.delete(`/bots/${short}`);
  session.bot = bot;
  await bot.listen();
}
