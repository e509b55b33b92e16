import * as fc from 'fast-check';
import { streams } from '#event-store';
import { apiEmail, ROLE, type User } from '#users/model';
import { Directory, mayKnowUser } from '#people';
import { SYSTEM_GROUPS, systemGroupId } from '#groups/model';
import { preferencesPart } from '#preferences/model';
import { LocalBroadcast } from '#read-store';
import { ManualClock, MemoryKeyValueStore, rounds, sampleAccount, sampleOrganization, sized } from '#testing';
import { PresenceLists, type PresencesAsked } from './list-presences.js';
import type { Presence } from './presence-book.js';
import { Presences } from './presences.js';
import { legacyPresence, wirePresence } from './wire-presence.js';

const USERS = 300;
const MEMBER = 1;
const GUEST = 2;
/** Guests know those whom they share this channel with. */
const CHANNEL = 1;
const SUBSCRIBERS = [GUEST, 5, 77, 140, 299];
const DAY_MS = 86_400_000;

const range = fc.tuple(fc.integer({ min: 1, max: USERS }), fc.integer({ min: 1, max: USERS }), fc.constantFrom(1, 7));
const action = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(1, 1_000, 57_000, DAY_MS) }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('active' as const, 'idle' as const), range }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('share', 'hide', 'deactivate', 'reactivate', 'hide-email', 'show-email', 'rename'),
      range,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('disable', 'enable', 'limit', 'restart') }) },
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

/** A server, and how long each presence has been as it is. */
class Server {
  readonly directory = new Directory([preferencesPart]);
  readonly clock = new ManualClock();
  readonly #side = new MemoryKeyValueStore();
  presences!: Presences;
  lists!: PresenceLists;
  /** By user: the presence, and the number of the step that brought it. */
  readonly changes = new Map<number, { readonly presence: Presence | undefined; readonly step: number }>();
  /** IDs of the newest update after each step of this process. */
  readonly updateIds = new Map<number, number>();
  #step = 0;

  constructor() {
    const at = this.clock.nowSeconds();
    this.#record(sampleOrganization(SYSTEM_GROUPS, at));
    for (let userId = 1; userId <= USERS; userId++)
      this.#record(sampleAccount(userId, userId === GUEST ? ROLE.guest : ROLE.member, at - userId));
    const subscribers = SUBSCRIBERS.map((userId) => ({ userId, color: '#fff' }));
    this.#record({ type: 'channel.subscribed.v1', data: { channelId: CHANNEL, subscribers, by: MEMBER, at } });
  }

  async start(): Promise<void> {
    this.presences = new Presences(this.directory, new LocalBroadcast(), this.#side, this.clock);
    this.lists = new PresenceLists(this.directory, this.presences, this.clock);
    await this.presences.onApplicationBootstrap();
    this.updateIds.clear();
    this.updateIds.set(this.#step, this.presences.lastUpdateId);
  }

  async run(one: Action): Promise<void> {
    this.#step++;
    if ('ms' in one) this.clock.atMs += one.ms;
    else if ('range' in one) for (const userId of idsIn(one.range)) this.#change(one.do, userId);
    else await this.#set(one.do);
    for (const user of this.directory.users()) {
      const presence = this.presences.of(user);
      if (this.changes.get(user.userId)?.presence !== presence)
        this.changes.set(user.userId, { presence, step: this.#step });
    }
    this.updateIds.set(this.#step, this.presences.lastUpdateId);
  }

  stop(): Promise<void> {
    return this.presences.onModuleDestroy();
  }

  #change(what: string, userId: number): void {
    const user = this.directory.user(userId)!;
    const at = this.clock.nowSeconds();
    switch (what) {
      case 'active':
      case 'idle':
        if (this.directory.of(preferencesPart).setting(userId, 'presence_enabled')) this.presences.report(user, what);
        return;
      case 'share':
      case 'hide':
        if (this.directory.of(preferencesPart).setting(userId, 'presence_enabled') === (what === 'share')) return;
        this.#record(
          { type: 'user-settings.changed.v1', data: { userId, settings: { presence_enabled: what === 'share' }, at } },
          streams.user(userId),
        );
        return;
      case 'deactivate':
        if (user.isActive && userId > GUEST)
          this.#record({ type: 'user.deactivated.v1', data: { userId, by: MEMBER, at } });
        return;
      case 'reactivate':
        if (!user.isActive) this.#record({ type: 'user.reactivated.v1', data: { userId, by: MEMBER, at } });
        return;
      case 'rename':
        this.#record({
          type: 'user.changed.v1',
          data: { userId, email: `at${this.#step}.${user.email}`, by: userId, at },
        });
        return;
      default:
        this.#record({
          type: 'user.email-visibility-changed.v1',
          data: {
            userId,
            visibility: { from: 1, to: what === 'hide-email' ? 4 : 1 },
            ...(what === 'hide-email' ? { apiEmail: `"user${userId}"@acme.test` } : undefined),
            at,
          },
        });
    }
  }

  async #set(what: string): Promise<void> {
    const common = { by: MEMBER, at: this.clock.nowSeconds() };
    if (what === 'restart') {
      await this.stop();
      await this.start();
    } else if (what === 'limit') {
      const permissions = { can_access_all_users_group: systemGroupId('role:members') };
      this.#record({ type: 'organization.settings-changed.v1', data: { permissions, ...common } });
    } else {
      const settings = { presence_disabled: what === 'disable' };
      this.#record({ type: 'organization.settings-changed.v1', data: { settings, ...common } });
    }
  }

  #record(event: { readonly type: string; readonly data: object }, stream: string = streams.organization): void {
    const { position, revision } = this.directory;
    this.directory.apply({
      ...event,
      stream,
      position: position + 1,
      revision: stream === streams.organization ? revision + 1 : 0,
      id: '',
      metadata: {},
      recordedAtMs: 0,
    });
  }
}

