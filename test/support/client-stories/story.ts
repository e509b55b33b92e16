import { CAPABILITIES, type NarrowTerm } from '#client';
import { comparable, learnFirstMessages, until, type ClientState } from '#testing';
import type { ApiClient } from '../client.js';
import { channelOf } from '../people.js';
import { type Act, perform, type Scene, type Who } from './acts.js';
import { type Followed, follow } from './followed.js';

/** Where stories happen. */
export interface Stage {
  readonly people: Readonly<Record<Who, ApiClient>>;
  readonly restart: Scene['restart'];
  /** The client of the reader, `ann`; one in this process when it is absent. */
  readonly follow?: () => Followed;
}

type Narrow = readonly NarrowTerm[];

/** Guards against hanging only. */
const SETTLES_WITHIN_MS = 120_000;
const REGISTER = { apply_markdown: true, slim_presence: true, client_capabilities: CAPABILITIES };

let played = 0;

/**
 * Lets a client follow the acts over a connection that loses calls, in two rounds. After each, its windows are what `GET /messages`
 * says, its state is that of a new registration, and what it sent is there once.
 */
export async function play({ people, restart, ...stage }: Stage, acts: readonly Act[]): Promise<void> {
  const { owner, ann, ben } = people;
  const names = ['alpha', 'beta'].map((name) => `${name} ${++played}`);
  const channels: { id: number; name: string }[] = [];
  for (const name of names) channels.push({ name, id: await channelOf(name, ann, ben, owner) });
  const narrows = narrowsOf(channels[0]?.id ?? 0, ben.userId);
  const client = stage.follow?.() ?? follow(ann.site, ann);
  const scene: Scene = { people, channels, since: await newestOf(ann), client, restart };
  try {
    await client.start(narrows);
    for (const round of [acts.slice(0, acts.length / 2), acts.slice(acts.length / 2)]) {
      for (const act of round) await perform(act, scene);
      await settle(client, ann);
      await expectExact(client, ann, narrows);
    }
    await expectOnce(ann, acts, scene.since);
  } finally {
    await client.stop();
  }
}

function narrowsOf(channelId: number, benId: number): readonly Narrow[] {
  const channel = { operator: 'channel', operand: channelId };
  return [
    [],
    [channel],
    [channel, { operator: 'topic', operand: 'one' }],
    [{ operator: 'dm', operand: [benId] }],
    [{ operator: 'is', operand: 'starred' }],
    [{ operator: 'is', operand: 'unread' }],
    [{ operator: 'is', operand: 'mentioned' }],
    [{ operator: 'sender', operand: benId }],
    [{ operator: 'search', operand: 'hello' }],
  ];
}

async function newestOf(ann: ApiClient): Promise<number> {
  const { messages } = await ann.ok('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 });
  return messages.at(-1)?.id ?? 0;
}

async function settle(client: Followed, ann: ApiClient): Promise<void> {
  await client.settled();
  // A message can leave the outbox before its event is there: the marker is after all of them.
  await until(() => client.isIdle(), SETTLES_WITHIN_MS);
  const id = await ann.sendTo([ann], `marker ${Math.random()}`);
  await until(() => client.hasReached(id), SETTLES_WITHIN_MS);
  await client.settled();
}

async function expectExact(client: Followed, ann: ApiClient, narrows: readonly Narrow[]): Promise<void> {
  const { state, windows, reports } = await client.shown(narrows);
  if (state === undefined) throw new Error('The client has no state.');
  expect(reports).toEqual([]);
  for (const [index, narrow] of narrows.entries()) {
    const stretches = windows[index] ?? [];
    const { messages } = await ann.ok('GET', '/messages', {
      anchor: 'newest',
      num_before: 2000,
      num_after: 0,
      narrow,
      apply_markdown: true,
      allow_empty_topic_name: true,
    });
    expect(stretches.at(-1)?.to).toBe(Infinity);
    for (const { from, to, ids, messages: shown } of stretches) {
      const there: readonly any[] = messages.filter(
        (message: any) => message.id >= from && message.id <= to && (ids.includes(message.id) || !mayBeUntold(message)),
      );
      expect({ narrow, ids }).toEqual({ narrow, ids: there.map(({ id }) => id) });
      expect({ narrow, messages: shown.map(known) }).toEqual({ narrow, messages: there.map(known) });
    }
  }
  const fresh = (await ann.register(REGISTER)).state as ClientState;
  const now = structuredClone(state) as unknown as ClientState;
  learnFirstMessages(now, fresh);
  // The newest own message changes with all messages that become visible or invisible, which no event tells.
  for (const field of ['max_message_id', 'recent_private_conversations', 'starred_messages']) now[field] = fresh[field];
  expect(comparable(now)).toEqual(comparable(fresh));
}

/**
 * Whether the message may be missing: the reader never received it, and it came from another channel. Who is not subscribed
 * there is not told that it comes (docs/client.md).
 */
function mayBeUntold({ flags, edit_history: history = [] }: any): boolean {
  return flags.includes('historical') && history.some((change: any) => change.prev_stream !== undefined);
}

/** Fields that only `GET /messages` says, some of them of searches alone. */
const FETCHED_ONLY = ['edit_history', 'recipient_id', 'match_content', 'match_subject'];

/** What events say of a message. */
function known(message: { readonly flags: readonly string[] } | undefined): unknown {
  if (message === undefined) return undefined;
  const told = Object.entries(message).filter(([name]) => !FETCHED_ONLY.includes(name));
  return { ...Object.fromEntries(told), flags: [...message.flags].sort() };
}

async function expectOnce(ann: ApiClient, acts: readonly Act[], since: number): Promise<void> {
  const { messages } = await ann.ok('GET', '/messages', {
    anchor: 'newest',
    num_before: 5000,
    num_after: 0,
    narrow: [{ operator: 'sender', operand: ann.userId }],
    apply_markdown: false,
  });
  for (const act of acts) {
    if (act.does !== 'post') continue;
    const copies = messages.filter(({ id, content }: any) => id > since && content === act.content).length;
    expect([act.content, copies <= 1]).toEqual([act.content, true]);
  }
}
