// Settings of the organization and its lists, custom emoji, icon and logo, exports.
import { PIXEL, SQUARE } from './pictures.mjs';

export async function organization(session) {
  const { recorder, owner, ann, nobody, kitchen } = session;
  recorder.chapter('Settings of the organization');
  await owner.patch('/realm', { name: 'The House', description: 'Where *we* live', waiting_period_threshold: 3 });
  await ann.patch('/realm', { name: 'Mine' });
  await owner.patch('/realm', { message_content_edit_limit_seconds: 0 });
  await owner.patch('/realm', {
    can_create_public_channel_group: { new: 5 },
    new_stream_announcements_stream_id: kitchen,
  });
  await owner.patch('/realm', { zulip_update_announcements_stream_id: kitchen, default_language: 'fr' });
  await owner.patch('/realm', { waiting_period_threshold: 0 });
  await owner.post('/realm/test_welcome_bot_custom_message', { welcome_message_custom_text: 'Welcome *home*' });
  await ann.post('/realm/test_welcome_bot_custom_message', { welcome_message_custom_text: 'x' });

  recorder.chapter('Lists of the organization');
  const linkifier = { pattern: '#(?P<id>[0-9]+)', url_template: 'https://example.test/{id}' };
  const { id: first } = await owner.post('/realm/filters', linkifier);
  const { id: second } = await owner.post('/realm/filters', { ...linkifier, pattern: 'TR-(?P<id>[0-9]+)' });
  await owner.post('/realm/linkifiers/try', { ...linkifier, content: 'see #12' });
  await owner.post('/realm/filters', { ...linkifier, pattern: '#(' });
  await owner.patch(`/realm/filters/${first}`, { ...linkifier, pattern: 'ticket(?P<id>[0-9]+)' });
  await owner.patch('/realm/filters/9999', linkifier);
  await owner.patch('/realm/linkifiers', { ordered_linkifier_ids: [second, first] });
  await owner.patch('/realm/linkifiers', { ordered_linkifier_ids: [first] });
  await ann.get('/realm/linkifiers');
  await ann.get('/realm/filters');
  await ann.send('kitchen', 'TR-7', 'see TR-8 and ticket9');
  await owner.delete(`/realm/filters/${first}`);
  await owner.delete(`/realm/filters/${first}`);
  await owner.post('/realm/domains', { domain: 'friends.example', allow_subdomains: false });
  await owner.post('/realm/domains', { domain: 'friends.example', allow_subdomains: false });
  await ann.get('/realm/domains');
  await owner.patch('/realm/domains/friends.example', { allow_subdomains: true });
  await owner.patch('/realm/domains/unknown.example', { allow_subdomains: true });
  await owner.delete('/realm/domains/friends.example');
  await owner.delete('/realm/domains/friends.example');
  const playground = { name: 'Try it', pygments_language: 'Python', url_template: 'https://example.test/?code={code}' };
  const { id } = await owner.post('/realm/playgrounds', playground);
  await owner.post('/realm/playgrounds', { ...playground, url_template: 'https://example.test/' });
  await owner.delete(`/realm/playgrounds/${id}`);
  await owner.delete(`/realm/playgrounds/${id}`);

  recorder.chapter('Pictures of the organization');
  await owner.upload('/realm/emoji/sun', ['sun.png', PIXEL]);
  await owner.upload('/realm/emoji/sun', ['sun.png', PIXEL]);
  const { emoji } = await ann.get('/realm/emoji');
  await nobody.get(`SERVER${emoji['1'].source_url}`);
  await nobody.get('SERVER/user_avatars/1/emoji/images/none.png');
  await ann.post(`/messages/${session.soup}/reactions`, { emoji_name: 'sun' });
  await owner.delete('/realm/emoji/sun');
  await owner.delete('/realm/emoji/moon');
  for (const place of ['icon', 'logo']) {
    await owner.upload(`/realm/${place}`, ['picture.gif', SQUARE]);
    await owner.upload(`/realm/${place}`, ['picture.txt', 'no picture']);
    await owner.get(`/realm/${place}`);
    await ann.delete(`/realm/${place}`);
    await owner.delete(`/realm/${place}`);
  }

  recorder.chapter('Exports');
  await owner.post('/export/realm', { export_type: 1 });
  await owner.post('/export/realm', { export_type: 9 });
  const made = async () => (await recorder.peek(owner, '/export/realm')).exports.every(({ pending }) => !pending);
  await recorder.until('the export is made', made);
  const { exports } = await owner.get('/export/realm');
  await owner.get('/export/realm/consents');
  await owner.delete(`/export/realm/${exports[0].id}`);
  await owner.delete('/export/realm/9999');
  await nobody.get('SERVER/static/emoji.json');
  await nobody.get('SERVER/compatibility');
}
