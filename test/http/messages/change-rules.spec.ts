import { expectRefusal, idsOf, messageOf, messagesIn } from '../../support/answers.js';
import type { Answer, ApiClient } from '../../support/client.js';
import { accountOf, recordFacts } from '../../support/facts.js';
import { later } from '../../support/later.js';
import { channelOf, startWithPeople } from '../../support/people.js';
import type { TestServer } from '../../support/server.js';
import { withSettings } from '../../support/stories.js';

let server: TestServer;
let owner: ApiClient;
let admin: ApiClient;
let moderator: ApiClient;
let ann: ApiClient;
let ben: ApiClient;
let cleo: ApiClient;
/** It is ann's. */
let bot: ApiClient;
let hall: number;
let yard: number;

beforeAll(async () => {
  ({ server, owner, ann, ben, cleo } = await startWithPeople());
  const accounts = [
    accountOf(server, 101, 'Ada Admin', 200),
    accountOf(server, 102, 'Mo Moderator', 300),
    accountOf(server, 103, 'Ann’s bot', 400, ann),
  ] as const;
  await server.restart(() =>
    recordFacts(
      server,
      accounts.flatMap(({ facts }) => facts),
    ),
  );
  [admin, moderator, bot] = [accounts[0].client, accounts[1].client, accounts[2].client];
  hall = await channelOf('hall', ann, ben, cleo, admin, moderator);
  yard = await channelOf('yard', ann, ben, cleo, admin, moderator);
});
afterAll(() => server.stop());

const NOBODY = 8;
const EVERYONE = 6;
const DAY = 86_400;
const QUIET = { send_notification_to_new_thread: false, send_notification_to_old_thread: false };
const only = (...clients: ApiClient[]): object => ({
  direct_members: clients.map(({ userId }) => userId).sort((a, b) => a - b),
  direct_subgroups: [],
});
const change = (client: ApiClient, id: number, parameters: Record<string, unknown>): Promise<Answer> =>
  client.call('PATCH', `/messages/${id}`, { ...QUIET, ...parameters });
const changed = (client: ApiClient, id: number, parameters: Record<string, unknown>): Promise<any> =>
  client.ok('PATCH', `/messages/${id}`, { ...QUIET, ...parameters });
const placeOf = async (id: number): Promise<[number, string]> => {
  const { stream_id, subject } = await messageOf(ann, id, { allow_empty_topic_name: true });
  return [stream_id, subject];
};
/** A channel of all users with rules of its own. */
const ruled = async (name: string, rules: Record<string, unknown>): Promise<number> => {
  const principals = [ann, ben, cleo].map(({ userId }) => userId);
  await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals, ...rules });
  return (await owner.ok('GET', '/get_stream_id', { stream: name })).stream_id;
};
/** Other settings while the story lasts. */
const under = (
  settings: Record<string, unknown>,
  usual: Record<string, unknown>,
  story: () => Promise<void>,
): Promise<void> => withSettings(owner, settings, usual, story);
const withPermission = (name: string, held: unknown, usual: unknown, story: () => Promise<void>): Promise<void> =>
  under({ [name]: { new: held } }, { [name]: { new: usual } }, story);

