// Sending, changing, moving, deleting, reactions, flags, polls, typing.

const newest = { anchor: 'newest', num_before: 100, num_after: 0 };
const is = (operator, operand, negated = false) => ({ operator, operand, negated });

export async function messages(session) {
  await sending(session);
  await changing(session);
  await reading(session);
  await flags(session);
  await deleting(session);
}

async function sending(session) {
  const { recorder, owner, ann, ben, cleo, gus, bot } = session;
  recorder.chapter('Sending');
  const soup = await ann.send('kitchen', 'soup', 'Who likes **soup**? :smile: https://example.test/');
  await ben.send('kitchen', 'soup', '@**Ann Archer** I do, with `salt` and @*chefs*');
  await ann.send('kitchen', '', 'without a topic');
  await ann.send('kitchen', 'soup', '@**all** dinner is ready\n\n```quote\nlong ago\n```');
  await ann.send('cellar', 'wine', '@**topic** red or white?');
  await bot.post('/messages', { type: 'stream', to: 'plaza', topic: 'bot', content: 'beep #**kitchen>soup**' });
  await ann.sendTo([ben], 'Hello, *Ben*');
  await ben.sendTo([ann, cleo], 'Hello both <time:2026-01-05T12:00:00Z>');
  await ann.sendTo([ann], '/me thinks $$x^2$$');
  await ann.post('/messages', { type: 'direct', to: [ben.email], content: 'by address', local_id: '7.01' });
  await ann.send('nowhere', 'soup', 'lost');
  await ann.post('/messages', { type: 'channel', to: 'kitchen', content: '' });
  await gus.send('cellar', 'wine', 'not for me');
  await ann.post('/messages', { type: 'direct', to: [9999], content: 'nobody' });
  await owner.send('general', 'welcome', 'Good morning, a@b.example');
  session.soup = soup;
  await ann.post('/messages/render', { content: '# Title\n* one\n* two\n||secret||' });
  await ann.post('/messages/render');

  recorder.chapter('Polls and typing');
  const poll = await ann.send('kitchen', 'polls', '/poll Lunch?\nsoup\nsalad');
  const vote = JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 });
  await ben.post('/submessage', { message_id: poll, msg_type: 'widget', content: vote });
  await ben.post('/submessage', { message_id: poll, msg_type: 'widget', content: 'no json' });
  await ann.send('kitchen', 'polls', '/todo Week\neggs: a dozen\nmilk');
  await ann.post('/typing', { op: 'start', to: [ben.userId] });
  await ann.post('/typing', { op: 'stop', to: [ben.userId] });
  await ann.post('/typing', { op: 'start', to: [9999] });
  const { messages: found } = await recorder.peek(ann, '/messages', { anchor: 'newest', num_before: 1, num_after: 0 });
  const last = found[0].id;
  await ann.post(`/messages/${last}/typing`, { op: 'start' });
  await ann.post(`/messages/${last}/typing`, { op: 'stop' });
  await ben.post(`/messages/${last}/typing`, { op: 'start' });
}

async function changing(session) {
  const { recorder, owner, ann, ben, cleo, gus, kitchen } = session;
  recorder.chapter('Editing and moving');
  const id = await ann.send('kitchen', 'cake', 'Chocolate');
  await ann.patch(`/messages/${id}`, { content: 'Chocolate, @**Cleo Cole**' });
  await ben.patch(`/messages/${id}`, { content: 'Vanilla' });
  await ann.patch(`/messages/${id}`, { content: 'Cheese', prev_content_sha256: 'a'.repeat(64) });
  await ben.send('kitchen', 'cake', 'With cream');
  await cleo.send('kitchen', 'cake', 'Without');
  await ann.patch(`/messages/${id}`, {
    topic: 'tart',
    propagate_mode: 'change_all',
    send_notification_to_new_thread: true,
  });
  await owner.patch(`/messages/${id}`, { topic: '✔ tart', propagate_mode: 'change_all' });
  await owner.patch(`/messages/${id}`, {
    stream_id: session.cellar,
    topic: 'tart',
    propagate_mode: 'change_later',
    send_notification_to_old_thread: true,
  });
  await owner.patch(`/messages/${id}`, { stream_id: kitchen, propagate_mode: 'change_one' });
  await gus.patch(`/messages/${id}`, { topic: 'mine' });
  await ann.get(`/messages/${id}/history`);
  await gus.get('/messages/9999/history');
  const now = session.server.nowSeconds;
  await ann.get('/past/moments', { stream_id: kitchen, topic: 'cake' });
  await ann.get('/past/messages', { stream_id: kitchen, topic: 'cake', as_of: now });
  await gus.get('/past/messages', { stream_id: session.cellar, topic: 'tart', as_of: now });
  await gus.get('/past/moments', { topic: 'tart' });
  await ben.get('/past/since', { time: now - 3_600 });
  await ben.get('/past/since', { time: 1 });

  recorder.chapter('Reactions');
  await ben.post(`/messages/${id}/reactions`, { emoji_name: 'tada' });
  await ben.post(`/messages/${id}/reactions`, { emoji_name: 'tada' });
  await cleo.post(`/messages/${id}/reactions`, {
    emoji_name: 'octopus',
    emoji_code: '1f419',
    reaction_type: 'unicode_emoji',
  });
  await cleo.post(`/messages/${id}/reactions`, { emoji_name: 'no such emoji' });
  await ben.delete(`/messages/${id}/reactions`, { emoji_name: 'tada' });
  await ben.delete(`/messages/${id}/reactions`, { emoji_name: 'tada' });
  await ann.post(`/messages/${id}/reactions`, { emoji_name: 'zulip' });

  recorder.chapter('Reports');
  await owner.patch('/realm', { moderation_request_channel_id: session.cellar });
  await ben.post(`/messages/${id}/report`, { report_type: 'spam', description: 'too *sweet*' });
  await ben.post(`/messages/${id}/report`, { report_type: 'boring' });
}

