import {
  CLOSED,
  Findings,
  HIDDEN,
  neutral,
  OPEN,
  REFUSED,
  verdictOf,
  type Expected,
} from '../../support/access/findings.js';
import {
  isOwn,
  isToldOfSend,
  mayAccess,
  mayKnow,
  mayRead,
  type Kind,
  type Standing,
} from '../../support/access/model.js';
import { STATES, VIEWERS, type Privacy, type Viewer } from '../../support/access/privacy.js';
import { each } from '../../support/access/story.js';
import { NO_ID, WORD } from '../../support/access/world.js';
import { exchange } from '../../support/answers.js';
import type { Answer, ApiClient, TestQueue } from '../../support/client.js';
import { unfetchable } from '../../support/fetchable.js';
import { PrivacyWorld } from '../../support/access/privacy-world.js';
import type { TestServer } from '../../support/server.js';

/**
 * Every change of a channel's privacy, and archiving: what each viewer finds of a message from before the change and of one from
 * after it, before and after the change, is held against `access-model.ts`; those without an account are among the viewers.
 */
jest.setTimeout(300_000);

const EVERYTHING = { anchor: 'oldest', num_before: 0, num_after: 1000 };
const WEB_PUBLIC = { operator: 'channels', operand: 'web-public' };
const CAPABLE = { client_capabilities: { archived_channels: true } };

/** A channel that is of one state, and changes to another. */
interface Room {
  readonly name: string;
  readonly channelId: number;
  readonly from: Privacy;
  readonly to: Privacy;
  readonly ends: 'open' | 'archived' | 'unarchived';
}

/** A message of a room, sent before its change or after it. */
interface Sent {
  readonly room: Room;
  readonly id: number;
  readonly isNew: boolean;
}

const findings = new Findings();
const queues = new Map<Viewer, TestQueue>();
const sent: Sent[] = [];
let clients: ReadonlyMap<Viewer, ApiClient>;
let server: TestServer;
/** An administrator who is subscribed to every channel. */
let adam: ApiClient;
let rooms: readonly Room[];
let hasChanged = false;

beforeAll(async () => {
  const world = await PrivacyWorld.begin(VIEWERS);
  ({ server, adam, clients } = world);
  rooms = plannedRooms(world.lastChannelId);
  await world.open(rooms);
  await sendTo(rooms, false);
  await each(
    VIEWERS.filter(({ stars }) => stars),
    (viewer) => {
      const messages = sent.filter((one) =>
        mayAccess({ ...standing(viewer, one), isHeld: false, isInside: viewer.wasInside === true }),
      );
      return call(viewer, 'POST', '/messages/flags', {
        op: 'add',
        flag: 'starred',
        messages: messages.map(({ id }) => id),
      });
    },
  );
  await world.leave(rooms);
});
afterAll(() => server.stop());
afterEach(() => expect(findings.takeTable()).toBe(''));

test('before the changes, viewers find what they may', async () => {
  await each(VIEWERS, async (viewer) => {
    const event_types = ['message', 'stream', 'subscription', 'reaction', 'delete_message'];
    queues.set(viewer, await clientOf(viewer).register({ event_types, fetch_event_types: [], ...CAPABLE }));
    await askAll(viewer);
  });
  await askWithoutAccount();
});

test('after them, too, of what was sent before and since', async () => {
  for (const room of rooms) await change(room);
  hasChanged = true;
  await sendTo(
    rooms.filter(({ ends }) => ends !== 'archived'),
    true,
  );
  await each(VIEWERS, askAll);
  await askWithoutAccount();
});

test('queues from before hold what their owners may fetch now', () =>
  each(VIEWERS, async (viewer) => {
    const [client, queue] = [clientOf(viewer), queues.get(viewer)!];
    const events: any[] = [];
    for (let some = await queue.pending(); some.length > 0; some = await queue.pending()) events.push(...some);
    const { state } = await client.register(CAPABLE);
    expect([viewer.name, await unfetchable(client, events, state)]).toEqual([viewer.name, []]);
    const told = new Set(events.flatMap(({ type, message }) => (type === 'message' ? [message.id] : [])));
    for (const one of sent.filter(({ isNew }) => isNew))
      check('message event', viewer, one, isToldOfSend(standing(viewer, one), false) ? OPEN : HIDDEN, told.has(one.id));
    const known = new Set(state.streams!.map(({ stream_id }: any) => stream_id));
    for (const { channelId, name } of rooms) {
      const list = events.flatMap(({ op, streams = [] }) =>
        streams.flatMap((one: any) => (one.stream_id === channelId ? [op] : [])),
      );
      // The last that was told of the channel is what holds.
      if (list.length > 0)
        expect([viewer.name, name, list.at(-1)]).toEqual([
          viewer.name,
          name,
          known.has(channelId) ? 'create' : 'delete',
        ]);
    }
  }));

