import { Findings, type Expected } from '../../support/access/findings.js';
import {
  isOwn,
  isToldOfChange,
  isToldOfSend,
  isToldOfTyping,
  mayAccess,
  type Role,
  type Standing,
} from '../../support/access/model.js';
import { come, comeAndGo, each, fewerWhereDear, leave, sendAll, star } from '../../support/access/story.js';
import {
  COMPARISONS_MIN,
  settle,
  standing,
  WORLDS,
  type AccessWorld,
  type Cell,
  type Viewer,
} from '../../support/access/world.js';
import type { TestQueue } from '../../support/client.js';

/**
 * Roles × kinds of channels and conversations × what a viewer had to do with them × events: who is told what is held against
 * `access-model.ts`. One story, each test a part of it.
 */
jest.setTimeout(600_000);
/** What is said by the way is not kept for long: so much of it goes to one queue before it is polled. */
const TYPING_AT_ONCE = 20;
const EVENT_TYPES = ['message', 'update_message', 'reaction', 'delete_message', 'typing_edit_message'];

type Queues = ReadonlyMap<Viewer, TestQueue>;

const findings = new Findings();
let world: AccessWorld;
/** Queues from before the first message, not polled until all users have joined and left. */
let early: Queues;
/** Queues from after all users have joined and left. */
let late: Queues;
let moved: ReadonlySet<Cell>;

describe.each(WORLDS)('viewers of world %i', (part) => {
  beforeAll(async () => {
    world = await settle(part);
    early = await register(({ role }) => ({ all_public_streams: listens(role) }));
    const atOnce = await register();
    await sendAll(world);
    await poll(atOnce, (viewer, events) =>
      check('message, at once', viewer, events, (cell) => isToldOfSend(standing(viewer, cell, 'sending'), false)),
    );
    await comeAndGo(world);
    late = await register();
    moved = new Set(fewerWhereDear(world.cells.filter(({ room }) => room !== undefined)));
  });
  afterAll(() => world.server.stop());
  afterEach(() => expect(findings.takeTable()).toBe(''));

  test('what was sent is told to those who may see it when they ask', () =>
    poll(early, (viewer, events) =>
      check('message, later', viewer, events, (cell) => {
        const isStillOpen = mayAccess({ ...standing(viewer, cell, 'now'), isHeld: false });
        return isStillOpen && isToldOfSend(standing(viewer, cell, 'sending'), listens(viewer.role));
      }),
    ));

  test('reactions, moves and edits', async () => {
    await changeByOthers();
    for (const [age, queues] of Object.entries({ early, late }))
      await poll(queues, (viewer, events) => checkChanges(viewer, events, age));
  });

  test('typing', async () => {
    const { viewers, cells } = world;
    const heard = new Map(viewers.map((viewer): [Viewer, any[]] => [viewer, []]));
    for (let from = 0; from < cells.length; from += TYPING_AT_ONCE) {
      const some = cells.slice(from, from + TYPING_AT_ONCE);
      await each(some, ({ author, id }) => author.call('POST', `/messages/${id}/typing`, { op: 'start' }));
      await poll(late, (viewer, events) => heard.get(viewer)?.push(...events));
    }
    for (const [viewer, events] of heard) {
      const isTold = toldAmong(viewer, isToldOfTyping);
      check('typing_edit_message', viewer, events, (cell) => mayItsAuthorEdit(cell) && isTold(cell));
    }
  });

  test('events reach all users with the message in their history, except those removed before the poll', async () => {
    const { viewers, cells, ann } = world;
    const there = viewers.filter(({ history }) => history.now);
    await star(world, viewers, 'now');
    await each(cells, ({ id }) => ann.ok('POST', `/messages/${id}/reactions`, { emoji_name: 'rocket' }));
    await poll(late, (viewer, events) => check('reaction, at once', viewer, events, toldAmong(viewer, isToldOfChange)));
    await leave(world, there);
    await poll(early, (viewer, events) =>
      check('reaction and typing, when put out', viewer, events, (cell) => {
        const isStillOpen = mayAccess(standing(viewer, cell, 'put out'));
        return isStillOpen && isToldOfChange(standing(viewer, cell, 'now'));
      }),
    );
    await come(world, there);
  });

  test('deletions', async () => {
    const { cells, adam } = world;
    await each(cells, ({ id, room, author }) => (room === undefined ? author : adam).ok('DELETE', `/messages/${id}`));
    await poll(late, (viewer, events) => check('delete_message', viewer, events, toldAmong(viewer, isToldOfDeletion)));
  });
});

