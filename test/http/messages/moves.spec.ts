import { expectRefusal, idsOf, messageOf, messagesIn } from '../../support/answers.js';
import type { Answer, ApiClient } from '../../support/client.js';
import { later } from '../../support/later.js';
import { channelOf, startWithPeople } from '../../support/people.js';
import type { TestServer } from '../../support/server.js';
import { withSettings } from '../../support/stories.js';

let server: TestServer;
let owner: ApiClient;
let ann: ApiClient;
let ben: ApiClient;
let cleo: ApiClient;
let hall: number;
let yard: number;

beforeAll(async () => {
  ({ server, owner, ann, ben, cleo } = await startWithPeople());
  owner.userId = (await owner.ok('GET', '/users/me')).user_id;
  hall = await channelOf('hall', ann, ben, cleo);
  yard = await channelOf('yard', ann, ben, cleo);
  await owner.subscribe('hall', 'yard');
});
afterAll(() => server.stop());

const NOBODY = 8;
const DAY = 86_400;
const QUIET = { send_notification_to_new_thread: false, send_notification_to_old_thread: false };
const BULK = { client_capabilities: { bulk_message_deletion: true, empty_topic_name: true } };

const only = (...clients: ApiClient[]): object => ({
  direct_members: clients.map(({ userId }) => userId).sort((a, b) => a - b),
  direct_subgroups: [],
});
const change = (client: ApiClient, id: number, parameters: Record<string, unknown>): Promise<Answer> =>
  client.call('PATCH', `/messages/${id}`, parameters);
const changed = (client: ApiClient, id: number, parameters: Record<string, unknown>): Promise<any> =>
  client.ok('PATCH', `/messages/${id}`, { ...QUIET, ...parameters });
const deleteTopic = (client: ApiClient, channel: number, topic_name: string): Promise<Answer> =>
  client.call('POST', `/streams/${channel}/delete_topic`, { topic_name });
const inTopic = (client: ApiClient, channel: number, topic: string): Promise<any[]> =>
  messagesIn(client, [
    { operator: 'channel', operand: channel },
    { operator: 'topic', operand: topic },
  ]);
const noticesIn = async (client: ApiClient, channel: number, topic: string): Promise<any[]> =>
  (await inTopic(client, channel, topic)).filter(({ sender_full_name }) => sender_full_name === 'Notification Bot');
const send = async (client: ApiClient, topic: string, ...contents: string[]): Promise<number[]> => {
  const ids: number[] = [];
  for (const content of contents) ids.push(await client.send('hall', topic, content));
  return ids;
};
/** Other settings while the story lasts. */
const under = (
  settings: Record<string, unknown>,
  usual: Record<string, unknown>,
  story: () => Promise<void>,
): Promise<void> => withSettings(owner, settings, usual, story);

