import type { Findings } from './findings.js';
import { isOwn, mayAccess, mayRead, type Kind, type Standing } from './model.js';
import { standing, WORD, type AccessWorld, type Cell, type Moment, type Viewer } from './world.js';

const EVERYTHING = { anchor: 'oldest', num_before: 0, num_after: 5000 };
/** In seconds since the epoch. */
const NEXT_CENTURY = 4_102_444_800;
const STATE = ['message', 'update_message_flags', 'starred_messages', 'subscription'];

/** What viewers are given many of at once: each list is to hold what it should, and nothing else. */
export class AccessLists {
  constructor(
    private readonly world: AccessWorld,
    private readonly findings: Findings,
  ) {}

  async registered(viewer: Viewer): Promise<void> {
    const { state } = await viewer.client.register({ event_types: [], fetch_event_types: STATE });
    const { unread_msgs: unread, starred_messages } = state;
    const groups = [...unread.streams, ...unread.pms, ...unread.huddles];
    const ids = groups.flatMap(({ unread_message_ids }) => unread_message_ids);
    this.#check('POST /register, unread_msgs', viewer, ids, (one, cell) => {
      return isOwn({ ...one, isHeld: false }) && one.isInside && !one.isSender && !hasLeft(viewer, cell);
    });
    this.#check('POST /register, mentions', viewer, unread.mentions, (one) => {
      return isOwn(one) && one.isInside && one.isMentioned;
    });
    this.#check('POST /register, starred_messages', viewer, starred_messages, (one) => one.isHeld && mayAccess(one));
  }

  /** What is found without asking for one channel. */
  async everywhere(viewer: Viewer, moment: Moment): Promise<void> {
    const all = this.world.cells.map(({ id }) => id);
    const { userId } = viewer.client;
    const list = (name: string, parameters: Record<string, unknown>, isIn: (one: Standing, cell: Cell) => boolean) =>
      this.#list(`GET /messages, ${name}, ${moment}`, viewer, parameters, isIn, moment);
    const narrowed = (operator: string, operand: unknown) => ({ ...EVERYTHING, narrow: [{ operator, operand }] });
    await list('all of one’s own', EVERYTHING, isOwn);
    await list('message_ids', { message_ids: all }, mayAccess);
    await list('search:', narrowed('search', WORD), isOwn);
    await list('sender:', narrowed('sender', userId), (one) => isOwn(one) && one.isSender);
    await list('is:starred', narrowed('is', 'starred'), (one) => isOwn(one) && one.isHeld);
    await list('is:mentioned', narrowed('is', 'mentioned'), (one) => isOwn(one) && one.isMentioned);
    await list('channels:public', narrowed('channels', 'public'), (one, { kind }) => {
      if (!isPublic(kind)) return false;
      // The whole history is for those who may read all of them.
      return viewer.role === 'guest' ? isOwn(one) : mayAccess(one);
    });
    const matching = { msg_ids: all, narrow: [{ operator: 'search', operand: WORD }] };
    const { messages } = await viewer.client.ok('GET', '/messages/matches_narrow', matching);
    const ids = Object.keys(messages).map(Number);
    this.#check(`GET /messages/matches_narrow, ${moment}`, viewer, ids, isOwn, moment);
  }

  /** Messages of each channel, by each way to ask for all of them; none for a refusal. */
  async inChannels(viewer: Viewer): Promise<void> {
    for (const { channelId } of this.world.rooms) {
      const inside = [{ operator: 'channel', operand: channelId }];
      const found = [...inside, { operator: 'search', operand: WORD }];
      const isIn = (one: Standing, { room }: Cell): boolean => room?.channelId === channelId && mayAccess(one);
      await this.#list('GET /messages, all of channel:', viewer, { ...EVERYTHING, narrow: inside }, isIn);
      await this.#list('GET /messages, search: in channel:', viewer, { ...EVERYTHING, narrow: found }, isIn);
      const { body } = await viewer.client.call('GET', `/users/me/${channelId}/topics`);
      const newest = (body.topics ?? []).map(({ max_id }: { max_id: number }) => max_id);
      this.#check('GET /users/me/{id}/topics, listed', viewer, newest, isIn);
      await this.#asOfToday(viewer, channelId, isIn);
    }
  }

  /** One topic of the channel, as it reads at a time that nothing is later than. */
  async #asOfToday(viewer: Viewer, channelId: number, isIn: (one: Standing, cell: Cell) => boolean): Promise<void> {
    const { cells, viewers } = this.world;
    const topics = [...new Set(cells.flatMap(({ room, topic }) => (room?.channelId === channelId ? [topic] : [])))];
    const asked = topics[viewers.indexOf(viewer) % topics.length];
    const place = { stream_id: channelId, topic: asked };
    const messages = await viewer.client.call('GET', '/past/messages', { ...place, as_of: NEXT_CENTURY, limit: 500 });
    const ids = (messages.body.messages ?? []).map(({ id }: { id: number }) => id);
    const isAsked = (one: Standing, cell: Cell): boolean => cell.topic === asked && isIn(one, cell);
    this.#check('GET /past/messages', viewer, ids, isAsked);
    const { body } = await viewer.client.call('GET', '/past/moments', place);
    const sent = (body.moments ?? []).reduce((sum: number, moment: { sent: number }) => sum + moment.sent, 0);
    // Moments name no messages, so they are counted. Who needs a subscription is told of its times alone, by the second: what was sent
    // before it came may be within, and what was sent before it ended may not.
    const surely = cells.filter((cell) => {
      const one = standing(viewer, cell, 'now');
      const isInside = one.atSend && viewer.history.leaves !== true;
      return isAsked(one, cell) && (isInside || mayRead(one.role, one.kind, false));
    });
    const isRight = surely.length <= sent && sent <= ids.length;
    this.#check('GET /past/moments', viewer, isRight ? ids : [], isAsked);
  }

  /** Whom others find among those who have read the message, once its own viewer has if they could. */
  async readersOf(cell: Cell): Promise<void> {
    const { user_ids } = await this.world.ann.ok('GET', `/messages/${cell.id}/read_receipts`);
    const named = new Set<number>(user_ids);
    for (const viewer of this.world.viewers)
      this.findings.checkMessages(
        'GET /messages/{id}/read_receipts, named',
        viewer,
        [cell],
        named.has(viewer.client.userId) ? [cell.id] : [],
        () => {
          const one = standing(viewer, cell, 'now');
          return isOwn(one) && !one.isSender && (cell.viewer === viewer || hasLeft(viewer, cell));
        },
      );
  }

  async #list(
    route: string,
    viewer: Viewer,
    parameters: Record<string, unknown>,
    isIn: (one: Standing, cell: Cell) => boolean,
    moment: Moment = 'now',
  ): Promise<void> {
    const { status, text, body } = await viewer.client.call('GET', '/messages', parameters);
    if (status >= 500) throw new Error(`${route}: ${status} ${text}`);
    const ids = (body.messages ?? []).map(({ id }: { id: number }) => id);
    this.#check(route, viewer, ids, isIn, moment);
  }

  #check(
    route: string,
    viewer: Viewer,
    ids: readonly number[],
    isIn: (one: Standing, cell: Cell) => boolean,
    moment: Moment = 'now',
  ): void {
    const { findings, world } = this;
    findings.checkMessages(route, viewer, world.cells, ids, (cell) => isIn(standing(viewer, cell, moment), cell));
  }
}

function isPublic({ isDirect, isPrivate }: Kind): boolean {
  return !(isDirect ?? isPrivate ?? false);
}

/** Leaving a channel marks its messages as read. */
function hasLeft({ history }: Viewer, { room }: Cell): boolean {
  return history.leaves === true && room !== undefined;
}