describe('who may, in a channel', () => {
  test('its administrators change topics without any other permission', async () => {
    await ruled('run by ben', { can_administer_channel_group: only(ben) });
    await withPermission('can_move_messages_between_topics_group', NOBODY, EVERYONE, async () => {
      const id = await ann.send('run by ben', 'begin', 'x');
      expectRefusal(await change(cleo, id, { topic: 'by cleo' }), 'BAD_REQUEST');
      await changed(ben, id, { topic: 'by ben' });
      expectRefusal(await change(ben, await ann.send('hall', 'begin', 'x'), { topic: 'by ben' }), 'BAD_REQUEST');
    });
  });

  test('can_delete_own_message_group: those delete what they sent there, and nothing else', async () => {
    await ruled('deleting', { can_delete_own_message_group: only(ben) });
    await withPermission('can_delete_own_message_group', NOBODY, EVERYONE, async () => {
      const [his, hers] = [await ben.send('deleting', 't', 'x'), await cleo.send('deleting', 't', 'x')];
      expectRefusal(await cleo.call('DELETE', `/messages/${hers}`), 'BAD_REQUEST');
      expectRefusal(await ben.call('DELETE', `/messages/${hers}`), 'BAD_REQUEST');
      await ben.ok('DELETE', `/messages/${his}`);
      expectRefusal(await ben.call('DELETE', `/messages/${await ben.send('hall', 't', 'x')}`), 'BAD_REQUEST');
    });
  });

  test('can_create_topic_group of the destination: others move to topics that are there', async () => {
    const stream_id = await ruled('few topics', { can_create_topic_group: only(ben) });
    await ben.send('few topics', 'There', 'x');
    const id = await ann.send('hall', 'to be moved', 'x');
    for (const topic of ['new', undefined]) expectRefusal(await change(cleo, id, { stream_id, topic }), 'BAD_REQUEST');
    expect(await placeOf(id)).toEqual([hall, 'to be moved']);
    await changed(cleo, id, { stream_id, topic: 'there' });
    expectRefusal(await change(cleo, id, { topic: 'new' }), 'BAD_REQUEST');
    await changed(cleo, id, { topic: '✔ there' });
    await changed(ben, id, { topic: 'new' });
    expect(await placeOf(id)).toEqual([stream_id, 'new']);
  });

  test('the owner of a bot may delete its messages as their own, and not edit them', async () => {
    const [id, late] = [await bot.send('hall', 'bot', 'beep'), await bot.send('hall', 'bot', 'beep')];
    expectRefusal(await ben.call('DELETE', `/messages/${id}`), 'BAD_REQUEST');
    expectRefusal(await change(ann, id, { content: 'x' }), 'BAD_REQUEST');
    await ann.ok('DELETE', `/messages/${id}`);
    expectRefusal(await bot.call('GET', `/messages/${id}`), 'BAD_REQUEST');
    const usual = { message_content_delete_limit_seconds: 600 };
    await under({ message_content_delete_limit_seconds: 100 }, usual, () =>
      later(130, async () => {
        expectRefusal(await ann.call('DELETE', `/messages/${late}`), 'BAD_REQUEST');
      }),
    );
  });
});

describe('in time', () => {
  test('moderators move what is too old for others', async () => {
    const [one, other] = [await ann.send('hall', 'aged', 'x'), await ann.send('hall', 'aged', 'x')];
    await later(8 * DAY, async () => {
      for (const place of [{ topic: 'elsewhere' }, { stream_id: yard }])
        expectRefusal(await change(ben, one, place), 'BAD_REQUEST');
      await changed(moderator, one, { topic: 'elsewhere' });
      await changed(moderator, other, { stream_id: yard });
    });
    expect([await placeOf(one), await placeOf(other)]).toEqual([
      [hall, 'elsewhere'],
      [yard, 'aged'],
    ]);
  });

  test('a topic of any age is resolved, alone or whole, and unresolved', async () => {
    const old = await ann.send('hall', 'ageless', 'x');
    await later(8 * DAY, async () => {
      const young = await ann.send('hall', 'ageless', 'y');
      await changed(ben, young, { topic: '✔ ageless', propagate_mode: 'change_all' });
      expect(await placeOf(old)).toEqual([hall, '✔ ageless']);
      await changed(ben, old, { topic: 'ageless', propagate_mode: 'change_all' });
      expect(await placeOf(young)).toEqual([hall, 'ageless']);
      expectRefusal(await change(ben, old, { topic: '✔ other' }), 'BAD_REQUEST');
    });
  });

  test('the time limit for edits of content binds administrators too', async () => {
    await under({ message_content_edit_limit_seconds: 100 }, { message_content_edit_limit_seconds: 600 }, async () => {
      for (const client of [owner, admin, moderator]) {
        const id = await client.send('hall', 'limits', 'x');
        await later(90, async () => changed(client, id, { content: 'in time' }));
        await later(130, async () => expectRefusal(await change(client, id, { content: 'late' }), 'BAD_REQUEST'));
        expect((await messageOf(client, id)).content).toBe('<p>in time</p>');
      }
    });
  });

  test.each([
    ['channels', { move_messages_between_streams_limit_seconds: 100 }],
    ['topics', { move_messages_within_stream_limit_seconds: 100 }],
  ])('a whole topic goes by the stricter of two limits: that of moves between %s', async (stricter, limit) => {
    const usual = Object.fromEntries(Object.keys(limit).map((name) => [name, 7 * DAY]));
    const topic = `two limits, ${stricter}`;
    const old = await ann.send('hall', topic, 'old');
    await under(limit, usual, () =>
      later(200, async () => {
        const young = await ann.send('hall', topic, 'young');
        const all = { propagate_mode: 'change_all', topic: `${topic}, moved` };
        const refused = expectRefusal(
          await change(ben, young, { ...all, stream_id: yard }),
          'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
        );
        expect(refused).toMatchObject({
          first_message_id_allowed_to_move: young,
          total_messages_allowed_to_move: 1,
          total_messages_in_topic: 2,
        });
        // By the other limit alone, everything may go.
        const alone = stricter === 'channels' ? all : { propagate_mode: 'change_all', stream_id: yard };
        await changed(ben, young, alone);
        expect(await placeOf(old)).toEqual(stricter === 'channels' ? [hall, `${topic}, moved`] : [yard, topic]);
      }),
    );
  });
});