describe('who may', () => {
  const everyone = { new: 6 };
  const members = { new: 5 };
  const administrators = { new: 2 };
  /** The permission, what it is usually, and what one must hold it for. */
  const rows: [string, object, (client: ApiClient, id: number) => Promise<Answer>][] = [
    [
      'can_move_messages_between_topics_group',
      everyone,
      (client, id) => change(client, id, { topic: `to ${id}`, ...QUIET }),
    ],
    [
      'can_move_messages_between_channels_group',
      members,
      (client, id) => change(client, id, { stream_id: yard, ...QUIET }),
    ],
    ['can_resolve_topics_group', everyone, (client, id) => change(client, id, { topic: `✔ perm ${id}`, ...QUIET })],
    ['can_delete_any_message_group', administrators, (client, id) => client.call('DELETE', `/messages/${id}`)],
  ];
  const sent = async (): Promise<number> => {
    const id = await ann.send('hall', 'to be named', 'x');
    await changed(owner, id, { topic: `perm ${id}` });
    return id;
  };

  test.each(rows)('%s, in the organization', async (name, usual, attempt) => {
    await under({ [name]: { new: only(ben) } }, { [name]: usual }, async () => {
      expect((await attempt(ben, await sentBy(owner))).status).toBe(200);
      expectRefusal(await attempt(cleo, await sentBy(owner)), 'BAD_REQUEST');
    });
    async function sentBy(mover: ApiClient): Promise<number> {
      if (name !== 'can_move_messages_between_topics_group') return sent();
      return mover.send('hall', `perm ${name}`, 'x');
    }
  });

  test.each<[string, string, object, (client: ApiClient, id: number) => Promise<Answer>]>([
    [
      'can_move_messages_within_channel_group',
      'can_move_messages_between_topics_group',
      everyone,
      (client, id) => change(client, id, { topic: 'elsewhere', ...QUIET }),
    ],
    [
      'can_move_messages_out_of_channel_group',
      'can_move_messages_between_channels_group',
      members,
      (client, id) => change(client, id, { stream_id: hall, ...QUIET }),
    ],
    [
      'can_resolve_topics_group',
      'can_resolve_topics_group',
      everyone,
      (client, id) => change(client, id, { topic: '✔ begin', ...QUIET }),
    ],
    [
      'can_delete_any_message_group',
      'can_delete_any_message_group',
      administrators,
      (client, id) => client.call('DELETE', `/messages/${id}`),
    ],
  ])('%s, in a channel', async (inChannel, inRealm, usual, attempt) => {
    const name = `own rules ${inChannel}`;
    await owner.ok('POST', '/users/me/subscriptions', {
      subscriptions: [{ name }],
      principals: [owner, ann, ben, cleo].map(({ userId }) => userId),
      [inChannel]: only(ben),
    });
    await under({ [inRealm]: { new: NOBODY } }, { [inRealm]: usual }, async () => {
      expectRefusal(await attempt(cleo, await ann.send(name, 'begin', 'x')), 'BAD_REQUEST');
      expect((await attempt(ben, await ann.send(name, 'begin', 'x'))).status).toBe(200);
    });
  });

  test('can_delete_own_message_group', async () => {
    await under(
      { can_delete_own_message_group: { new: only(ben) } },
      { can_delete_own_message_group: everyone },
      async () => {
        const [id] = await send(ann, 'own', 'x');
        expectRefusal(await ann.call('DELETE', `/messages/${id}`), 'BAD_REQUEST');
        await ben.ok('DELETE', `/messages/${await ben.send('hall', 'own', 'x')}`);
      },
    );
  });

  test('edits are refused while editing is off; moves are not', async () => {
    const [id] = await send(ann, 'no edits', 'x');
    await under({ allow_message_editing: false }, { allow_message_editing: true }, async () => {
      for (const client of [ann, owner]) expectRefusal(await change(client, id!, { content: 'y' }), 'BAD_REQUEST');
      await changed(ann, id!, { topic: 'no edits, moved' });
    });
  });

  test('mention a crowd, in an edit as in a message', async () => {
    const crowd = await Promise.all(Array.from({ length: 16 }, () => server.user()));
    await channelOf('crowd', ann, ben, ...crowd);
    const id = await ann.send('crowd', 't', 'quietly');
    expectRefusal(await change(ann, id, { content: '@**all**' }), 'STREAM_WILDCARD_MENTION_NOT_ALLOWED');
    await under(
      { can_mention_many_users_group: { new: only(ann) } },
      { can_mention_many_users_group: administrators },
      async () => {
        await changed(ann, id, { content: '@**all**' });
      },
    );
    expect((await messageOf(ben, id)).flags).toContain('stream_wildcard_mentioned');
    await changed(ann, id, { content: 'quietly' });
    expect((await messageOf(ben, id)).flags).not.toContain('stream_wildcard_mentioned');
  });

  test('a poll is voted on, and not edited', async () => {
    const [id] = await send(ann, 'poll', '/poll lunch?\nyes\nno');
    expectRefusal(await change(ann, id!, { content: '/poll dinner?' }), 'BAD_REQUEST');
    await changed(ann, id!, { topic: 'polls' });
  });

  test('use only the topics that the destination allows', async () => {
    for (const [name, topics_policy, topic] of [
      ['named', 'disable_empty_topic', ''],
      ['unnamed', 'empty_topic_only', 'x'],
    ]) {
      await ann.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }], topics_policy });
      const stream_id = (await ann.ok('GET', '/get_stream_id', { stream: name })).stream_id;
      const [id] = await send(ann, 'allowed here', 'x');
      const refused = expectRefusal(await change(ann, id!, { stream_id, topic, ...QUIET }), 'BAD_REQUEST');
      expect(refused.empty_topic_display_name).toBe('general chat');
    }
    const [id] = await send(ann, 'allowed here', 'x');
    await under({ topics_policy: 'disable_empty_topic' }, { topics_policy: 'allow_empty_topic' }, async () => {
      expectRefusal(await change(ann, id!, { topic: '' }), 'BAD_REQUEST');
    });
  });
});