test('everything was told to some, and not told to others', () => {
  for (const [event, counts] of findings.counts)
    expect({ event, told: counts.has('open'), withheld: counts.has('hidden') }).toEqual({
      event,
      told: true,
      withheld: true,
    });
  expect(findings.counts.size).toBe(12);
  expect(findings.total).toBeGreaterThan(COMPARISONS_MIN);
});

/** One who is there for ever reacts and moves; the author edits. */
async function changeByOthers(): Promise<void> {
  const { cells, ann } = world;
  const quietly = { send_notification_to_new_thread: false };
  await each(cells, ({ id }) => ann.ok('POST', `/messages/${id}/reactions`, { emoji_name: 'heart' }));
  await each(moved, ({ id, topic }) => ann.ok('PATCH', `/messages/${id}`, { topic: `${topic}, moved`, ...quietly }));
  await each(cells, async (cell) => {
    const { id, author, content } = cell;
    const reply = await author.call('PATCH', `/messages/${id}`, { content: `${content}, edited` });
    if (mayItsAuthorEdit(cell)) expect(reply.body).toMatchObject({ result: 'success' });
  });
}

function checkChanges(viewer: Viewer, events: readonly any[], age: string): void {
  const isTold = toldAmong(viewer, isToldOfChange);
  const reactions = events.filter(({ type }) => type === 'reaction');
  const moves = events.filter(({ orig_subject }) => orig_subject !== undefined);
  const edits = events.filter(({ orig_content }) => orig_content !== undefined);
  check(`reaction, ${age} queue`, viewer, reactions, isTold);
  check(`update_message of topic, ${age} queue`, viewer, moves, (cell) => moved.has(cell) && isTold(cell));
  check(`update_message of content, ${age} queue`, viewer, edits, (cell) => mayItsAuthorEdit(cell) && isTold(cell));
}

function mayItsAuthorEdit(cell: Cell): boolean {
  return cell.author === world.ann || mayAccess(standing(cell.viewer, cell, 'now'));
}

/** Users who hold a message without access may or may not get its deletion. */
function isToldOfDeletion(one: Standing): boolean | Expected {
  return isOwn(one) && !one.isInside ? ['open', 'hidden'] : isToldOfChange(one);
}

function toldAmong<Told>(viewer: Viewer, isTold: (one: Standing) => Told): (cell: Cell) => Told {
  return (cell) => isTold(standing(viewer, cell, 'now'));
}

/** Whether the queues of such viewers may hear of all public channels. */
function listens(role: Role): boolean {
  return role !== 'guest';
}

async function register(parameters: (viewer: Viewer) => Record<string, unknown> = () => ({})): Promise<Queues> {
  const queues = new Map<Viewer, TestQueue>();
  await each(world.viewers, async (viewer) => {
    const settings = { event_types: EVENT_TYPES, fetch_event_types: [], ...parameters(viewer) };
    queues.set(viewer, await viewer.client.register(settings));
  });
  return queues;
}

async function poll(queues: Queues, look: (viewer: Viewer, events: readonly any[]) => void): Promise<void> {
  await each(queues, async ([viewer, queue]) => {
    const events: any[] = [];
    for (let some = await queue.pending(); some.length > 0; some = await queue.pending()) events.push(...some);
    look(viewer, events);
  });
}

/** Compares which messages these events are about with which they should be. */
function check(
  route: string,
  viewer: Viewer,
  events: readonly any[],
  expected: (cell: Cell) => boolean | Expected,
): void {
  const ids = events.flatMap(({ message, message_id, message_ids }) => message?.id ?? message_ids ?? message_id);
  findings.checkMessages(route, viewer, world.cells, ids, expected);
}