test('reactions are for those who see the message, and not for archived channels', async () => {
  await each(VIEWERS, async (viewer) => {
    const react = (id: number): Promise<Answer> =>
      call(viewer, 'POST', `/messages/${id}/reactions`, { emoji_name: 'tada' });
    const toNothing = neutral(await react(NO_ID), NO_ID);
    for (const one of sent) {
      const may = mayAccess(standing(viewer, one));
      const expected = may ? (one.room.ends === 'archived' ? REFUSED : OPEN) : HIDDEN;
      check('POST /messages/{id}/reactions', viewer, one, expected, verdictOf(await react(one.id), toNothing, one.id));
    }
  });
});

test('everything was open to some, and hidden from others', () => {
  for (const [route, counts] of findings.counts)
    expect({ route, open: counts.has('open'), hidden: counts.has('hidden') }).toEqual({
      route,
      open: true,
      hidden: true,
    });
  expect(findings.counts.size).toBe(15);
  expect(findings.total).toBeGreaterThan(3000);
});

/** Each state to each other one; each is archived, and archived and opened again. */
function plannedRooms(lastId: number): readonly Room[] {
  let channelId = lastId;
  const planned: Room[] = [];
  for (const [name, from] of Object.entries(STATES)) {
    for (const [other, to] of Object.entries(STATES))
      if (to !== from) planned.push({ name: `${name} to ${other}`, channelId: ++channelId, from, to, ends: 'open' });
    for (const ends of ['archived', 'unarchived'] as const)
      planned.push({ name: `${name}, ${ends}`, channelId: ++channelId, from, to: from, ends });
  }
  return planned;
}

async function sendTo(where: readonly Room[], isNew: boolean): Promise<void> {
  await each(where, async (room) => {
    sent.push({ room, id: await adam.send(room.channelId, 'topic', WORD), isNew });
  });
}

async function change({ channelId, from, to, ends }: Room): Promise<void> {
  if (to !== from) await adam.ok('PATCH', `/streams/${channelId}`, to.asked);
  if (ends !== 'open') await adam.ok('DELETE', `/streams/${channelId}`);
  if (ends === 'unarchived') await adam.ok('PATCH', `/streams/${channelId}`, { is_archived: false });
}

function clientOf(viewer: Viewer): ApiClient {
  return clients.get(viewer)!;
}

function call(viewer: Viewer, method: string, path: string, parameters: Record<string, unknown> = {}): Promise<Answer> {
  return clientOf(viewer).call(method, path, parameters);
}

function kindOf({ from, to }: Room): Kind {
  return (hasChanged ? to : from).kind;
}

function isArchived({ ends }: Room): boolean {
  return hasChanged && ends === 'archived';
}

/** What the viewer is to the message now. Those who star saw the first message as it was sent. */
function standing(viewer: Viewer, { room, isNew }: Sent): Standing {
  const { role, wasInside, isInside } = viewer;
  const one = { role, isSender: false, isMentioned: false, atSend: (isNew ? isInside : wasInside) === true };
  const atFirst = { ...one, kind: room.from.kind, isInside: wasInside === true, isHeld: false };
  // Of protected history, users read what was sent while they were subscribed, whatever they starred before.
  const isHeld =
    viewer.stars === true && !isNew && mayAccess(atFirst) && (one.atSend || kindOf(room).isProtected !== true);
  return { ...one, kind: kindOf(room), isInside: isInside === true, isHeld };
}

function check(
  route: string,
  { role, name }: Viewer,
  { room, isNew }: Sent,
  expected: Expected,
  found: string | boolean,
): void {
  const kind = `${room.name}, ${isNew ? 'new' : 'old'} message, ${hasChanged ? 'after' : 'before'}`;
  const verdict = typeof found === 'string' ? found : found ? 'open' : 'hidden';
  findings.check({ route, kind, role, history: name }, expected, verdict);
}