describe('in time', () => {
  test.each<[string, Record<string, unknown>, (id: number) => Promise<Answer>, boolean]>([
    ['content', { message_content_edit_limit_seconds: 100 }, (id) => change(ann, id, { content: 'y' }), true],
    [
      'topic',
      { move_messages_within_stream_limit_seconds: 100 },
      (id) => change(ann, id, { topic: `t${id}`, ...QUIET }),
      false,
    ],
    [
      'channel',
      { move_messages_between_streams_limit_seconds: 100 },
      (id) => change(ann, id, { stream_id: yard, ...QUIET }),
      false,
    ],
    [
      'own messages',
      // Without the grace that edits and moves have.
      { message_content_delete_limit_seconds: 120 },
      (id) => ann.call('DELETE', `/messages/${id}`),
      false,
    ],
  ])('%s', async (_, limit, attempt) => {
    const usual = Object.fromEntries(
      Object.keys(limit).map((name) => [name, name.startsWith('message_content') ? 600 : 7 * DAY]),
    );
    const unlimited = Object.fromEntries(Object.keys(limit).map((name) => [name, 'unlimited']));
    await under(limit, usual, async () => {
      const [young, old] = await send(ann, 'limits', 'x', 'x');
      await later(90, async () => expect((await attempt(young!)).status).toBe(200));
      await later(130, async () => {
        expectRefusal(await attempt(old!), 'BAD_REQUEST');
        await owner.ok('PATCH', '/realm', unlimited);
        expect((await attempt(old!)).status).toBe(200);
      });
    });
  });

  test('a whole topic that is partly too old says what may be moved, and that much can be', async () => {
    const old = await send(ann, 'ages', 'old', 'older');
    await later(8 * DAY, async () => {
      const young = await send(ann, 'ages', 'new', 'newer');
      const all = { topic: 'moved ages', propagate_mode: 'change_all', ...QUIET };
      const refused = expectRefusal(await change(ben, young[0]!, all), 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED');
      expect(refused).toMatchObject({
        first_message_id_allowed_to_move: young[0],
        total_messages_allowed_to_move: 2,
        total_messages_in_topic: 4,
      });
      expectRefusal(await change(ben, old[0]!, all), 'BAD_REQUEST');
      await changed(ben, refused.first_message_id_allowed_to_move, { ...all, propagate_mode: 'change_later' });
      expect(idsOf(await inTopic(ben, hall, 'moved ages'))).toEqual(young);
      expect(idsOf(await inTopic(ben, hall, 'ages'))).toEqual(old);
      // Moderators and above are bound by none of it.
      await changed(owner, old[0]!, all);
      expect(idsOf(await inTopic(ben, hall, 'moved ages'))).toEqual([...old, ...young]);
    });
  });

  test('the strictest limit counts', async () => {
    const [old] = await send(ann, 'strict', 'x');
    await under(
      { move_messages_within_stream_limit_seconds: 'unlimited' },
      { move_messages_within_stream_limit_seconds: 7 * DAY },
      () =>
        later(8 * DAY, async () => {
          expectRefusal(await change(ann, old!, { topic: 'x', stream_id: yard, ...QUIET }), 'BAD_REQUEST');
          await changed(ann, old!, { topic: 'x' });
        }),
    );
  });
});

describe('protected history', () => {
  test('moves, counts and deletes what the actor sees of it', async () => {
    const name = 'archive';
    // Members may not say who deletes messages.
    await owner.ok('POST', '/users/me/subscriptions', {
      subscriptions: [{ name }],
      invite_only: true,
      history_public_to_subscribers: false,
      can_delete_any_message_group: only(ben),
      principals: [ann.userId],
    });
    const { stream_id } = await ann.ok('GET', '/get_stream_id', { stream: name });
    const before = [await ann.send(name, 'talk', '1'), await ann.send(name, 'talk', '2')];
    await ann.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals: [ben.userId] });
    const after = [await ann.send(name, 'talk', '3'), await ann.send(name, 'talk', '4')];
    const told = { send_notification_to_new_thread: true };
    await changed(ben, after[1]!, { topic: 'talk on', propagate_mode: 'change_all', ...told });
    const [notice] = await noticesIn(ann, stream_id, 'talk on');
    // It says nothing of the messages that he does not see.
    expect(notice.content).toMatch(/^<p>This topic was moved here from /);
    await ben.ok('DELETE', `/messages/${notice.id}`);
    expect(idsOf(await inTopic(ann, stream_id, 'talk on'))).toEqual(after);
    expect(idsOf(await inTopic(ann, stream_id, 'talk'))).toEqual(before);
    await changed(ann, before[0]!, { topic: 'talk on', propagate_mode: 'change_all' });
    expect((await deleteTopic(ben, stream_id, 'talk on')).body.complete).toBe(true);
    expect(idsOf(await inTopic(ann, stream_id, 'talk on'))).toEqual(before);
    const [oldest] = await messagesIn(ann, [{ operator: 'channel', operand: stream_id }]);
    expect(oldest.id).toBe(before[0]);
  });
});

