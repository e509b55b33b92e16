/**
 * Every line of every answer of the audit is that of a naive replay of the whole log, as of moments chosen by chance; with new read
 * models over a copy of the log as well. FUZZ makes the story and the questions more, FUZZ_SEED chooses another story.
 */
import { readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../../../apps/cli/src/command-line.js';
import { rounds, SEED, seeded, sized } from '#testing';
import { audited, type AuditRow, letAudit, readLog } from '../../support/audit.js';
import { NaiveAccess } from '../../support/audit-replay/access.js';
import { NaiveMessages } from '../../support/audit-replay/messages.js';
import { NaiveParts } from '../../support/audit-replay/parts.js';
import {
  type ExpectedRow,
  isCutAt,
  type RawEvent,
  RawLog,
  timeOf,
  type Until,
} from '../../support/audit-replay/raw-log.js';
import { widerActs } from '../../support/audit-replay/wider-acts.js';
import { LAST_WORDS, type Story, tellStory } from '../../support/audit-story.js';
import type { ApiClient } from '../../support/client.js';
import { type MovedClock, moveClock } from '../../support/later.js';
import { OperatorCalls } from '../../support/operator.js';
import { isShared } from '../../support/pairings.js';
import { type Cast, startWithPeople } from '../../support/people.js';

const ACTS = sized({ nightly: isShared ? 800 : 10_000, usual: rounds(isShared ? 60 : 400) });
const MOMENTS = sized({ nightly: 60, usual: rounds(isShared ? 8 : 30) });
/** Of messages, topics, parts: so many are asked for as of each moment. */
const OF_EACH = sized({ nightly: 10, usual: 2 });
/** On shared stores each act waits for several processes; at night there are thousands. */
const STORY_LIMIT_MS = sized({ nightly: 3_600_000, usual: 600_000 });
const KEPT_FOR_SECONDS = 2 * 86_400;
const SETTINGS = ['message_content_edit_limit_seconds', 'waiting_period_threshold', 'enable_spectator_access'];
const PERMISSIONS = ['can_create_groups', 'can_mention_many_users_group', 'can_set_delete_message_policy_group'];
const WORDS = ['secret', 'noon bread', 'noon', 'kettle', 'river', 'stone', 'orange', 'leave', 'bread', 'poll'];

let cast: Cast;
let clock: MovedClock;
let owner: ApiClient;
/** Has no part in the story, so that questions are no acts of it. */
let auditor: ApiClient;
let story: Story;
let log: readonly RawEvent[];
let lastMessageId: number;
let messages: NaiveMessages, parts: NaiveParts, access: NaiveAccess;
let moments: readonly (Until | undefined)[];

/** What was said in the channels so far has been kept for long enough. */
async function letExpire(...ids: readonly number[]): Promise<void> {
  for (const id of ids) await owner.call('PATCH', `/streams/${id}`, { message_retention_days: 1 });
  // Uses of before are noted before the clock moves.
  await cast.server.restart();
  clock.goOn(KEPT_FOR_SECONDS);
  await new OperatorCalls(cast.server).ok('POST', 'retention');
  for (const id of ids) await owner.call('PATCH', `/streams/${id}`, { message_retention_days: 'unlimited' });
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
  const { state } = await owner.register();
  const initially = Object.fromEntries(
    [...SETTINGS, ...PERMISSIONS, 'can_audit_group', 'can_create_web_public_channel_group'].map((name) => [
      name,
      state[`realm_${name}`],
    ]),
  );
  auditor = await cast.server.user('Ida Inspector');
  await letAudit(owner, auditor);
  story = await tellStory(cast, ACTS, SEED, clock, (telling) =>
    widerActs(telling, () => letExpire(telling.story.channels[2] ?? 0)),
  );
  // Nobody becomes a full member after the log was read.
  await owner.ok('PATCH', '/realm', { waiting_period_threshold: 0 });
  await letExpire(story.channels.at(-1) ?? 0, story.attic);
  await cast.server.restart(async () => {
    log = await readLog(cast.server.eventStoreUrl);
  });
  expect(log.filter(({ type }) => type === 'messages.expired.v1').length).toBeGreaterThan(0);
  const raw = new RawLog(log);
  messages = new NaiveMessages(raw);
  parts = new NaiveParts(raw, initially);
  access = new NaiveAccess(raw, messages);
  lastMessageId = log.filter(({ stream }) => stream === '1.messages').length;
  const random = seeded(SEED + 1);
  const any = (): RawEvent => log[Math.floor(random() * log.length)] as RawEvent;
  moments = [
    undefined,
    momentOf(log.findLast(({ data }) => data.content === LAST_WORDS) ?? any(), 'seconds'),
    ...Array.from({ length: MOMENTS }, (_, index) => momentOf(any(), index % 2 === 0 ? 'position' : 'seconds')),
  ];
}, STORY_LIMIT_MS);
afterAll(async () => {
  await cast.server.stop();
  clock.stop();
});