describe('topics', () => {
  test('to unresolve is to take every mark off', async () => {
    const id = await ann.send('hall', '✔ ✔✔ leak', 'x');
    await withPermission('can_move_messages_between_topics_group', NOBODY, EVERYONE, async () => {
      // One mark less is a move like any other.
      expectRefusal(await change(cleo, id, { topic: '✔ leak' }), 'BAD_REQUEST');
      await changed(cleo, id, { topic: 'leak', propagate_mode: 'change_all' });
    });
    expect(await placeOf(id)).toEqual([hall, 'leak']);
    expect(await messageOf(ann, id)).not.toHaveProperty('last_moved_timestamp');
    const [, notice] = await messagesIn(ann, [['topic', 'leak']]);
    expect(notice.content).toContain('as unresolved.');
  });

  test('the empty one has its name in a history, too, for clients that cannot show it', async () => {
    const id = await ann.send('hall', '', 'x');
    await changed(ann, id, { topic: 'named' });
    await changed(ann, id, { topic: '' });
    for (const [allow_empty_topic_name, empty] of [
      [false, 'general chat'],
      [true, ''],
    ] as const) {
      const options = { allow_empty_topic_name };
      const expected = [
        { prev_topic: 'named', topic: empty },
        { prev_topic: empty, topic: 'named' },
      ];
      expect((await messageOf(ben, id, options)).edit_history).toMatchObject(expected);
      const [listed] = await messagesIn(ben, [['id', String(id)]], options);
      expect(listed.edit_history).toMatchObject(expected);
      const { message_history } = await ben.ok('GET', `/messages/${id}/history`, options);
      expect(message_history).toMatchObject([{ topic: empty }, ...expected.toReversed()]);
    }
  });
});

describe('edited content', () => {
  test('that is too long is cut, and says so', async () => {
    const id = await ann.send('hall', 'long', 'x');
    await changed(ann, id, { content: 'y'.repeat(10_001) });
    const { raw_content } = await ann.ok('GET', `/messages/${id}`);
    expect(raw_content).toMatch(/^y+\n\[message truncated\]$/);
    expect(raw_content).toHaveLength(10_000);
    await changed(ann, id, { content: '😀'.repeat(10_000) });
    expect((await ann.ok('GET', `/messages/${id}`)).raw_content).toBe('😀'.repeat(10_000));
  });

  test('is told apart from what it was, word by word', async () => {
    const id = await ann.send('hall', 'diff', 'one two\nthree & four');
    await changed(ann, id, { content: 'one 2\nthree & four five' });
    const { message_history } = await ben.ok('GET', `/messages/${id}/history`);
    expect(message_history[1].content_html_diff).toBe(
      '<div><p>one <span class="highlight_text_deleted">two</span><span class="highlight_text_inserted">2</span><br>' +
        'three &amp; four<span class="highlight_text_inserted"> five</span></p></div>',
    );
  });
});

describe('wildcard mentions reach fifteen without a permission, and not sixteen', () => {
  const crowd: ApiClient[] = [];
  const to = { type: 'channel', to: 'Crowd' };
  const post = (topic: string, content: string): Promise<Answer> =>
    ben.call('POST', '/messages', { ...to, topic, content });

  beforeAll(async () => {
    for (let count = 0; count < 13; count++) crowd.push(await server.user());
    await channelOf('Crowd', ann, ben, ...crowd);
  });

  test('of a channel, and of a topic, in messages and edits', async () => {
    for (const each of [ann, ...crowd]) await each.send('Crowd', 'vote', 'me');
    expect((await post('all', '@**all** fifteen')).status).toBe(200);
    expect((await post('vote', '@**topic** fifteen')).status).toBe(200);
    const id = await ben.send('Crowd', 'vote', 'quietly');
    await changed(ben, id, { content: '@**topic** fifteen' });
    await changed(ben, id, { content: 'quietly' });
    await ann.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'Crowd' }], principals: [cleo.userId] });
    expectRefusal(await post('all', '@**all** sixteen'), 'STREAM_WILDCARD_MENTION_NOT_ALLOWED');
    expect((await post('vote', '@**topic** still fifteen')).status).toBe(200);
    // To react is to take part.
    await cleo.ok('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' });
    expectRefusal(await post('vote', '@**topic** sixteen'), 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED');
    const edit = await change(ben, id, { content: '@**topic** sixteen' });
    expectRefusal(edit, 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED');
    expect((await messageOf(ben, id)).content).toBe('<p>quietly</p>');
    expect(idsOf(await messagesIn(cleo, [['is', 'mentioned']]))).toEqual([]);
  });
});