test('protected history: a move tells the flags of the first message that the recipient sees', async () => {
  const parameters = { subscriptions: [{ name: 'vestry' }], invite_only: true, history_public_to_subscribers: false };
  await ann.ok('POST', '/users/me/subscriptions', parameters);
  const early = await ann.send('vestry', 'old', 'early');
  await ann.ok('POST', '/users/me/subscriptions', { ...parameters, principals: [ben.userId] });
  const late = await ann.send('vestry', 'old', 'late');
  await ben.ok('POST', '/messages/flags', { messages: [late], op: 'add', flag: 'read' });
  await ben.ok('POST', '/messages/flags', { messages: [late], op: 'add', flag: 'starred' });
  const queue = await ben.register({ event_types: ['update_message'] });
  await changed(ann, early, { topic: 'new', propagate_mode: 'change_all' });
  expect(await queue.pending()).toMatchObject([
    { message_id: late, message_ids: [late], flags: ['read', 'starred'], subject: 'new' },
  ]);
});

test('clients that do not know archived channels learn what left one before it was archived, and what is unread of it', async () => {
  const closing = await channelOf('a club that ends', ann, ben);
  const [gone, stays] = [await ann.send(closing, 'plans', 'goes on'), await ann.send(closing, 'rest', 'ends here')];
  const queue = await ben.register({ event_types: ['update_message', 'delete_message', 'stream'] });
  await changed(ann, gone, { stream_id: yard, topic: 'plans of the club' });
  await changed(ann, stays, { topic: 'other' });
  await ann.ok('DELETE', `/streams/${closing}`);
  const events = (await queue.pending()).filter(({ op }) => op !== 'update');
  expect(events.map(({ type, op, message_ids }) => [type, op ?? message_ids])).toEqual([
    ['update_message', [gone]],
    ['stream', 'delete'],
  ]);
  expect(events[0]).toMatchObject({ stream_id: closing, new_stream_id: yard, subject: 'plans of the club' });
  const { streams } = (await ben.register()).state.unread_msgs!;
  expect(streams).toContainEqual({ stream_id: yard, topic: 'plans of the club', unread_message_ids: [gone] });
});