const momentText = (until: Until): string => ('position' in until ? `@${until.position}` : String(until.seconds));
const asOf = (until: Until | undefined): Record<string, string> =>
  until === undefined ? {} : { as_of: momentText(until) };
type Parameters = Record<string, string | number>;
const ask = (question: string, until: Until | undefined, parameters: Parameters = {}) =>
  audited(auditor, question, { ...parameters, ...asOf(until) });

/** Without the restart at the end of the story, and these questions: they are in no log that was read before them. */
const inLog = (rows: readonly AuditRow[]): readonly AuditRow[] =>
  rows.filter(({ position }) => Number(position) <= (log.at(-1)?.position ?? 0));

/** Fields in one order, and without those that are undefined. */
const plain = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(plain);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, field]) => [name, plain(field)]));
};
const sorted = (rows: readonly object[]): string[] => rows.map((row) => JSON.stringify(plain(row))).sort();

/** What was asked is beside the answers, so that a difference says it; with the seed. */
function expectSame(
  asked: readonly unknown[],
  found: readonly AuditRow[],
  expected: readonly ExpectedRow[],
  order: 'as told' | 'any' = 'as told',
): void {
  const told = order === 'any' ? [sorted(found), sorted(expected)] : [plain(found), plain(expected)];
  expect({ seed: SEED, asked, rows: told[0] }).toEqual({ seed: SEED, asked, rows: told[1] });
}

/** Runs with each moment, and a choice of items for it. */
async function atMoments<Item>(
  items: readonly Item[],
  work: (until: Until | undefined, item: Item) => Promise<void>,
): Promise<void> {
  const random = seeded(SEED + items.length);
  for (const until of moments) {
    const left = [...items];
    const count = until === undefined ? items.length : Math.min(OF_EACH, items.length);
    for (let taken = 0; taken < count; taken++)
      await work(until, left.splice(Math.floor(random() * left.length), 1)[0] as Item);
  }
}

const someMessages = (): number[] => Array.from({ length: lastMessageId }, (_, index) => index + 1);
const allChannels = (): number[] => [...story.channels, story.attic];
const userIds = (): number[] => story.people.map(({ userId }) => userId);

