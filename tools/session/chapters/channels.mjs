// Channels, subscriptions, default channels, channel folders, user groups.

export async function channels(session) {
  await subscriptions(session);
  await changes(session);
  await defaults(session);
}

const idOf = async ({ recorder, owner }, name) =>
  (await recorder.peek(owner, '/get_stream_id', { stream: name })).stream_id;

async function subscriptions(session) {
  const { recorder, owner, ann, ben, cleo, gus, nobody } = session;
  recorder.chapter('Channels and subscriptions');
  await nobody.get('/channel_folders');
  await ann.post('/users/me/subscriptions', { subscriptions: [{ name: 'kitchen', description: 'All about *food*' }] });
  session.kitchen = await idOf(session, 'kitchen');
  await ann.post('/users/me/subscriptions', {
    subscriptions: [{ name: 'cellar', description: 'quiet' }],
    invite_only: true,
    history_public_to_subscribers: false,
    principals: [owner.userId, ann.userId, ben.userId],
  });
  session.cellar = await idOf(session, 'cellar');
  await ann.post('/channels/create', {
    name: 'attic',
    description: 'old',
    subscribers: [owner, ann, cleo].map(({ userId }) => userId),
  });
  await ann.post('/channels/create', { name: 'attic', subscribers: [ann.userId] });
  session.attic = await idOf(session, 'attic');
  await ben.post('/users/me/subscriptions', { subscriptions: [{ name: 'kitchen' }] });
  await ben.post('/users/me/subscriptions', { subscriptions: [{ name: '' }] });
  await owner.post('/users/me/subscriptions', {
    subscriptions: [{ name: 'kitchen' }],
    principals: [cleo.userId, gus.userId],
  });
  await owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'plaza' }], is_web_public: true });
  await owner.patch('/realm', { enable_spectator_access: true });
  await owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'plaza' }], is_web_public: true });
  session.plaza = await idOf(session, 'plaza');
  await ann.get('/streams');
  await owner.get('/streams', { include_all: true, include_default: true });
  await gus.get('/streams', { include_public: false });
  await gus.get('/streams', { include_all_active: true });
  await ann.get('/get_stream_id', { stream: 'kitchen' });
  await gus.get('/get_stream_id', { stream: 'cellar' });
  await ann.get(`/streams/${session.cellar}`);
  await cleo.get(`/streams/${session.cellar}`);
  await ann.get(`/streams/${session.kitchen}/members`);
  await cleo.get(`/streams/${session.cellar}/members`);
  await owner.get(`/users/${cleo.userId}/channels`);
  await cleo.get(`/users/${ann.userId}/channels`);
  await owner.get('/users/999/channels');
  await ann.get(`/streams/${session.kitchen}/email_address`);
  await cleo.get(`/streams/${session.cellar}/email_address`);
  await ann.get('/users/me/subscriptions', { include_subscribers: true });
  await ann.get(`/users/${ben.userId}/subscriptions/${session.kitchen}`);
  await cleo.get(`/users/${ben.userId}/subscriptions/${session.cellar}`);
  await ann.post('/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: session.kitchen, property: 'color', value: '#f00f00' }],
  });
  await ann.post('/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: session.kitchen, property: 'shape', value: 'round' }],
  });
  await ann.patch(`/users/me/subscriptions/${session.kitchen}`, { property: 'is_muted', value: true });
  await ann.patch(`/users/me/subscriptions/${session.kitchen}`, { property: 'is_muted', value: false });
  await gus.patch(`/users/me/subscriptions/${session.cellar}`, { property: 'is_muted', value: false });
  await ben.patch('/users/me/subscriptions', { add: [{ name: 'plaza' }], delete: ['kitchen'] });
  await ben.patch('/users/me/subscriptions', { add: [{ name: 'kitchen' }] });
  await ben.patch('/users/me/subscriptions', {});
  await ben.delete('/users/me/subscriptions', { subscriptions: ['plaza'] });
  await ben.delete('/users/me/subscriptions', { subscriptions: ['no such channel'] });
  await cleo.delete('/users/me/subscriptions', { subscriptions: ['kitchen'], principals: [ben.userId] });
}