describe('what topics are told', () => {
  test('a message, several, or all of them', async () => {
    const both = { send_notification_to_old_thread: true, send_notification_to_new_thread: true };
    for (const [propagate_mode, here, there] of [
      [
        'change_one',
        /^<p>A message was moved from this topic to /,
        /^<p><a href="[^"]+">A message<\/a> was moved here from /,
      ],
      ['change_later', /^<p>2 messages were moved from this topic to /, /^<p>2 messages were moved here from /],
      ['change_all', /^<p>This topic was moved to /, /^<p>This topic was moved here from /],
    ] as const) {
      const ids = await send(ann, `told ${propagate_mode}`, '1', '2', '3');
      await change(ben, ids[1]!, { topic: `new ${propagate_mode}`, propagate_mode, ...both });
      const [from] = await noticesIn(ann, hall, `told ${propagate_mode}`);
      const [to] = await noticesIn(ann, hall, `new ${propagate_mode}`);
      expect(from.content).toMatch(here);
      expect(from.content).toContain(`#hall &gt; new ${propagate_mode}</a>`);
      expect(to.content).toMatch(there);
      expect(to.content).toContain(`#hall &gt; told ${propagate_mode}</a>`);
    }
  });

  test('that all of them moved, whenever nothing is left, and only then', async () => {
    const both = { send_notification_to_old_thread: true, send_notification_to_new_thread: true };
    const isWhole = ({ content }: { content: string }): boolean => content.startsWith('<p>This topic was moved ');
    const told = async (client: ApiClient, id: number, topic: string, parameters: object): Promise<boolean[]> => {
      await change(client, id, { topic: `${topic}, moved`, ...parameters, ...both });
      const notices = [...(await noticesIn(ann, hall, topic)), ...(await noticesIn(ann, hall, `${topic}, moved`))];
      return notices.map(isWhole);
    };
    const [first] = await send(ann, 'from its first', '1', '2');
    expect(await told(ben, first!, 'from its first', { propagate_mode: 'change_later' })).toEqual([true, true]);
    const [only] = await send(ann, 'its only', '1');
    expect(await told(ben, only!, 'its only', {})).toEqual([true, true]);
    const [case_] = await send(ann, 'case', '1', '2');
    await change(ben, case_!, { topic: 'CASE', propagate_mode: 'change_all', send_notification_to_new_thread: true });
    expect((await noticesIn(ann, hall, 'CASE')).map(isWhole)).toEqual([true]);
  });

  test('names that are no plain text are linked as well', async () => {
    const topic = 'a*b `c` [d](e) <f> > g';
    const [id] = await send(ann, topic, '1');
    await change(ben, id!, { topic: 'plain', send_notification_to_new_thread: true });
    const [notice] = await noticesIn(ann, hall, 'plain');
    expect(notice.content).toContain('#hall &gt; a*b `c` [d](e) &lt;f&gt; &gt; g</a>');
    expect(notice.content).toMatch(/href="\/#narrow\/channel\/\d+-hall\/topic\/a\.2Ab/);
  });

  test('that messages joined others, also when nothing is left of their topic', async () => {
    const both = { send_notification_to_old_thread: true, send_notification_to_new_thread: true };
    await send(ann, 'joined', 'there before');
    const [only_] = await send(ann, 'joins alone', '1');
    await change(ben, only_!, { topic: 'Joined', propagate_mode: 'change_all', ...both });
    const [first] = await send(ann, 'joins in two', '1', '2');
    await change(ben, first!, { topic: 'joined', propagate_mode: 'change_all', ...both });
    expect((await noticesIn(ann, hall, 'joined')).map(({ content }) => content)).toEqual([
      expect.stringMatching(/^<p><a href="[^"]+">A message<\/a> was moved here from /),
      expect.stringMatching(/^<p>2 messages were moved here from /),
    ]);
    for (const topic of ['joins alone', 'joins in two'])
      expect((await noticesIn(ann, hall, topic)).map(({ content }) => content)).toEqual([
        expect.stringMatching(/^<p>This topic was moved to /),
      ]);
  });

  test('where a resolved topic is found, in the old one, when asked', async () => {
    const [id] = await send(ann, 'signposted', 'x');
    const asked = { send_notification_to_old_thread: true, send_notification_to_new_thread: true };
    await change(ben, id!, { topic: '✔ signposted', propagate_mode: 'change_all', ...asked });
    const told = async (topic: string): Promise<string[]> =>
      (await noticesIn(ann, hall, topic)).map(({ content }) => content);
    expect(await told('signposted')).toEqual([
      expect.stringMatching(/^<p>This topic was moved to .*✔ signposted<\/a> by /),
    ]);
    expect(await told('✔ signposted')).toEqual([expect.stringContaining('has marked this topic as resolved.')]);
  });

  test('of a private channel, with links within it', async () => {
    const principals = [ann.userId, ben.userId];
    await ann.ok('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'snug' }],
      principals,
      invite_only: true,
    });
    const snug = (await ann.ok('GET', '/get_stream_id', { stream: 'snug' })).stream_id;
    const id = await ann.send('snug', 'here', 'x');
    await change(ann, id, { topic: 'there', send_notification_to_old_thread: true });
    for (const [topic, other] of [
      ['here', 'there'],
      ['there', 'here'],
    ] as const) {
      const [notice] = await noticesIn(ben, snug, topic);
      expect(notice.content).toContain(`<a class="stream-topic" data-stream-id="${snug}" href=`);
      expect(notice.content).toContain(`>#snug &gt; ${other}</a>`);
    }
  });

  test('read to whoever moved or resolved them', async () => {
    const [id] = await send(ann, 'matter', 'help!');
    await send(ben, 'matter', 'yes');
    const queue = await ann.register({ ...BULK, event_types: ['message', 'update_message_flags'] });
    await change(ann, id!, {
      topic: 'other matter',
      propagate_mode: 'change_all',
      send_notification_to_old_thread: true,
    });
    await change(ann, id!, { topic: '✔ other matter', propagate_mode: 'change_all' });
    expect((await queue.pending()).map(({ type, flags }) => [type, flags])).toEqual([
      ['message', ['read']],
      ['message', ['read']],
      ['message', ['read']],
    ]);
    const unread = (client: ApiClient, topic: string): Promise<any[]> =>
      noticesIn(client, hall, topic).then((notices) => notices.filter(({ flags }) => !flags.includes('read')));
    expect(await unread(ann, '✔ other matter')).toEqual([]);
    expect(await unread(ben, '✔ other matter')).toHaveLength(2);
  });

  test('that they are resolved: those who took part have it unread, and an undo takes it back', async () => {
    const [id] = await send(ann, 'issue', 'help!');
    await cleo.ok('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' });
    await change(ben, id!, { topic: '✔ issue', propagate_mode: 'change_all' });
    const [notice] = await noticesIn(ann, hall, '✔ issue');
    expect(notice.content).toContain('has marked this topic as resolved.');
    const unread = async (client: ApiClient): Promise<boolean> =>
      !(await messageOf(client, notice.id)).flags.includes('read');
    expect([await unread(ann), await unread(cleo), await unread(ben), await unread(owner)]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    const queue = await ann.register({ ...BULK, event_types: ['update_message', 'delete_message'] });
    await change(ben, id!, { topic: 'issue', propagate_mode: 'change_all' });
    expect(await noticesIn(ann, hall, 'issue')).toEqual([]);
    expect((await queue.pending()).map(({ type, message_ids }) => [type, message_ids])).toEqual([
      ['update_message', [id, notice.id]],
      ['delete_message', [notice.id]],
    ]);
    await later(120, async () => {
      await change(ben, id!, { topic: '✔ issue', propagate_mode: 'change_all' });
    });
    await later(240, async () => {
      await change(ben, id!, { topic: 'issue', propagate_mode: 'change_all' });
    });
    expect((await noticesIn(ann, hall, 'issue')).map(({ content }) => /as (\w+)\./.exec(content)?.[1])).toEqual([
      'resolved',
      'unresolved',
    ]);
  });

  test('that another message went to the resolved topic takes back nothing', async () => {
    const ids = await send(ann, 'apart', 'one', 'two');
    for (const [index, client] of [ann, ben].entries()) await change(client, ids[index]!, { topic: '✔ apart' });
    const notices = await noticesIn(ann, hall, '✔ apart');
    expect(notices.map(({ content }) => content)).toEqual([
      expect.stringMatching(/Ann.* as resolved/),
      expect.stringMatching(/Ben.* as resolved/),
    ]);
  });

  test.each(['✔', '✔ general chat', '✔ (no topic)', '✔ ✔ (no topic)'])(
    'the empty topic cannot be resolved: %s',
    async (topic) => {
      const [id] = await send(ann, '', 'x');
      expectRefusal(await change(ann, id!, { topic, propagate_mode: 'change_all' }), 'BAD_REQUEST');
    },
  );

  test('the longest topic can be resolved and unresolved', async () => {
    const topic = 'long '.repeat(12).trim().padEnd(60, '!');
    const [id] = await send(ann, topic, 'x');
    await change(ann, id!, { topic: `✔ ${topic}`, propagate_mode: 'change_all' });
    const { subject } = await messageOf(ann, id!);
    expect(subject).toBe(`✔ ${topic.slice(0, 55)}...`);
    expect(await messageOf(ann, id!)).not.toHaveProperty('last_moved_timestamp');
    const [notice] = await noticesIn(ann, hall, subject);
    expect(notice.content).toContain('as resolved');
  });
});

