/**
 * Every answer of the audit is that of a naive replay of the whole log, before and after a rebuild over a copy of the log, as of
 * moments chosen by chance.
 */
import { readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../../../apps/cli/src/command-line.js';
import { SEED, seeded, sized } from '#testing';
import { audited, type AuditRow, letAudit, readLog } from '../../support/audit.js';
import { LAST_WORDS, type Story, tellStory } from '../../support/audit-story.js';
import type { ApiClient } from '../../support/client.js';
import { later, moveClock, type MovedClock } from '../../support/later.js';
import { isCutAt, NaiveAudit, type RawEvent, timeOf, type Until } from '../../support/naive-audit.js';
import { OperatorCalls } from '../../support/operator.js';
import { isShared } from '../../support/pairings.js';
import { startWithPeople, type Cast } from '../../support/people.js';

const ACTS = sized({ nightly: isShared ? 800 : 10_000, usual: isShared ? 60 : 250 });
const MOMENTS = sized({ nightly: 12, usual: isShared ? 2 : 3 });
/** Of the messages, so many are asked for. */
const MESSAGES = sized({ nightly: 300, usual: isShared ? 12 : 40 });
/** On shared stores each act waits for several processes; at night there are thousands. */
const STORY_LIMIT_MS = sized({ nightly: 3_600_000, usual: 600_000 });

let cast: Cast;
let clock: MovedClock;
let owner: ApiClient;
let story: Story;
let log: readonly RawEvent[];
let naive: NaiveAudit;
let moments: readonly (Until | undefined)[];

/** What was said in the channels so far has been kept for long enough. */
async function letExpire(...ids: readonly number[]): Promise<void> {
  for (const id of ids) await owner.ok('PATCH', `/streams/${id}`, { message_retention_days: 1 });
  await later(2 * 86_400, () => new OperatorCalls(cast.server).ok('POST', 'retention'));
}

/** Its second only where that is one stretch of the log. */
function momentOf(event: RawEvent, kind: 'position' | 'seconds'): Until {
  const seconds = timeOf(event);
  return kind === 'seconds' && isCutAt(log, seconds) ? { seconds } : { position: event.position };
}

beforeAll(async () => {
  clock = moveClock();
  cast = await startWithPeople(undefined, { RETENTION: 'on' });
  ({ owner } = cast);
  owner.userId = (await owner.ok('GET', '/users/me')).user_id;
  await letAudit(owner, owner);
  story = await tellStory(cast, ACTS, SEED, clock);
  await letExpire(story.channels.at(-1) ?? 0, story.attic);
  await cast.server.restart(async () => {
    log = await readLog(cast.server.eventStoreUrl);
  });
  expect(log.filter(({ type }) => type === 'messages.expired.v1').length).toBeGreaterThan(0);
  naive = new NaiveAudit(log);
  const random = seeded(SEED + 1);
  const any = (): RawEvent => log[Math.floor(random() * log.length)] as RawEvent;
  moments = [
    undefined,
    momentOf(log.findLast(({ data }) => data.content === LAST_WORDS) ?? any(), 'seconds'),
    ...Array.from({ length: MOMENTS - 1 }, (_, index) => momentOf(any(), index % 2 === 0 ? 'position' : 'seconds')),
  ];
}, STORY_LIMIT_MS);
afterAll(async () => {
  await cast.server.stop();
  clock.stop();
});

const asOf = (until: Until | undefined): Record<string, string> =>
  until === undefined ? {} : { as_of: 'position' in until ? `@${until.position}` : String(until.seconds) };
const ask = (question: string, until: Until | undefined, parameters: Record<string, string | number> = {}) =>
  audited(owner, question, { ...parameters, ...asOf(until) });

function shortForm(row: AuditRow): (string | number | boolean | null)[] {
  const { type, position, actor, user } = row;
  const by = actor.user_id;
  switch (type) {
    case 'delivered':
      return [position, type, user.user_id];
    case 'sent':
      return [position, type, row['sender'].user_id, row['content']];
    case 'edited':
      return [position, type, by, row['version'], row['content']];
    case 'moved':
      return [position, type, by, row['to'].channel_id, row['to'].topic];
    case 'deleted':
      return [position, type, by ?? null, row['deleted_with']];
    case 'flag':
      return [position, type, user.user_id, row['op'], row['flag']];
    default:
      return [position, type, by, row['emoji_name']];
  }
}

/** Without the restart at the end of the story, and these questions: they are in no log that was read before them. */
const inLog = <Short extends readonly unknown[]>(rows: readonly Short[]): readonly Short[] =>
  rows.filter(([position]) => Number(position) <= (log.at(-1)?.position ?? 0));
const isOfStory = ({ type }: AuditRow): boolean => type !== 'notified' && !String(type).startsWith('file');
const sorted = (rows: readonly (readonly unknown[])[]): string[] => rows.map((row) => JSON.stringify(row)).sort();

/** Every message, or those that come in equal steps. */
function someMessages(): number[] {
  const step = Math.max(1, Math.floor(story.lastId / MESSAGES));
  return Array.from({ length: Math.ceil(story.lastId / step) }, (_, index) => 1 + index * step);
}

function answersAreThoseOfAReplay(): void {
  test('of messages', async () => {
    let rows = 0;
    for (const id of someMessages())
      for (const until of moments) {
        const found = (await ask(`messages/${id}`, until)).filter(isOfStory);
        expect([id, until, sorted(found.map(shortForm))]).toEqual([id, until, sorted(naive.message(id, until))]);
        let before = '';
        for (const { type, content, diff } of found) {
          if (type === 'edited') {
            const side = (which: 'deleted' | 'inserted') => diff.map((one: any) => one.kept ?? one[which]).join('');
            expect([side('deleted'), side('inserted')]).toEqual([before, content]);
          }
          if (type === 'sent' || type === 'edited') before = content;
        }
        rows += found.length;
      }
    expect(rows).toBeGreaterThan(50);
  });

  test('of topics', async () => {
    let left = 0;
    for (const channel of story.channels)
      for (const topic of story.topics)
        for (const until of moments) {
          const found = (await ask('topic', until, { channel, topic })).map((row) => [
            row['message_id'],
            row['version'],
            row['content'],
            row['topic'],
            row['left'] !== undefined,
          ]);
          const expected = naive.topic(channel, topic, until);
          expect([channel, topic, until, found]).toEqual([channel, topic, until, expected]);
          left += expected.filter((one) => one[4] === true).length;
        }
    expect(left).toBeGreaterThan(0);
  });

  test('of channels, groups, users', async () => {
    for (const until of moments) {
      for (const channel of story.channels) {
        const rows = await ask('channel', until, { channel });
        const members = rows.filter(({ type }) => type === 'subscriber').map(({ user }) => user.user_id);
        expect([channel, until, members]).toEqual([channel, until, naive.subscribers(channel, until)]);
      }
      for (const group of story.groups) {
        const rows = await ask('group', until, { group });
        const members = rows.filter(({ type }) => type === 'member').map(({ user }) => user.user_id);
        expect([group, until, members]).toEqual([group, until, naive.members(group, until)]);
      }
      for (const { userId } of story.people) {
        const rows = await ask('user', until, { user: userId });
        const [state] = rows.filter(({ type }) => type === 'user');
        const found = state === undefined ? undefined : [state['full_name'], state['role'], state['is_active']];
        expect([userId, until, found]).toEqual([userId, until, naive.user(userId, until)]);
        const channels = rows.filter(({ type }) => type === 'subscription').map((row) => row['channel_id']);
        const expected = story.channels.filter((channel) => naive.subscribers(channel, until).includes(userId));
        expect([userId, until, channels.filter((channel) => story.channels.includes(channel)).sort()]).toEqual([
          userId,
          until,
          [...expected].sort(),
        ]);
      }
    }
  });

  test('of who could read a message', async () => {
    const seen = { true: 0, false: 0 };
    for (const [index, id] of someMessages()
      .filter((_, place) => place % 4 === 0)
      .entries())
      for (const until of moments) {
        const readers = (await ask('access', until, { message_id: id }))
          .filter(({ type, user }) => type === 'access' && user !== undefined)
          .map(({ user }) => user.user_id);
        for (const { userId } of story.people) {
          const canRead = readers.includes(userId);
          expect([id, until, userId, canRead]).toEqual([id, until, userId, naive.couldRead(id, userId, until)]);
          seen[`${canRead}`]++;
        }
        // Only who is named is told that they could not.
        const { userId = 0 } = story.people[index % story.people.length] ?? {};
        const [named] = await ask('access', until, { message_id: id, user: userId });
        expect([id, until, userId, named?.['can_read'] === true]).toEqual([
          id,
          until,
          userId,
          readers.includes(userId),
        ]);
      }
    expect(Math.min(seen.true, seen.false)).toBeGreaterThan(isShared ? 2 : 20);
  });

  test('of who can read a message now, as the product lets them', async () => {
    for (const id of someMessages().filter((_, index) => index % 3 === 0)) {
      const rows = await ask('access', undefined, { message_id: id });
      const readers = rows.filter(({ type }) => type === 'access').map(({ user }) => user.user_id);
      for (const client of story.people) {
        const { status } = await client.call('GET', `/messages/${id}`);
        expect([id, client.fullName, readers.includes(client.userId)]).toEqual([id, client.fullName, status === 200]);
      }
    }
  });

  test('of words', async () => {
    const states = new Set<string>();
    for (const words of ['secret', 'noon bread', 'noon', 'kettle', 'river', 'stone', 'orange', 'leave', 'bread'])
      for (const until of moments) {
        const rows = await ask('search', until, { words });
        const found = rows.map((row) => [row['message_id'], row['version'], row['state']]);
        expect([words, until, sorted(found)]).toEqual([words, until, sorted(naive.search(words.split(' '), until))]);
        for (const { state } of rows) states.add(state as string);
      }
    expect([...states].sort()).toEqual(['current', 'deleted', 'replaced']);
  });

  test('of everything by a person', async () => {
    const shortAct = (row: AuditRow): (string | number | boolean)[] => {
      if (row.type === 'used') return [row.position, row['use']];
      return row.type === 'sent'
        ? [row.position, row['content'], row['is_deleted'] === true]
        : [row.position, row['event']];
    };
    let deleted = 0;
    for (const { userId } of story.people)
      for (const until of moments) {
        const rows = await ask('acts', until, { who: userId });
        const [found, expected] = [rows.map(shortAct), naive.by(userId, until)];
        const known = inLog(found);
        expect([userId, until, sorted(known)]).toEqual([userId, until, sorted(expected)]);
        for (const { actor, event } of rows)
          if (event !== 'message.sent.v1') expect([event, actor.user_id]).toEqual([event, userId]);
        deleted += rows.filter((row) => row['is_deleted'] === true).length;
        if (until === undefined) continue;
        const { as_of: after = '' } = asOf(until);
        const later = await audited(owner, 'acts', { who: userId, after });
        const laterKnown = inLog(later.map(shortAct));
        const all = naive.by(userId);
        expect(laterKnown.length).toBe(all.length - expected.length);
        const until2 = await audited(owner, 'acts', { who: userId, before: after });
        expect(sorted(inLog(until2.map(shortAct)))).toEqual(sorted(known));
      }
    expect(deleted).toBeGreaterThan(0);
  });

  test('of settings and permissions', async () => {
    const name = 'message_content_edit_limit_seconds';
    for (const until of moments) {
      const rows = await ask('setting', until, { setting: name });
      expect(rows.map(({ position, actor, to }) => [position, actor.user_id, to])).toEqual(naive.setting(name, until));
      for (const [index, { from }] of rows.entries()) if (index > 0) expect(from).toEqual(rows[index - 1]?.['to']);
      const changes = (await ask('permissions', until)).map((row) => {
        const { position, actor, permission, from, to } = row;
        return permission === 'role'
          ? [position, from === undefined ? null : actor.user_id, 'role', from ?? null, to]
          : [position, actor.user_id, permission];
      });
      expect(sorted(changes)).toEqual(sorted(naive.permissions(until)));
    }
  });
}

describe('answers are those of a replay', answersAreThoseOfAReplay);

/** Puts a copy of the log, made by the command, in its place. A copy into another store than SQLite has positions of its own. */
async function restoreFromCopy(): Promise<void> {
  const { dataDir } = cast.server;
  const at = (name: string): string => join(dataDir, name);
  const told: string[] = [];
  const code = await runCommand(['copy-log', `sqlite:${at('events.db')}`, `sqlite:${at('copy.db')}`], {
    environment: {},
    print: (line) => void told.push(line),
    tell: (line) => void told.push(line),
    onInterrupt: () => undefined,
  });
  expect([code, told.at(-1)]).toEqual([0, expect.any(String)]);
  for (const name of readdirSync(dataDir)) if (name.startsWith('events.db')) rmSync(at(name));
  for (const name of readdirSync(dataDir))
    if (name.startsWith('copy.db')) renameSync(at(name), at(name.replace('copy', 'events')));
}

describe('with new read models, from a restored copy of the log, they still are', () => {
  beforeAll(() =>
    cast.server.restart(async () => {
      if (!isShared) await restoreFromCopy();
      await cast.server.forgetReadModels();
    }),
  );
  answersAreThoseOfAReplay();
});
