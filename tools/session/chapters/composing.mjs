// Drafts, snippets, scheduled messages, reminders, views; mutes, alert words, topic policies.

export async function composing(session) {
  const { recorder, ann, ben, gus, kitchen } = session;
  recorder.chapter('Drafts and snippets');
  const draft = { type: 'stream', to: [kitchen], topic: 'soup', content: 'not yet' };
  const { ids } = await ann.post('/drafts', {
    drafts: [draft, { ...draft, type: 'private', to: [ben.userId], topic: '' }],
  });
  await ann.post('/drafts', { drafts: [{ ...draft, type: 'letter' }] });
  await ann.patch(`/drafts/${ids[0]}`, { draft: { ...draft, content: 'still not' } });
  await ann.patch('/drafts/9999', { draft });
  await ann.get('/drafts');
  await ann.delete(`/drafts/${ids[1]}`);
  await ben.delete(`/drafts/${ids[0]}`);
  const { saved_snippet_id } = await ann.post('/saved_snippets', { title: 'Thanks', content: 'Thank *you*' });
  await ann.post('/saved_snippets', { title: '', content: 'x' });
  await ann.patch(`/saved_snippets/${saved_snippet_id}`, { title: 'Many thanks' });
  await ann.patch('/saved_snippets/9999', { title: 'x' });
  await ann.get('/saved_snippets');
  await ann.post('/saved_snippets', { title: 'Kept', content: 'for the register' });
  await ann.delete(`/saved_snippets/${saved_snippet_id}`);
  await ann.delete(`/saved_snippets/${saved_snippet_id}`);

  recorder.chapter('Views');
  await ann.post('/navigation_views', { fragment: 'narrow/channel/2', is_pinned: true, name: 'Kitchen' });
  await ann.post('/navigation_views', { fragment: 'narrow/channel/2', is_pinned: true, name: 'Kitchen' });
  await ann.patch('/navigation_views/narrow%2Fchannel%2F2', { is_pinned: false });
  await ann.patch('/navigation_views/nowhere', { is_pinned: false });
  await ann.get('/navigation_views');
  await ann.post('/navigation_views', { fragment: 'inbox', is_pinned: false });
  await ann.delete('/navigation_views/narrow%2Fchannel%2F2');
  await ann.delete('/navigation_views/narrow%2Fchannel%2F2');

  await preferences(session);
  await planned(session);
  await gus.get('/drafts');
}

async function preferences({ recorder, ann, ben, cleo, gus, kitchen, cellar }) {
  recorder.chapter('Mutes, words, topics');
  await ann.post('/users/me/alert_words', { alert_words: ['tea', 'Cake'] });
  await ann.post('/users/me/alert_words', { alert_words: 'tea' });
  await ann.delete('/users/me/alert_words', { alert_words: ['cake'] });
  await ann.delete('/users/me/alert_words', { alert_words: 'tea' });
  await ann.get('/users/me/alert_words');
  await ben.send('kitchen', 'tea time', 'Is there tea?');
  await ann.post('/user_topics', { stream_id: kitchen, topic: 'tea time', visibility_policy: 3 });
  await ann.post('/user_topics', { stream_id: kitchen, topic: 'tea time', visibility_policy: 9 });
  await ann.patch('/users/me/subscriptions/muted_topics', { stream_id: kitchen, topic: 'soup', op: 'add' });
  await ann.patch('/users/me/subscriptions/muted_topics', { stream_id: kitchen, topic: 'soup', op: 'add' });
  await gus.post('/user_topics', { stream_id: cellar, topic: 'wine', visibility_policy: 1 });
  await ann.post(`/users/me/muted_users/${cleo.userId}`);
  await ann.post(`/users/me/muted_users/${cleo.userId}`);
  await cleo.send('kitchen', 'tea time', 'Ann does not hear me');
  await ann.delete(`/users/me/muted_users/${cleo.userId}`);
  await ann.delete(`/users/me/muted_users/${cleo.userId}`);
}

async function planned(session) {
  const { recorder, owner, ann, ben, dora, kitchen, soup } = session;
  const soon = () => session.server.nowSeconds + 3_600;
  recorder.chapter('Scheduled messages and reminders');
  const message = { type: 'channel', to: kitchen, topic: 'later', content: 'On *time*' };
  const schedule = (more = {}) =>
    ann.post('/scheduled_messages', { ...message, scheduled_delivery_timestamp: soon(), ...more });
  const { scheduled_message_id: kept } = await schedule();
  const { scheduled_message_id: dropped } = await schedule({ type: 'direct', to: [ben.userId] });
  await schedule({ scheduled_delivery_timestamp: 1 });
  await ann.patch(`/scheduled_messages/${kept}`, { content: 'On *better* time' });
  await ann.patch('/scheduled_messages/9999', { content: 'x' });
  await ann.get('/scheduled_messages');
  await ann.delete(`/scheduled_messages/${dropped}`);
  await ann.delete(`/scheduled_messages/${dropped}`);
  const remind = (message_id, note) =>
    ben.post('/reminders', { message_id, note, scheduled_delivery_timestamp: soon() });
  const { reminder_id } = await remind(soup, 'Buy *salt*');
  const { reminder_id: gone } = await remind(soup + 1, 'never mind');
  await remind(9999, 'nothing');
  await ben.get('/reminders');
  await ben.delete(`/reminders/${gone}`);
  await ben.delete(`/reminders/${gone}`);
  // Nothing is sent for an account that is deactivated by then.
  await dora.post('/scheduled_messages', {
    ...message,
    type: 'direct',
    to: [ben.userId],
    scheduled_delivery_timestamp: soon(),
  });
  const note = await dora.sendTo([ben], 'remember');
  await dora.post('/reminders', { message_id: note, scheduled_delivery_timestamp: soon() });
  await owner.delete(`/users/${dora.userId}`);
  recorder.later(3_700, 'what is due is sent');
  const open = async () => [
    ...(await recorder.peek(ben, '/reminders')).reminders,
    ...(await recorder.peek(ann, '/scheduled_messages')).scheduled_messages,
  ];
  await recorder.until(`reminder ${reminder_id} and message ${kept} are sent`, async () => (await open()).length === 0);
  await owner.post(`/users/${dora.userId}/reactivate`);
  await dora.get('/scheduled_messages');
  await dora.get('/reminders');
  await schedule({ scheduled_delivery_timestamp: soon() + 86_400 });
  await remind(soup + 3, 'for the register');
}
