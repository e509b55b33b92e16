import { OF_CHANNELS } from '../../support/access/channel-routes.js';
import { type Expected, Findings, HIDDEN, neutral, OPEN, verdictOf } from '../../support/access/findings.js';
import { AccessLists } from '../../support/access/lists.js';
import { fileAt } from '../../support/access/files.js';
import { CHANGING, DELETING, OPENING_FILES, READING, type MessageRoute } from '../../support/access/message-routes.js';
import { mayAccess, mayRead, type Standing } from '../../support/access/model.js';
import { come, comeAndGo, each, fewerWhereDear, leave, sendAll } from '../../support/access/story.js';
import {
  COMPARISONS_MIN,
  isInside,
  NO_ID,
  settle,
  standing,
  WORLDS,
  type AccessWorld,
  type Cell,
  type Viewer,
} from '../../support/access/world.js';
import { channelId } from '../../support/answers.js';

/**
 * Roles × kinds of channels and conversations × what a viewer had to do with them × routes: every answer of the server is
 * held against `access-model.ts`. One story, each test a part of it.
 */
jest.setTimeout(600_000);

const findings = new Findings();
let world: AccessWorld;
let lists: AccessLists;

describe.each(WORLDS)('viewers of world %i', (part) => {
  beforeAll(async () => {
    world = await settle(part);
    nothings.clear();
    lists = new AccessLists(world, findings);
    const { adam, server } = world;
    await adam.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'reports' }], invite_only: true });
    await server.owner.ok('PATCH', '/realm', { moderation_request_channel_id: await channelId(adam, 'reports') });
    await sendAll(world);
    await comeAndGo(world);
  });
  afterAll(() => world.server.stop());
  afterEach(() => expect(findings.takeTable()).toBe(''));

  test('the registered state', () => each(world.viewers, (viewer) => lists.registered(viewer)));

  test('lists of messages', () => each(world.viewers, (viewer) => lists.everywhere(viewer, 'now')));

  test('lists of what a channel holds', () => each(world.viewers, (viewer) => lists.inChannels(viewer)));

  test('routes that show a message', () => askEach(READING));

  test('routes that change a message, or what the viewer has with it', async () => {
    for (const route of CHANGING) await askEach([route]);
    for (const cell of world.cells) if (mayAccess(standing(cell.viewer, cell, 'now'))) cell.isHeld = true;
  });

  test('who is named as a reader', () => each(world.cells, (cell) => lists.readersOf(cell)));

  test('messages that the viewer held are in no list once they are out of sight', async () => {
    const there = world.viewers.filter(({ history }) => history.now);
    await leave(world, there);
    await each(world.viewers, (viewer) => lists.everywhere(viewer, 'put out'));
    await come(world, there);
  });

  test('deleting', () => askEach([DELETING]));

  test('files of deleted messages', async () => {
    // Reports quote messages, and so refer to their files as well.
    const everything = { anchor: 'oldest', num_before: 0, num_after: 5000, narrow: [['channel', 'reports']] };
    const { messages: reports } = await world.adam.ok('GET', '/messages', everything);
    for (const { id } of reports) await world.adam.ok('DELETE', `/messages/${id}`);
    await each(world.cells, ({ id, author, room }) =>
      (room === undefined ? author : world.adam).call('DELETE', `/messages/${id}`),
    );
    const unclaimed = OPENING_FILES.map((route) => ({
      ...route,
      name: `${route.name}, after its message`,
      expected: ({ isSender }: Standing): Expected => (isSender ? OPEN : HIDDEN),
    }));
    await askEach(unclaimed);
  });

  test('routes that are about a channel', () => each(world.viewers.filter(hasPlainHistory), askChannels));
});

test('every route was asked for what is open and for what is not', () => {
  for (const [route, counts] of findings.counts) {
    const seen = counts.has('open') || counts.has('refused');
    expect({ route, seen, hidden: counts.has('hidden') }).toEqual({ route, seen: true, hidden: true });
  }
  expect(findings.total).toBeGreaterThan(COMPARISONS_MIN);
});

/** Those for whom being in the channel or not is all there is. */
function hasPlainHistory({ history }: Viewer): boolean {
  return !(history.sends ?? history.isMentioned ?? history.stars);
}

/** Each viewer asks for the message that is theirs to look at. */
async function askEach(routes: readonly MessageRoute[]): Promise<void> {
  const fewer = new Set(fewerWhereDear(world.cells));
  await each(world.cells, async (cell) => {
    const { viewer, kind, room, id, topic, file } = cell;
    const one = standing(viewer, cell, 'now');
    for (const route of routes) {
      if ((route.isOfTopic && room === undefined) || (route.isDear && !fewer.has(cell))) continue;
      const answer = await route.call(viewer.client, {
        id,
        topic,
        file,
        site: world.server.url,
        channelId: room?.channelId,
      });
      const names = route.isOfFile ? [] : [topic, id];
      const found = verdictOf(answer, await answerToNothing(route, viewer, cell), ...names);
      const where = { route: route.name, kind: kind.name, role: viewer.role, history: viewer.history.name };
      findings.check(where, route.expected(one), found);
    }
  });
}

const nothings = new Map<string, Promise<string>>();

/** What the route answers for a message that does not exist; for a topic that does not, in a channel that the viewer may read. */
function answerToNothing(route: MessageRoute, viewer: Viewer, { room, kind }: Cell): Promise<string> {
  const isKnown = room !== undefined && mayRead(viewer.role, kind, isInside(viewer, kind, 'now'));
  const file = fileAt(NO_ID, 0);
  const [channelId, site] = [isKnown ? room.channelId : NO_ID, world.server.url];
  const asked = { id: NO_ID, topic: 'no such topic', file, site, channelId };
  const key = [route.name, viewer.role, route.isOfTopic && asked.channelId].join();
  const answer = nothings.get(key) ?? route.call(viewer.client, asked).then((one) => neutral(one, asked.topic, NO_ID));
  nothings.set(key, answer);
  return answer;
}

async function askChannels(viewer: Viewer): Promise<void> {
  const nothing = { channelId: NO_ID, name: 'no such channel' };
  for (const route of OF_CHANNELS) {
    const toNothing = neutral(await route.call(viewer.client, nothing), nothing.channelId, nothing.name);
    for (const room of world.rooms) {
      const { kind, channelId: roomId, name } = room;
      const found = verdictOf(await route.call(viewer.client, room), toNothing, roomId, name);
      const expected = route.expected(viewer.role, kind, isInside(viewer, kind, 'now'));
      findings.check(
        { route: route.name, kind: kind.name, role: viewer.role, history: viewer.history.name },
        expected,
        found,
      );
    }
  }
}
