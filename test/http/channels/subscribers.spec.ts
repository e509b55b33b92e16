import { newChannel } from '#channels/model';
import { ROLE } from '#users/model';
import type { OrganizationEvent } from '#people';
import { channelId, expectRefusal } from '../../support/answers.js';
import type { ApiClient } from '../../support/client.js';
import { accountOf, recordFacts } from '../../support/facts.js';
import { channelOf, startWithPeople } from '../../support/people.js';
import type { TestServer } from '../../support/server.js';

const YEAR_SECONDS = 365 * 24 * 60 * 60;
const LARGE = 260;

let server: TestServer;
let owner: ApiClient;
let ann: ApiClient;
let ben: ApiClient;
let guest: ApiClient;
let bot: ApiClient;
/** Accounts of a year ago. */
const old: ApiClient[] = [];
let large: number;

beforeAll(async () => {
  ({ server, owner, ann, ben } = await startWithPeople());
  guest = await server.user('Gail Guest');
  await owner.ok('PATCH', `/users/${guest.userId}`, { role: 600 });
  const facts: OrganizationEvent[] = [];
  const account = (name: string, owner_?: ApiClient): ApiClient => {
    const made = accountOf(server, guest.userId + 1 + old.length, name, ROLE.member, owner_);
    for (const fact of made.facts)
      facts.push({ ...fact, data: { ...fact.data, at: fact.data.at - YEAR_SECONDS } } as OrganizationEvent);
    old.push(made.client);
    return made.client;
  };
  for (let n = 0; n < LARGE; n++) account(`Old ${n}`);
  bot = account('Old Bot', ann);
  const { streams } = await owner.ok('GET', '/streams');
  large = Math.max(...streams.map(({ stream_id }: any) => stream_id)) + 1;
  const subscribers = [...old, ann].map(({ userId }) => ({ userId, color: '#76ce90' }));
  const at = Math.floor(Date.now() / 1000) - YEAR_SECONDS;
  facts.push(newChannel({ channelId: large, name: 'large', at }), {
    type: 'channel.subscribed.v1',
    data: { channelId: large, subscribers, by: null, at },
  });
  await server.restart(() => recordFacts(server, facts));
  await channelOf('small', ann, ben);
});
afterAll(() => server.stop());

const sorted = (clients: readonly ApiClient[]): number[] => clients.map(({ userId }) => userId).sort((a, b) => a - b);
const named = (list: readonly any[], name: string): any => list.find((one) => one.name === name);

describe('lists of the subscribers who are active', () => {
  const active = (): ApiClient[] => [old[3]!, old[5]!, bot, ann];

  beforeAll(async () => {
    await old[3]!.ok('POST', '/users/me/presence', { status: 'idle' });
    // Who does not tell is taken for active.
    await old[5]!.ok('PATCH', '/settings', { presence_enabled: false });
  });

  test('stand for those of large channels, in the register response', async () => {
    const { state } = await ann.register({ include_subscribers: 'partial' });
    const subscription = named(state.subscriptions, 'large');
    expect(subscription.partial_subscribers).toEqual(sorted(active()));
    expect(subscription).not.toHaveProperty('subscribers');
    expect(subscription.subscriber_count).toBe(LARGE + 2);
    expect(named(state.subscriptions, 'small').subscribers).toEqual(sorted([ann, ben]));
    const never = named((await ben.register({ include_subscribers: 'partial' })).state.never_subscribed, 'large');
    expect(never.partial_subscribers).toEqual(sorted(active()));
  });

  test('are whole on request, and absent without', async () => {
    const whole = named((await ann.register({ include_subscribers: 'true' })).state.subscriptions, 'large');
    expect(whole.subscribers).toEqual(sorted([...old, ann]));
    expect(whole).not.toHaveProperty('partial_subscribers');
    for (const name of ['subscribers', 'partial_subscribers'])
      expect(named((await ann.register()).state.subscriptions, 'large')).not.toHaveProperty(name);
  });

  test('come with GET /users/me/subscriptions', async () => {
    const list = async (include_subscribers: string): Promise<any[]> =>
      (await ann.ok('GET', '/users/me/subscriptions', { include_subscribers })).subscriptions;
    expect(named(await list('partial'), 'large').partial_subscribers).toEqual(sorted(active()));
    expect(named(await list('partial'), 'small').subscribers).toEqual(sorted([ann, ben]));
    expect(named(await list('true'), 'large').subscribers).toEqual(sorted([...old, ann]));
  });

  test('come with a new subscription, and survive a restart of the server', async () => {
    const queues = {
      partial: await ben.register({ include_subscribers: 'partial' }),
      whole: await ben.register({ include_subscribers: 'true' }),
    };
    await server.restart();
    await ben.subscribe('large');
    const added = async (queue: (typeof queues)['partial']): Promise<any> =>
      (await queue.pending()).find(({ op }) => op === 'add').subscriptions[0];
    expect((await added(queues.partial)).partial_subscribers).toEqual(sorted([...active(), ben]));
    expect((await added(queues.whole)).subscribers).toEqual(sorted([...old, ann, ben]));
    await ben.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['large'] });
  });
});

describe('the channels of a user', () => {
  const channelsOf = (client: ApiClient, userId: number) => client.call('GET', `/users/${userId}/channels`);

  test('are told to themselves, to administrators, and to the owner of a bot', async () => {
    const small = await channelId(ann, 'small');
    const { subscriptions } = await ann.ok('GET', '/users/me/subscriptions');
    const mine = subscriptions.map(({ stream_id }: any) => stream_id).sort((a: number, b: number) => a - b);
    const { status, body } = await channelsOf(ann, ann.userId);
    expect([status, body]).toEqual([200, { result: 'success', msg: '', subscribed_channel_ids: mine }]);
    expect(mine).toEqual(expect.arrayContaining([small, large]));
    expect((await channelsOf(owner, ann.userId)).body.subscribed_channel_ids).toEqual(mine);
    expect((await channelsOf(ann, bot.userId)).body.subscribed_channel_ids).toEqual([large]);
    expect((await channelsOf(guest, guest.userId)).status).toBe(200);
  });

  test('are those that the asking user may know', async () => {
    await ben.ok('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'hidden' }],
      invite_only: true,
      principals: [ben.userId, bot.userId],
    });
    const hidden = await channelId(ben, 'hidden');
    expect((await channelsOf(ann, bot.userId)).body.subscribed_channel_ids).not.toContain(hidden);
    expect((await channelsOf(owner, ben.userId)).body.subscribed_channel_ids).toContain(hidden);
    expect((await channelsOf(ben, ben.userId)).body.subscribed_channel_ids).toContain(hidden);
  });

  test('are not told to others, nor of nobody', async () => {
    const refusals = [
      await channelsOf(ben, ann.userId),
      await channelsOf(ben, 999_999),
      await channelsOf(guest, ann.userId),
      await channelsOf(guest, 999_999),
    ];
    const [first] = refusals;
    for (const answer of refusals) expect(expectRefusal(answer, 'BAD_REQUEST')).toEqual(first!.body);
    expectRefusal(await channelsOf(owner, 999_999), 'BAD_REQUEST');
  });

  test('do not include channels that are archived, or left', async () => {
    const gone = await channelOf('gone', ann);
    const left = await channelOf('left', ann);
    await ann.ok('DELETE', `/streams/${gone}`);
    await ann.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['left'] });
    const { subscribed_channel_ids } = (await channelsOf(ann, ann.userId)).body;
    expect(subscribed_channel_ids).not.toContain(gone);
    expect(subscribed_channel_ids).not.toContain(left);
  });
});