async function changes(session) {
  const { recorder, owner, ann, ben, cleo, gus } = session;
  recorder.chapter('Changes of channels');
  await owner.patch(`/streams/${session.attic}`, { new_name: 'loft', description: 'under the *roof*' });
  await gus.patch(`/streams/${session.attic}`, { new_name: 'mine' });
  await owner.patch(`/streams/${session.attic}`, { is_private: true, history_public_to_subscribers: true });
  await owner.patch(`/streams/${session.attic}`, { is_private: false });
  await owner.patch(`/streams/${session.attic}`, {
    can_send_message_group: { new: 2 },
    topics_policy: 'disable_empty_topic',
  });
  await owner.patch(`/streams/${session.attic}`, {
    can_send_message_group: { new: 6 },
    message_retention_days: 'unlimited',
  });
  await owner.patch(`/streams/${session.attic}`, {
    can_administer_channel_group: { new: { direct_members: [cleo.userId], direct_subgroups: [] } },
  });
  await ann.post('/channels/create', { name: 'shed', subscribers: [ann.userId, ben.userId] });
  const shed = await idOf(session, 'shed');
  await ben.delete(`/streams/${shed}`);
  await owner.delete(`/streams/${shed}`);
  await owner.patch(`/streams/${shed}`, { is_archived: false });
  await owner.delete(`/streams/${shed}`);
}

async function defaults(session) {
  const { recorder, owner, ann } = session;
  recorder.chapter('Default channels');
  await owner.post('/default_streams', { stream_id: session.kitchen });
  await ann.post('/default_streams', { stream_id: session.kitchen });
  await owner.delete('/default_streams', { stream_id: session.kitchen });
  await owner.delete('/default_streams', { stream_id: session.kitchen });
  const group = { group_name: 'house', description: 'all rooms', stream_names: ['loft'] };
  await owner.post('/default_stream_groups/create', group);
  await owner.post('/default_stream_groups/create', group);
  const path = '/default_stream_groups/1';
  await owner.patch(path, { new_group_name: 'home', new_description: 'rooms' });
  await owner.patch(path, {});
  await owner.patch(`${path}/streams`, { op: 'add', stream_names: ['plaza'] });
  await owner.patch(`${path}/streams`, { op: 'add', stream_names: ['plaza'] });
  await owner.delete(path);
  await owner.delete(path);

  recorder.chapter('Channel folders');
  const { channel_folder_id: first } = await owner.post('/channel_folders/create', {
    name: 'rooms',
    description: '**all**',
  });
  await owner.post('/channel_folders/create', { name: 'rooms', description: '' });
  const { channel_folder_id: second } = await owner.post('/channel_folders/create', {
    name: 'garden',
    description: '',
  });
  await owner.patch(`/channel_folders/${first}`, { name: 'the rooms' });
  await ann.patch(`/channel_folders/${first}`, { name: 'mine' });
  await owner.patch('/channel_folders', { order: [second, first] });
  await owner.patch('/channel_folders', { order: [second] });
  await owner.patch(`/streams/${session.kitchen}`, { folder_id: first });
  await owner.patch(`/channel_folders/${first}`, { is_archived: true });
  await owner.patch(`/channel_folders/${second}`, { is_archived: true });
  await ann.get('/channel_folders', { include_archived: true });

  await groups(session);
}

async function groups({ recorder, owner, ann, ben, cleo, gus }) {
  recorder.chapter('User groups');
  const cooks = { name: 'cooks', description: 'who cook', members: [ann.userId, ben.userId] };
  const { group_id } = await ann.post('/user_groups/create', cooks);
  await ann.post('/user_groups/create', cooks);
  const { group_id: sub } = await ann.post('/user_groups/create', {
    name: 'bakers',
    description: '',
    members: [cleo.userId],
  });
  const path = `/user_groups/${group_id}`;
  await ann.get('/user_groups', { include_deactivated_groups: true });
  await ann.patch(path, { name: 'chefs', description: 'cook *well*', can_mention_group: { new: 5, old: 6 } });
  await ben.patch(path, { name: 'mine' });
  await ann.post(`${path}/members`, { add: [gus.userId], delete: [ben.userId] });
  await ann.post(`${path}/members`, { add: [gus.userId] });
  await ann.post(`${path}/subgroups`, { add: [sub] });
  await ann.post(`/user_groups/${sub}/subgroups`, { add: [group_id] });
  await ben.get(`${path}/members`);
  await ben.get('/user_groups/999/members');
  await ben.get(`${path}/subgroups`);
  await ben.get('/user_groups/999/subgroups');
  await ben.get(`${path}/members/${cleo.userId}`);
  await ben.get(`${path}/members/999`);
  await ann.post(`/user_groups/${sub}/deactivate`);
  await ann.post(`${path}/subgroups`, { delete: [sub] });
  await ann.post(`/user_groups/${sub}/deactivate`);
  await owner.patch(`/user_groups/${sub}`, { deactivated: false });
}