describe('visibility policies', () => {
  const policyOf = async (client: ApiClient, topic: string, channel = hall): Promise<number> => {
    const { user_topics } = (await client.register({ fetch_event_types: ['user_topic'] })).state;
    const found = user_topics.find((entry: any) => entry.stream_id === channel && entry.topic_name === topic);
    return found?.visibility_policy ?? 0;
  };
  const say = (client: ApiClient, topic: string, visibility_policy: number): Promise<any> =>
    client.ok('POST', '/user_topics', { stream_id: hall, topic, visibility_policy });

  test('go along when all of a topic moves, and stay when something is left', async () => {
    const ids = await send(ann, 'followed', '1', '2');
    await say(ben, 'followed', 3);
    await say(cleo, 'followed', 1);
    const queue = await ben.register({ event_types: ['user_topic'] });
    await changed(ann, ids[0]!, { topic: 'part' });
    expect([await policyOf(ben, 'followed'), await policyOf(ben, 'part')]).toEqual([3, 0]);
    await changed(ann, ids[1]!, { stream_id: yard, topic: 'rest' });
    expect([await policyOf(ben, 'followed'), await policyOf(ben, 'rest', yard)]).toEqual([0, 3]);
    expect([await policyOf(cleo, 'followed'), await policyOf(cleo, 'rest', yard)]).toEqual([0, 1]);
    expect((await queue.pending()).map(({ stream_id, visibility_policy }) => [stream_id, visibility_policy])).toEqual([
      [hall, 0],
      [yard, 3],
    ]);
  });

  test('end where the destination is one whose messages their user may not read', async () => {
    const name = 'attic';
    await ann.ok('POST', '/users/me/subscriptions', {
      subscriptions: [{ name }],
      invite_only: true,
      history_public_to_subscribers: false,
      can_subscribe_group: { direct_members: [ben.userId], direct_subgroups: [] },
    });
    const attic = (await ann.ok('GET', '/get_stream_id', { stream: name })).stream_id;
    const [id] = await send(ann, 'taken away', '1');
    await say(ben, 'taken away', 3);
    const queue = await ben.register({ event_types: ['user_topic'] });
    await changed(ann, id!, { stream_id: attic, topic: 'hidden' });
    expect(await queue.pending()).toMatchObject([{ stream_id: hall, visibility_policy: 0 }]);
    expect(await policyOf(ben, 'hidden', attic)).toBe(0);
  });

  test.each([
    [1, 1, 1],
    [1, 0, 0],
    [0, 1, 0],
    [2, 1, 2],
    [3, 2, 3],
    [1, 3, 3],
  ])('where topics meet, %i and %i are %i', async (here, there, together) => {
    const [from, to] = [`from ${here}${there}`, `to ${here}${there}`];
    const [id] = await send(ann, from, '1');
    await send(ann, to, '2');
    await say(ben, from, here);
    await say(ben, to, there);
    await changed(ann, id!, { topic: to });
    expect([await policyOf(ben, from), await policyOf(ben, to)]).toEqual([0, together]);
  });
});