function answersAreThoseOfAReplay(): void {
  test(
    'of messages',
    async () => {
      let rows = 0;
      await atMoments(someMessages(), async (until, id) => {
        const found = await ask(`messages/${id}`, until);
        const told = found.filter(({ type }) => type !== 'notified' && !String(type).startsWith('file'));
        expectSame(
          ['message', id, until],
          told.map((row) => ({ ...row, diff: undefined })),
          messages.message(id, until),
        );
        let before = '';
        for (const { type, content, diff } of told) {
          if (type === 'edited') {
            const side = (which: 'deleted' | 'inserted') => diff.map((one: any) => one.kept ?? one[which]).join('');
            expect([side('deleted'), side('inserted')]).toEqual([before, content]);
          }
          if (type === 'sent' || type === 'edited') before = content;
        }
        rows += told.length;
      });
      expect(rows).toBeGreaterThan(50);
    },
    STORY_LIMIT_MS,
  );

  test(
    'of topics',
    async () => {
      const topics = allChannels().flatMap((channel) => story.topics.map((topic) => ({ channel, topic })));
      let left = 0;
      await atMoments(topics, async (until, { channel, topic }) => {
        const expected = messages.topic(channel, topic, until);
        expectSame(['topic', channel, topic, until], await ask('topic', until, { channel, topic }), expected);
        left += expected.filter((row) => row['left'] !== undefined).length;
      });
      expect(left).toBeGreaterThan(0);
    },
    STORY_LIMIT_MS,
  );

  test(
    'of channels, groups and users',
    async () => {
      await atMoments(allChannels(), async (until, channel) => {
        expectSame(
          ['channel', channel, until],
          await ask('channel', until, { channel }),
          parts.channel(channel, until),
        );
      });
      await atMoments([...story.groups, 1, 3, 4, 5, 6, 8], async (until, group) => {
        expectSame(['group', group, until], await ask('group', until, { group }), parts.group(group, until));
      });
      await atMoments(userIds(), async (until, user) => {
        expectSame(['user', user, until], await ask('user', until, { user }), parts.user(user, until), 'any');
      });
    },
    STORY_LIMIT_MS,
  );

  test(
    'of who could read a channel',
    async () => {
      await atMoments(allChannels(), async (until, channel) => {
        const found = await ask('access', until, { channel });
        expectSame(['access', channel, until], found, access.ofChannel(channel, undefined, until));
      });
      const pairs = allChannels().flatMap((channel) => userIds().map((user) => ({ channel, user })));
      await atMoments(pairs, async (until, { channel, user }) => {
        const found = await ask('access', until, { channel, user });
        expectSame(['access', channel, user, until], found, access.ofChannel(channel, user, until));
      });
      await atMoments(userIds(), async (until, user) => {
        const found = await ask('access', until, { could_read: user });
        expectSame(['could_read', user, until], found, access.couldRead(user, until));
      });
    },
    STORY_LIMIT_MS,
  );

  test(
    'of who could read a message',
    async () => {
      const seen = { true: 0, false: 0 };
      await atMoments(someMessages(), async (until, id) => {
        const found = await ask('access', until, { message_id: id });
        expectSame(['access to', id, until], found, access.ofMessage(id, undefined, until));
        // Only who is named is told that they could not.
        const user = userIds()[id % userIds().length] ?? 0;
        const named = await ask('access', until, { message_id: id, user });
        expectSame(['access to', id, user, until], named, access.ofMessage(id, user, until));
        for (const row of named) seen[`${row['can_read'] === true}`]++;
      });
      expect(Math.min(seen.true, seen.false)).toBeGreaterThan(2);
    },
    STORY_LIMIT_MS,
  );

  test(
    'of who can read a message now, as the product lets them',
    async () => {
      for (const id of someMessages().filter((one) => one % 3 === 0)) {
        const rows = await ask('access', undefined, { message_id: id });
        const readers = rows
          .filter(({ type, user }) => type === 'access' && user !== undefined)
          .map(({ user }) => user.user_id);
        for (const client of story.people) {
          const { status, body } = await client.call('GET', `/messages/${id}`);
          // The key of a bot that was given away is another one.
          if (body.msg === 'Invalid API key') continue;
          expect([id, client.userId, readers.includes(client.userId)]).toEqual([id, client.userId, status === 200]);
        }
      }
    },
    STORY_LIMIT_MS,
  );

  test(
    'of words',
    async () => {
      const states = new Set<string>();
      await atMoments(WORDS, async (until, words) => {
        const rows = await ask('search', until, { words });
        expectSame(['search', words, until], rows, messages.search(words.split(' '), until), 'any');
        for (const { state } of rows) states.add(state as string);
      });
      expect([...states].sort()).toEqual(['current', 'deleted', 'replaced']);
    },
    STORY_LIMIT_MS,
  );

  test(
    'of everything that somebody did, of sign-ins and of calls',
    async () => {
      const all = [...userIds(), 'operator' as const];
      await atMoments(all, async (until, who) => {
        const found = inLog(await ask('acts', until, { who }));
        expectSame(['acts', who, until], found, messages.acts(who, undefined, until));
        if (until === undefined) return;
        const after = inLog(await audited(auditor, 'acts', { who, after: momentText(until) }));
        expectSame(['acts', who, 'after', until], after, messages.acts(who, until, undefined));
        const before = inLog(await audited(auditor, 'acts', { who, before: momentText(until) }));
        expectSame(['acts', who, 'before', until], before, messages.acts(who, undefined, until));
      });
      await atMoments([undefined, ...userIds()], async (until, user) => {
        for (const isFailedOnly of [false, true]) {
          const given = { ...(user === undefined ? {} : { user }), ...(isFailedOnly ? { failed: 'true' } : {}) };
          const found = inLog(await ask('sign-ins', until, given));
          expectSame(['sign-ins', given, until], found, parts.signIns(user, isFailedOnly, until), 'any');
        }
      });
      for (const until of moments)
        expectSame(['audits', until], inLog(await ask('audits', until)), parts.audits(until));
    },
    STORY_LIMIT_MS,
  );

  test(
    'of settings and permissions',
    async () => {
      await atMoments([...SETTINGS, ...PERMISSIONS], async (until, setting) => {
        expectSame(
          ['setting', setting, until],
          await ask('setting', until, { setting }),
          parts.setting(setting, until),
        );
      });
      for (const until of moments)
        expectSame(['permissions', until], await ask('permissions', until), parts.permissions(until));
    },
    STORY_LIMIT_MS,
  );
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