/** Every way to the messages and channels. */
async function askAll(viewer: Viewer): Promise<void> {
  const list = async (name: string, parameters: object, isIn: (one: Standing) => boolean): Promise<void> => {
    const { messages } = await clientOf(viewer).ok('GET', '/messages', { ...EVERYTHING, ...parameters });
    const ids = new Set(messages.map(({ id }: any) => id));
    for (const one of sent)
      check(`GET /messages, ${name}`, viewer, one, isIn(standing(viewer, one)) ? OPEN : HIDDEN, ids.has(one.id));
  };
  await list(
    'message_ids',
    { anchor: undefined, num_before: undefined, num_after: undefined, message_ids: sent.map(({ id }) => id) },
    mayAccess,
  );
  await list('all of one’s own', {}, isOwn);
  await list('search:', { narrow: [{ operator: 'search', operand: WORD }] }, isOwn);
  await list('is:starred', { narrow: [{ operator: 'is', operand: 'starred' }] }, (one) => isOwn(one) && one.isHeld);
  await askByIds(viewer);
  await askStates(viewer);
}

async function askByIds(viewer: Viewer): Promise<void> {
  const routes: Record<string, (id: number) => string> = {
    'GET /messages/{id}': (id) => `/messages/${id}`,
    'GET /messages/{id}/history': (id) => `/messages/${id}/history`,
  };
  for (const [route, path] of Object.entries(routes)) {
    const toNothing = neutral(await call(viewer, 'GET', path(NO_ID)), NO_ID);
    for (const one of sent) {
      const expected = mayAccess(standing(viewer, one)) ? OPEN : HIDDEN;
      check(route, viewer, one, expected, verdictOf(await call(viewer, 'GET', path(one.id)), toNothing, one.id));
    }
  }
}

async function askStates(viewer: Viewer): Promise<void> {
  const fetch_event_types = ['stream', 'starred_messages'];
  const client = clientOf(viewer);
  for (const [name, parameters] of Object.entries({ capable: CAPABLE, other: {} })) {
    const { state } = await client.register({ event_types: [], fetch_event_types, ...parameters });
    const starred = new Set(state.starred_messages);
    const known = new Set(state.streams!.map(({ stream_id }: any) => stream_id));
    for (const one of sent.filter(({ isNew }) => !isNew)) {
      const { room } = one;
      const seen = standing(viewer, one);
      check(
        'POST /register, starred_messages',
        viewer,
        one,
        seen.isHeld && mayAccess(seen) ? OPEN : HIDDEN,
        starred.has(one.id),
      );
      const mayBeListed = name === 'capable' || !isArchived(room);
      const isKnown = mayBeListed && mayKnow(viewer.role, kindOf(room), viewer.isInside === true);
      check(`POST /register, streams, ${name} client`, viewer, one, isKnown ? OPEN : HIDDEN, known.has(room.channelId));
      const posts = await call(viewer, 'GET', `/users/me/${room.channelId}/topics`);
      const mayList = mayRead(viewer.role, kindOf(room), viewer.isInside === true);
      check(
        'GET /users/me/{id}/topics',
        viewer,
        one,
        mayList ? OPEN : CLOSED,
        posts.status === 200 ? 'open' : 'hidden',
      );
    }
  }
}

/** What those without an account read: web-public channels that are not archived. */
async function askWithoutAccount(): Promise<void> {
  const spectator: Viewer = { name: 'without an account', role: 'guest' };
  const fetched = (path: string, parameters: Record<string, string> = {}): Promise<Answer> =>
    exchange(`${server.url}/api/v1${path}?${new URLSearchParams(parameters).toString()}`, {});
  const narrow = JSON.stringify([WEB_PUBLIC, { operator: 'search', operand: WORD }]);
  const { body } = await fetched('/messages', { narrow, anchor: 'oldest', num_before: '0', num_after: '1000' });
  const found = new Set(body.messages.map(({ id }: any) => id));
  const { body: state } = await exchange(`${server.url}/api/v1/register`, { method: 'POST' });
  const known = new Set(state.streams.map(({ stream_id }: any) => stream_id));
  const toNothing = neutral(await fetched(`/messages/${NO_ID}`), NO_ID);
  for (const one of sent) {
    const isOpen = kindOf(one.room).isWebPublic === true && !isArchived(one.room);
    const expected = isOpen ? OPEN : HIDDEN;
    check('GET /messages, search: without an account', spectator, one, expected, found.has(one.id));
    check('POST /register, streams, without an account', spectator, one, expected, known.has(one.room.channelId));
    const answer = await fetched(`/messages/${one.id}`);
    check('GET /messages/{id}, without an account', spectator, one, expected, verdictOf(answer, toNothing, one.id));
  }
}
