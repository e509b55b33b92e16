import { newGroupPermissions } from '#groups/model';
import type { OrganizationEvent } from '#people';
import { isNightly, sized } from '#testing';
import { fileAt, recordImages } from './files.js';
import {
  CHANNEL_KINDS,
  DIRECT_KINDS,
  fits,
  HISTORIES,
  mayPost,
  ROLES,
  type History,
  type Kind,
  type Role,
  type Standing,
} from './model.js';
import type { ApiClient } from '../client.js';
import { accountOf, channelFacts, recordFacts } from '../facts.js';
import { isShared } from '../pairings.js';
import { startTestServer, type TestServer } from '../server.js';

/** A word of every message. */
export const WORD = 'marmalade';
/** No message and no channel has it. */
export const NO_ID = 9_999_999;
const MODERATORS_GROUP = 3;
/** So many viewers stand for all, fewer on shared stores, where requests are dear; ACCESS_SEED chooses others. */
const CHOSEN = sized({ nightly: isShared ? 40 : Infinity, usual: isShared ? 14 : 18 });
/** How many comparisons each matrix makes at least: fewer, and something was left out. */
export const COMPARISONS_MIN = sized({
  nightly: isShared ? 50_000 : 300_000,
  usual: isShared ? 3_000 : 25_000,
});
/**
 * On shared stores the viewers are divided among so many worlds: FerretDB reads whole collections, so that the time grows with
 * the square of the messages.
 */
const PARTS = isShared && !isNightly ? 3 : 1;
/** A part of the viewers, in a world of its own. */
export const WORLDS: readonly number[] = Array.from({ length: PARTS }, (_, part) => part);
const SEED = Number(process.env['ACCESS_SEED'] ?? 1);
/** Shares no divisor with the number of viewers, so that those chosen have every role and every history. */
const STRIDE = 19;

export interface Viewer {
  readonly role: Role;
  readonly history: History;
  readonly client: ApiClient;
}

export interface Room {
  readonly kind: Kind;
  readonly name: string;
  readonly channelId: number;
}

/** What one viewer is to look at in one place: a message of its own, so that no viewer is in another's way. */
export interface Cell {
  readonly viewer: Viewer;
  readonly kind: Kind;
  /** undefined for a direct message. */
  readonly room: Room | undefined;
  readonly author: ApiClient;
  readonly content: string;
  /** Address of a file of the author's to which it refers. */
  readonly file: string;
  /** As it was sent. */
  readonly topic: string;
  id: number;
  /** Whether the viewer put it into their history. */
  isHeld: boolean;
}

/** When a viewer's place in a channel is asked for: as messages are sent, after all joined and left, or with all removed. */
export type Moment = 'sending' | 'now' | 'put out';

export interface AccessWorld {
  readonly server: TestServer;
  readonly viewers: readonly Viewer[];
  readonly rooms: readonly Room[];
  readonly cells: readonly Cell[];
  /** An administrator and a member, subscribed to every channel for ever, and a user to write to. */
  readonly adam: ApiClient;
  readonly ann: ApiClient;
  readonly ben: ApiClient;
}

export function isInside({ history }: Viewer, { isDirect }: Kind, moment: Moment): boolean {
  if (isDirect) return history.now;
  if (moment === 'sending') return history.atSend;
  return moment === 'now' && history.now;
}

/** What this viewer is to this message, which may be another viewer's. */
export function standing(viewer: Viewer, cell: Cell, moment: Moment): Standing {
  const { kind, author } = cell;
  const isTheirs = cell.viewer === viewer;
  const isParticipant = isTheirs && viewer.history.now;
  return {
    role: viewer.role,
    kind,
    atSend: kind.isDirect ? isParticipant : isInside(viewer, kind, 'sending'),
    isInside: kind.isDirect ? isParticipant : isInside(viewer, kind, moment),
    isSender: author === viewer.client,
    isMentioned: isTheirs && viewer.history.isMentioned === true,
    isHeld: isTheirs && cell.isHeld,
  };
}