async function reading(session) {
  const { recorder, ann, ben, gus, nobody, kitchen, soup } = session;
  recorder.chapter('Reading');
  await ann.get('/messages', { ...newest, allow_empty_topic_name: true });
  const narrows = [
    [is('channel', 'kitchen'), is('topic', 'soup')],
    [is('channel', kitchen), is('search', 'soup')],
    [is('is', 'mentioned')],
    [is('is', 'dm')],
    [is('is', 'unread')],
    [is('is', 'resolved')],
    [is('is', 'followed')],
    [is('in', 'home')],
    [is('has', 'link')],
    [is('has', 'reaction')],
    [is('sender', ann.email)],
    [is('sender', ben.userId, true)],
    [is('dm', [ann.userId])],
    [is('dm-including', ann.userId)],
    [is('channels', 'public')],
    [is('with', soup)],
    [is('near', soup)],
    [is('id', soup + 1)],
    [is('search', 'dinner "is ready"')],
  ];
  for (const narrow of narrows) await ben.get('/messages', { ...newest, narrow, apply_markdown: false });
  await ben.get('/messages', { ...newest, narrow: [is('colour', 'red')] });
  await ben.get('/messages', { anchor: 'first_unread', num_before: 2, num_after: 3 });
  await ben.get('/messages', { anchor: 'oldest', num_before: 0, num_after: 2, client_gravatar: false });
  await gus.get('/messages', { message_ids: Array.from({ length: 20 }, (_, index) => soup + index) });
  await gus.get('/messages', { anchor: 'newest' });
  await ben.get(`/messages/${soup}`);
  await gus.get(`/messages/${soup + 4}`);
  await ben.get('/messages/matches_narrow', { msg_ids: [soup, soup + 1, soup + 2], narrow: [is('search', 'soup')] });
  await ben.get('/messages/matches_narrow', { msg_ids: 'x', narrow: [] });
  await ann.get(`/messages/${soup}/read_receipts`);
  await gus.get(`/messages/${soup + 4}/read_receipts`);
  await ann.get(`/users/me/${kitchen}/topics`);
  await gus.get(`/users/me/${session.cellar}/topics`);
  await nobody.get('/messages', { ...newest, narrow: [is('channels', 'web-public')] });
  await nobody.get('/messages', newest);
  await nobody.post('/register', { fetch_event_types: ['message', 'realm', 'stream', 'realm_user'] });
  await nobody.get('/users');
}

async function flags(session) {
  const { recorder, ben, cleo, gus, kitchen, soup } = session;
  recorder.chapter('Flags');
  await ben.post('/messages/flags', { messages: [soup, soup + 1], op: 'add', flag: 'starred' });
  await ben.post('/messages/flags', { messages: [soup], op: 'add', flag: 'mentioned' });
  await ben.post('/messages/flags', { messages: [soup], op: 'remove', flag: 'starred' });
  await cleo.post('/messages/flags', { messages: [soup, soup + 3], op: 'add', flag: 'read' });
  await ben.post('/messages/flags/narrow', {
    anchor: 'newest',
    num_before: 50,
    num_after: 0,
    narrow: [is('channel', 'kitchen')],
    op: 'add',
    flag: 'collapsed',
  });
  await ben.post('/messages/flags/narrow', {
    anchor: 'newest',
    num_before: 50,
    num_after: 0,
    narrow: [],
    op: 'add',
    flag: 'shiny',
  });
  await ben.post('/mark_topic_as_read', { stream_id: kitchen, topic_name: 'soup' });
  await ben.post('/mark_topic_as_read', { stream_id: kitchen, topic_name: 'no such topic' });
  await ben.post('/mark_stream_as_read', { stream_id: kitchen });
  await gus.post('/mark_stream_as_read', { stream_id: session.cellar });
  await cleo.post('/mark_all_as_read');
  await ben.get('/messages', { ...newest, narrow: [is('is', 'starred')] });
}

async function deleting({ recorder, owner, ann, ben, kitchen }) {
  recorder.chapter('Deleting');
  const [first] = [await ann.send('kitchen', 'oops', 'one'), await ben.send('kitchen', 'oops', 'two')];
  await ben.delete(`/messages/${first}`);
  await owner.delete(`/messages/${first}`);
  await owner.delete(`/messages/${first}`);
  await owner.post(`/streams/${kitchen}/delete_topic`, { topic_name: 'oops' });
  await ben.post(`/streams/${kitchen}/delete_topic`, { topic_name: 'soup' });
  await ann.get(`/messages/${first}`);
}
