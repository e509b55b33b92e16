/** What lines about groups, topics and words say of single people and messages. */
import { audited, letAudit } from '../../support/audit.js';
import type { ApiClient } from '../../support/client.js';
import { channelOf, startWithPeople, type Cast } from '../../support/people.js';

let cast: Cast;
let owner: ApiClient, ann: ApiClient, ben: ApiClient;

beforeAll(async () => {
  cast = await startWithPeople();
  ({ owner, ann, ben } = cast);
  owner.userId = (await owner.ok('GET', '/users/me')).user_id;
  await letAudit(owner, owner);
});
afterAll(() => cast.server.stop());

test('a member of a group is told with who put them there', async () => {
  const group = { name: 'crew', description: '', members: [ann.userId, ben.userId] };
  const { group_id } = await ann.ok('POST', '/user_groups/create', group);
  await owner.ok('POST', `/user_groups/${group_id}/members`, { delete: [ben.userId] });
  await owner.ok('POST', `/user_groups/${group_id}/members`, { add: [ben.userId] });
  await ann.ok('PATCH', `/user_groups/${group_id}`, { name: 'the crew' });
  const members = async (of: string, as_of?: string) => {
    const rows = await audited(owner, 'group', { group: of, ...(as_of && { as_of }) });
    return rows
      .filter(({ type }) => type === 'member')
      .map(({ user, actor, event }) => [user.name, actor.name ?? actor.kind, event]);
  };
  const byAnn = ['Ann Archer', 'Ann Archer', 'group.created.v1'];
  expect(await members('the crew')).toEqual([byAnn, ['Ben Baker', 'Olive Owner', 'group.members-added.v1']]);
  const [change] = (await audited(owner, 'group', { group: 'the crew' })).filter(({ type }) => type === 'change');
  expect(await members('the crew', `@${change?.['position']}`)).toEqual([
    byAnn,
    ['Ben Baker', 'Ann Archer', 'group.created.v1'],
  ]);
  await owner.ok('PATCH', `/users/${ben.userId}`, { role: 300 });
  expect(await members('role:moderators')).toEqual([['Ben Baker', 'Olive Owner', 'user.changed.v1']]);
  expect(await members('role:owners')).toEqual([['Olive Owner', 'operator', 'user.created.v1']]);
});

test('the topic without a name is asked about by each of its names', async () => {
  const channel = await channelOf('nameless', ann);
  const id = await ann.send(channel, '', 'under no name');
  for (const topic of ['', 'general chat', '(no topic)'])
    expect((await audited(owner, 'topic', { channel: 'nameless', topic })).map((row) => row['message_id'])).toEqual([
      id,
    ]);
});

test('a topic keeps its spelling for a message that moves with others to the same topic elsewhere', async () => {
  const [hall, attic] = [await channelOf('hall', owner, ann), await channelOf('attic', owner, ann)];
  const lower = await ann.send(hall, 'plans', 'kettle at noon');
  const upper = await ann.send(hall, 'PLANS', 'kettle at one');
  const move = {
    propagate_mode: 'change_all',
    send_notification_to_old_thread: false,
    send_notification_to_new_thread: false,
  };
  await owner.ok('PATCH', `/messages/${upper}`, { ...move, stream_id: attic });
  await ann.ok('PATCH', `/messages/${lower}`, { content: 'kettle at two' });
  await owner.ok('DELETE', `/messages/${lower}`);
  const [moved] = (await audited(owner, `messages/${lower}`)).filter(({ type }) => type === 'moved');
  expect([moved?.['from'], moved?.['to']]).toEqual([
    { channel_id: hall, channel: 'hall', topic: 'plans' },
    { channel_id: attic, channel: 'attic', topic: 'plans' },
  ]);
  const found = await audited(owner, 'search', { words: 'kettle' });
  expect(found.map(({ content, place }) => [content, place.channel, place.topic]).sort()).toEqual([
    ['kettle at noon', 'hall', 'plans'],
    ['kettle at one', 'hall', 'PLANS'],
    ['kettle at two', 'attic', 'plans'],
  ]);
  const [deletion] = (await audited(owner, `messages/${lower}`)).filter(({ type }) => type === 'deleted');
  const as_of = `@${Number(deletion?.['position']) - 1}`;
  const rows = await audited(owner, 'topic', { channel: attic, topic: 'plans', as_of });
  expect(rows.map(({ message_id, topic }) => [message_id, topic])).toEqual([
    [lower, 'plans'],
    [upper, 'PLANS'],
  ]);
  // Who took it away is told with the request, as in the line of the deletion.
  expect(rows[0]?.['left']).toMatchObject({ type: 'deleted', actor: deletion?.['actor'] });
});

test('lines of a user tell when the user became a full member, and of nobody else', async () => {
  const newcomer = await cast.server.user('Nell Newcomer');
  await owner.ok('PATCH', '/realm', { waiting_period_threshold: 30 });
  await owner.ok('PATCH', '/realm', { waiting_period_threshold: 0 });
  const lines = await audited(owner, 'user', { user: newcomer.userId });
  expect(
    lines.filter(({ event }) => event === 'user.waiting-changed.v1').map(({ type, recorded }) => [type, recorded]),
  ).toEqual([
    // The last change of the account.
    ['user', undefined],
    ['change', { over: [], begun: [newcomer.userId] }],
    ['change', { over: [newcomer.userId], begun: [] }],
  ]);
});

test('the first change of a setting for new users tells its value before', async () => {
  const changes = async () =>
    (await audited(owner, 'setting', { setting: 'user_settings_defaults.enter_sends' })).map(({ from, to }) => [
      from,
      to,
    ]);
  expect(await changes()).toEqual([]);
  await owner.ok('PATCH', '/realm/user_settings_defaults', { enter_sends: true });
  await owner.ok('PATCH', '/realm/user_settings_defaults', { enter_sends: false });
  expect(await changes()).toEqual([
    [false, true],
    [true, false],
  ]);
});

test('no setting has the name of what every object has', async () => {
  await expect(audited(owner, 'setting', { setting: 'constructor' })).rejects.toThrow('There is no setting');
});