/** All users of one of WORLDS exist, and no message has been sent. */
export async function settle(part: number): Promise<AccessWorld> {
  const server = await startTestServer();
  const { members } = await server.owner.ok('GET', '/users');
  const { streams } = await server.owner.ok('GET', '/streams');
  let userId = Math.max(...members.map(({ user_id }: { user_id: number }) => user_id));
  let channelId = Math.max(...streams.map(({ stream_id }: { stream_id: number }) => stream_id));
  const facts: OrganizationEvent[] = [];
  const account = (name: string, role: Role): ApiClient => {
    const made = accountOf(server, ++userId, name, ROLES[role]);
    facts.push(...made.facts);
    return made.client;
  };
  const [adam, ann, ben] = [account('Adam', 'administrator'), account('Ann', 'member'), account('Ben', 'member')];
  const viewers = (Object.keys(ROLES) as Role[])
    .flatMap((role) => HISTORIES.map((history) => ({ role, history })))
    .filter((_, index, { length }) => chosen(length, part).has(index))
    .map(({ role, history }) => ({ role, history, client: account(`${role}: ${history.name}`, role) }));
  const { user_groups } = await server.owner.ok('GET', '/user_groups');
  const groupId = Number(user_groups.length) + 1;
  facts.push(...nestedGroups(groupId, adam, viewers));
  const rooms = CHANNEL_KINDS.map((kind) => ({ kind, name: kind.name, channelId: ++channelId }));
  const first = viewers.filter(({ history }) => history.before).map(({ client }) => client);
  const subscribers = [adam, ann, ...first].map(({ userId }) => userId);
  for (const room of rooms) {
    const { opensTo, throughGroups } = room.kind;
    const permissions = opensTo === undefined ? {} : { [opensTo]: throughGroups ? groupId : MODERATORS_GROUP };
    facts.push(...channelFacts({ ...room, permissions }, subscribers));
  }
  const places = [...rooms, ...DIRECT_KINDS.map((kind) => ({ kind }))];
  const cells = viewers.flatMap((viewer) =>
    places
      .filter(({ kind }) => fits(kind, viewer.history))
      .map((place) => cellOf(viewer, place, ann, fileAt(viewer.client.userId, places.indexOf(place)))),
  );
  await server.restart(async () => {
    await recordFacts(server, facts);
    await recordImages(
      server,
      cells.map(({ author, file }) => ({ userId: author.userId, file })),
    );
  });
  return { server, viewers, rooms, cells, adam, ann, ben };
}

function chosen(among: number, part: number): ReadonlySet<number> {
  const all = Array.from({ length: Math.min(CHOSEN, among) }, (_, index) => (SEED + index * STRIDE) % among);
  return new Set(all.filter((_, index) => index % PARTS === part));
}

/** A group of this ID, and within it another, with the moderators and all guests. */
function nestedGroups(groupId: number, creator: ApiClient, viewers: readonly Viewer[]): OrganizationEvent[] {
  const guests = viewers.filter(({ role }) => role === 'guest').map(({ client }) => client.userId);
  const made = { description: '', by: creator.userId, at: Math.floor(Date.now() / 1000) };
  const permissions = newGroupPermissions(creator.userId);
  const group = (id: number, userIds: readonly number[], subgroupIds: readonly number[]): OrganizationEvent => ({
    type: 'group.created.v1',
    data: {
      ...made,
      groupId: id,
      name: `group ${id}`,
      userIds: [...userIds],
      subgroupIds: [...subgroupIds],
      permissions,
    },
  });
  return [group(groupId, [], [groupId + 1]), group(groupId + 1, guests, [MODERATORS_GROUP])];
}

function cellOf(viewer: Viewer, { kind, ...room }: { kind: Kind } & Partial<Room>, ann: ApiClient, file: string): Cell {
  const { client, history, role } = viewer;
  const sends = history.sends === true && mayPost(role, kind, isInside(viewer, kind, 'sending'));
  const mention = history.isMentioned ? ` @**|${client.userId}**` : '';
  return {
    viewer,
    kind,
    room: room.channelId === undefined ? undefined : ({ kind, ...room } as Room),
    author: sends ? client : ann,
    content: `${WORD}${mention} [soup](${file})`,
    file,
    topic: `for ${client.userId}`,
    id: 0,
    isHeld: false,
  };
}