function idsIn([from, to, step]: typeof range extends fc.Arbitrary<infer T> ? T : never): number[] {
  const ids: number[] = [];
  for (let userId = Math.min(from, to); userId <= Math.max(from, to); userId += step) ids.push(userId);
  return ids;
}

/** What the answer must contain, user by user. */
function expected(server: Server, viewer: User, asked: PresencesAsked, sinceStep: number): object {
  const { directory, clock } = server;
  const entries: [string, object][] = [];
  for (const user of directory.settings.presence_disabled ? [] : directory.users()) {
    const presence = server.presences.of(user);
    if (presence === undefined || !user.isActive || !mayKnowUser(directory, viewer, user)) continue;
    if (asked.since > 0 && server.changes.get(user.userId)!.step <= sinceStep) continue;
    if (asked.historyDays === 0) continue;
    const days = (clock.nowSeconds() - presence.connectedAt) / (DAY_MS / 1000);
    if (asked.historyDays > 0 && asked.since <= 0 && days > asked.historyDays) continue;
    const website = legacyPresence(presence);
    entries.push(
      asked.format === 'modern'
        ? [String(user.userId), wirePresence(presence, user)]
        : [apiEmail(user), { aggregated: website, website }],
    );
  }
  return Object.fromEntries(entries);
}

function answer(server: Server, viewer: User, asked: PresencesAsked): object {
  const text = server.lists
    .fields(viewer, asked)
    .map((piece) => Buffer.from(piece).toString())
    .join('');
  const { presences, server_timestamp } = JSON.parse(`{${text}}`);
  expect(server_timestamp).toBe(server.clock.nowMs() / 1000);
  // A user who is named twice would be one after parsing.
  expect(text.match(/"(idle_timestamp|aggregated)"/g) ?? []).toHaveLength(Object.keys(presences).length);
  return presences;
}

test('an answer has what is to be told of each user, whatever was built for earlier answers', async () => {
  let told = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 25 }), fc.nat(), async (actions, pick) => {
      const server = new Server();
      await server.start();
      for (const [index, one] of actions.entries()) {
        await server.run(one);
        const steps = [...server.updateIds.keys()];
        const step = steps[(pick + index) % steps.length]!;
        for (const viewer of [MEMBER, GUEST].map((userId) => server.directory.user(userId)!))
          for (const format of ['modern', 'legacy'] as const)
            for (const [since, historyDays] of [
              [-1, 14],
              [-1, (pick + index) % 3],
              [server.updateIds.get(step)!, (pick + index) % 2],
            ] as const) {
              const asked = { format, historyDays, since };
              const presences = answer(server, viewer, asked);
              expect(presences).toEqual(expected(server, viewer, asked, step));
              told += Object.keys(presences).length;
            }
      }
      await server.stop();
    }),
    { numRuns: rounds(sized({ nightly: 30, usual: 4 })) },
  );
  expect(told).toBeGreaterThan(sized({ nightly: 10_000, usual: 3_000 }));
});