describe('deleting a topic', () => {
  test('takes all of it, in any spelling, and tells those who had it', async () => {
    // Before the others: the first message of the channel stays the same.
    const kept = await ann.send('hall', 'gone by', '3');
    const ids = [await ann.send('hall', 'Gone', '1'), await ben.send('hall', 'gone', '2')];
    const [queue, legacy] = [await ben.register(BULK), await ben.register()];
    expectRefusal(await deleteTopic(ann, hall, 'gone'), 'BAD_REQUEST');
    expect((await deleteTopic(owner, hall, 'GONE')).body).toEqual({ result: 'success', msg: '', complete: true });
    expect(await inTopic(ann, hall, 'gone')).toEqual([]);
    for (const id of ids) expectRefusal(await ann.call('GET', `/messages/${id}`), 'BAD_REQUEST');
    expect((await messageOf(ann, kept)).content).toBe('<p>3</p>');
    const { topics } = await ann.ok('GET', `/users/me/${hall}/topics`);
    expect(topics.map(({ name }: any) => name.toLowerCase())).not.toContain('gone');
    const told = { type: 'delete_message', message_type: 'stream', stream_id: hall, topic: 'Gone' };
    expect((await queue.pending()).map(({ id: _, ...event }) => event)).toEqual([{ ...told, message_ids: ids }]);
    expect((await legacy.pending()).map(({ id: _, ...event }) => event)).toEqual(
      ids.map((message_id) => ({ ...told, message_id })),
    );
    expect((await deleteTopic(owner, hall, 'gone')).body.complete).toBe(true);
    await server.restart();
    expect(await inTopic(ann, hall, 'gone')).toEqual([]);
  });

  test('of more messages than one event names', async () => {
    for (let sent = 0; sent < 510; sent += 30)
      await Promise.all(Array.from({ length: 30 }, () => ann.send('yard', 'many', 'x')));
    expect((await deleteTopic(owner, yard, 'many')).body.complete).toBe(true);
    expect(await inTopic(owner, yard, 'many')).toEqual([]);
  });

  test('the empty one, by any of its names', async () => {
    const stream_id = await channelOf('empties', ann, ben);
    for (const topic of ['', '(no topic)', 'general chat']) {
      await ann.send('empties', '', 'x');
      expect((await deleteTopic(owner, stream_id, topic)).body.complete).toBe(true);
      expect(await inTopic(ann, stream_id, '')).toEqual([]);
    }
  });

  test('needs a channel that one can read, and a topic', async () => {
    expectRefusal(await deleteTopic(owner, 98_765, 'x'), 'BAD_REQUEST');
    expectRefusal(await owner.call('POST', `/streams/${hall}/delete_topic`), 'REQUEST_VARIABLE_MISSING');
    const secret = await (async () => {
      await ann.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'secret' }], invite_only: true });
      return (await ann.ok('GET', '/get_stream_id', { stream: 'secret' })).stream_id;
    })();
    await ann.send('secret', 't', 'x');
    expectRefusal(await deleteTopic(owner, secret, 't'), 'BAD_REQUEST');
    expect(await inTopic(ann, secret, 't')).toHaveLength(1);
  });
});

describe('the first message of a channel', () => {
  test('is another one when it leaves, and clients are told', async () => {
    const stream_id = await channelOf('firsts', ann, ben);
    const firstOf = async (): Promise<number | null> =>
      (await ann.ok('GET', `/streams/${stream_id}`)).stream.first_message_id;
    const ids: number[] = [];
    for (const topic of ['a', 'b', 'b', 'c']) ids.push(await ann.send('firsts', topic, 'x'));
    const queue = await ben.register({ event_types: ['stream'] });
    expect(await firstOf()).toBe(ids[0]);
    await ann.ok('DELETE', `/messages/${ids[0]}`);
    expect(await firstOf()).toBe(ids[1]);
    await changed(ann, ids[1]!, { stream_id: yard, propagate_mode: 'change_all' });
    expect(await firstOf()).toBe(ids[3]);
    await deleteTopic(owner, stream_id, 'c');
    expect(await firstOf()).toBeNull();
    await changed(ann, ids[2]!, { stream_id });
    expect(await firstOf()).toBe(ids[2]);
    const update = { op: 'update', stream_id, name: 'firsts', property: 'first_message_id', type: 'stream' };
    const told = (await queue.pending()).filter((event) => event.stream_id === stream_id);
    expect(told.map(({ id: _, ...event }) => event)).toEqual(
      [ids[1], ids[3], null, ids[2]].map((value) => ({ ...update, value })),
    );
    await server.restart();
    expect(await firstOf()).toBe(ids[2]);
  });

  test('is found when several go at once', async () => {
    const stream_id = await channelOf('races', ann, ben);
    const ids: number[] = [];
    for (let count = 0; count < 8; count++) ids.push(await ann.send('races', 't', 'x'));
    await Promise.all(ids.slice(0, 7).map((id) => ann.ok('DELETE', `/messages/${id}`)));
    expect((await ann.ok('GET', `/streams/${stream_id}`)).stream.first_message_id).toBe(ids[7]);
  });
});

