import { mayAccess, type History } from './model.js';
import { standing, type AccessWorld, type Cell, type Moment, type Viewer } from './world.js';
import { isShared } from '../pairings.js';

/** How many requests are under way at once. On shared stores each waits longer for those before it. */
const AT_ONCE = isShared ? 8 : 24;
/** On shared stores, one in so many stands for all where each waits for the others: still some of every kind. */
const DEAR_STRIDE = 5;

/** All requests of a kind, a few at once. */
export async function each<Item>(items: Iterable<Item>, act: (item: Item) => Promise<unknown>): Promise<void> {
  const waiting = [...items];
  const work = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await act(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** Those of whom something is asked that is done alone, such as moving messages. */
export function fewerWhereDear<Item>(items: readonly Item[]): readonly Item[] {
  return isShared ? items.filter((_, index) => index % DEAR_STRIDE === 0) : items;
}

/** Every message, once those have left who are not to be there when it is sent. */
export async function sendAll(world: AccessWorld): Promise<void> {
  const { viewers, cells, adam, ann, ben } = world;
  await leave(
    world,
    viewers.filter(({ history }) => history.before && !history.atSend),
  );
  await each(cells, async (cell) => {
    const { viewer, kind, room, author, content, topic } = cell;
    const reader = viewer.history.now ? viewer.client : ben;
    const participants = kind.name === 'direct' ? [ann, reader] : [ann, reader, adam];
    const to = room?.channelId ?? participants.map(({ userId }) => userId);
    const message = { type: room === undefined ? 'direct' : 'channel', to, topic, content, read_by_sender: true };
    cell.id = (await author.ok('POST', '/messages', message)).id;
  });
}

/** The rest of all users' history: they star, leave and join. */
export async function comeAndGo(world: AccessWorld): Promise<void> {
  const which = (test: (history: History) => boolean) => world.viewers.filter(({ history }) => test(history));
  await star(
    world,
    which(({ stars }) => stars === true),
    'sending',
  );
  await leave(
    world,
    which(({ leaves }) => leaves === true),
  );
  await come(
    world,
    which(({ now, atSend, leaves }) => now && (!atSend || leaves === true)),
  );
}

/** These star those of their messages that they can. */
export async function star(world: AccessWorld, viewers: readonly Viewer[], moment: Moment): Promise<void> {
  await each(viewers, async (viewer) => {
    const isOpen = (cell: Cell): boolean => cell.viewer === viewer && mayAccess(standing(viewer, cell, moment));
    const cells = world.cells.filter(isOpen);
    const messages = cells.map(({ id }) => id);
    if (messages.length > 0)
      await viewer.client.ok('POST', '/messages/flags', { op: 'add', flag: 'starred', messages });
    for (const cell of cells) cell.isHeld = true;
  });
}

/** These leave all channels. */
export async function leave({ rooms, adam }: AccessWorld, viewers: readonly Viewer[]): Promise<void> {
  if (viewers.length === 0) return;
  const subscriptions = rooms.map(({ name }) => name);
  await adam.ok('DELETE', '/users/me/subscriptions', { subscriptions, principals: idsOf(viewers) });
}

/** These come to all channels. */
export async function come({ rooms, adam }: AccessWorld, viewers: readonly Viewer[]): Promise<void> {
  if (viewers.length === 0) return;
  const subscriptions = rooms.map(({ name }) => ({ name }));
  const quietly = { send_new_subscription_messages: false };
  await adam.ok('POST', '/users/me/subscriptions', { subscriptions, principals: idsOf(viewers), ...quietly });
}

function idsOf(viewers: readonly Viewer[]): number[] {
  return viewers.map(({ client }) => client.userId);
}