describe('users who hold a message without being subscribed', () => {
  let outsider: ApiClient;
  beforeAll(async () => {
    outsider = await server.user('Olga Outside');
  });
  const flagsOf = (events: any[]): unknown => events.map(({ type, flags }) => [type, flags]);

  test('by a star, a mention or a reading from before, is told of edits, moves and deletions', async () => {
    const [starred, unrelated] = await send(ann, 'held', 'x', 'y');
    await outsider.ok('POST', '/messages/flags', { messages: [starred], op: 'add', flag: 'starred' });
    const [mentioning] = await send(ann, 'held', '@**Olga Outside** hi');
    const queue = await outsider.register(BULK);
    await changed(ann, starred!, { content: 'x, edited' });
    await changed(ann, unrelated!, { content: 'y, edited' });
    await changed(ann, mentioning!, { content: 'hi' });
    const edits = await queue.pending();
    expect(edits.map(({ message_id }) => message_id)).toEqual([starred, mentioning]);
    expect(flagsOf(edits)).toEqual([
      ['update_message', ['read', 'starred', 'historical']],
      // Who was mentioned keeps the message, as they have it.
      ['update_message', []],
    ]);
    expect((await messageOf(outsider, mentioning!)).flags).toEqual([]);
    expect(idsOf(await messagesIn(outsider, []))).toContain(mentioning);
    await changed(ann, mentioning!, { content: 'hi again' });
    expect(flagsOf(await queue.pending())).toEqual([['update_message', []]]);
    await changed(ann, starred!, { topic: 'held on' });
    await changed(ann, unrelated!, { topic: 'held on' });
    expect((await queue.pending()).map(({ message_ids, subject }) => [message_ids, subject])).toEqual([
      [[starred], 'held on'],
    ]);
    for (const id of [starred, unrelated]) await ann.ok('DELETE', `/messages/${id}`);
    expect((await queue.pending()).map(({ type, message_ids }) => [type, message_ids])).toEqual([
      ['delete_message', [starred]],
    ]);
  });

  test('is told of nothing that they may not read any more', async () => {
    const name = 'closing';
    await ann.ok('POST', '/users/me/subscriptions', {
      subscriptions: [{ name }],
      invite_only: true,
      history_public_to_subscribers: true,
      principals: [ann.userId, outsider.userId],
    });
    const id = await ann.send(name, 't', 'x');
    await outsider.ok('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' });
    await outsider.ok('DELETE', '/users/me/subscriptions', { subscriptions: [name] });
    const queue = await outsider.register(BULK);
    await changed(ann, id, { content: 'secret' });
    await changed(ann, id, { topic: 'secret topic' });
    await ann.ok('DELETE', `/messages/${id}`);
    expect(await queue.pending()).toEqual([]);
  });
});

describe('history', () => {
  test.each([
    ['moves', 1],
    ['none', 0],
  ])('of which the organization shows %s', async (policy, shown) => {
    const [id] = await send(ann, 'shown', 'one');
    await changed(ann, id!, { content: 'two' });
    await changed(ann, id!, { topic: `shown ${policy}` });
    const setting = 'message_edit_history_visibility_policy';
    await under({ [setting]: policy }, { [setting]: 'all' }, async () => {
      const { edit_history } = await messageOf(ben, id!);
      expect(edit_history?.length ?? 0).toBe(shown);
      expect(JSON.stringify(edit_history ?? [])).not.toContain('one');
      const answer = await ben.call('GET', `/messages/${id}/history`);
      if (policy === 'none') expectRefusal(answer, 'BAD_REQUEST');
      else expect(answer.body.message_history.map(({ content }: any) => content)).toEqual(['two', 'two']);
    });
    expect((await messageOf(ben, id!)).edit_history).toHaveLength(2);
  });
});
