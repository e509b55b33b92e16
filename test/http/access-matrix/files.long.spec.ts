import { fileAt, FILE_ADDRESSES, recordImages } from '../../support/access/files.js';
import { Findings, HIDDEN, neutral, OPEN, verdictOf } from '../../support/access/findings.js';
import { mayAccess } from '../../support/access/model.js';
import { type Privacy, STATES, VIEWERS, type Viewer } from '../../support/access/privacy.js';
import { each, fewerWhereDear } from '../../support/access/story.js';
import { NO_ID } from '../../support/access/world.js';
import type { ApiClient } from '../../support/client.js';
import { PrivacyWorld } from '../../support/access/privacy-world.js';
import type { TestServer } from '../../support/server.js';

/**
 * Who opens a file, by every address that leads to it, before and after its message is moved, edited or deleted, or its channel changes: held
 * against `access-model.ts`. Those without an account are among the viewers.
 */
jest.setTimeout(300_000);

/** A file, and a message of its uploader that refers to it, in a channel of its own. */
interface Case {
  readonly name: string;
  readonly file: string;
  readonly channelId: number;
  readonly from: Privacy;
  /** Of the message's channel in the end; undefined when no message refers to the file any more. */
  readonly to: Privacy | undefined;
  readonly isArchived?: true;
  readonly isRemoved?: true;
  change?(one: Case): Promise<unknown>;
}

const UPLOADER: Viewer = { name: 'uploader', role: 'administrator' };
const SPECTATOR: Viewer = { name: 'without an account', role: 'guest' };
const ACCOUNTS = VIEWERS.filter(({ stars }) => stars === undefined);

const findings = new Findings();
const messages = new Map<Case, number>();
let clients: ReadonlyMap<Viewer, ApiClient>;
let server: TestServer;
let adam: ApiClient;
let cases: readonly Case[];

beforeAll(async () => {
  const world = await PrivacyWorld.begin(ACCOUNTS);
  ({ server, adam } = world);
  clients = new Map([[UPLOADER, adam], ...world.clients]);
  const planned = plannedCases(world.lastChannelId);
  // The places where messages move come first.
  const places = Object.keys(STATES).length;
  cases = [...planned.slice(0, places), ...fewerWhereDear(planned.slice(places))];
  const files = [...cases, { file: fileAt(adam.userId, NO_ID) }].map(({ file }) => ({ userId: adam.userId, file }));
  await world.open(cases, () => recordImages(server, files));
  await each(cases, async (one) => {
    messages.set(one, await adam.send(one.channelId, 'lunch', `[soup](${one.file})`));
  });
  await world.leave(cases);
});
afterAll(() => server.stop());
afterEach(() => expect(findings.takeTable()).toBe(''));

test('before the changes, by the usual address', () => ask(FILE_ADDRESSES.slice(0, 1), false));

test('after them, by every address', async () => {
  for (const one of cases) await one.change?.(one);
  await ask(FILE_ADDRESSES, true);
});

test('a file to which no message refers is its uploader’s alone', async () => {
  const file = fileAt(adam.userId, NO_ID);
  for (const address of FILE_ADDRESSES) {
    const found = await Promise.all(
      [...clients.values(), undefined].map(async (client) => (await address.load(server.url, file, client)).status),
    );
    expect([address.name, found[0]]).toEqual([address.name, 200]);
    expect([address.name, ...new Set(found.slice(1, -1))]).toEqual([address.name, 404]);
    expect([address.name, found.at(-1)]).toEqual([address.name, address.needsAccount ? 401 : 404]);
  }
});

test('a key of nobody, and one of an account that is deactivated, open nothing that spectators may see', async () => {
  const gone = await server.user('Gone Gray');
  await server.owner.ok('DELETE', `/users/${gone.userId}`);
  const open = cases.find(({ to, change }) => change === undefined && to?.kind.isWebPublic)!;
  for (const [client, code] of [
    [Object.assign(adam.as('x'), { apiKey: 'x'.repeat(32) }), 'INVALID_API_KEY'],
    [gone, 'USER_DEACTIVATED'],
  ] as const)
    for (const address of FILE_ADDRESSES) {
      const { status, text } = await address.load(server.url, open.file, client);
      const told = address.name.startsWith('HEAD') ? '' : expect.stringContaining(code);
      expect([address.name, status, text]).toEqual([address.name, 401, told]);
    }
});

test('every address was asked for what is open and for what is not', () => {
  for (const [route, counts] of findings.counts)
    expect([route, [...counts.keys()].sort()]).toEqual([route, ['hidden', 'open']]);
  expect(findings.counts.size).toBe(FILE_ADDRESSES.length);
  expect(findings.total).toBe(cases.length * (ACCOUNTS.length + 2) * (FILE_ADDRESSES.length + 1));
});

function plannedCases(lastId: number): readonly Case[] {
  const planned: Case[] = [];
  const plan = (name: string, from: Privacy, more: Partial<Case> = {}): Case => {
    const place = planned.length + 1;
    const one = { name, from, to: from, file: fileAt(adam.userId, place), channelId: lastId + place, ...more };
    planned.push(one);
    return one;
  };
  const message = (one: Case): string => `/messages/${messages.get(one)}`;
  for (const [state, from] of Object.entries(STATES)) plan(state, from);
  const places = [...planned];
  for (const [state, from] of Object.entries(STATES)) {
    for (const place of places.filter(({ name }) => name !== state)) {
      plan(`moved from ${state} to ${place.name}`, from, {
        to: place.from,
        change: (one) => adam.ok('PATCH', message(one), { stream_id: place.channelId, topic: `from ${one.channelId}` }),
      });
      plan(`turned from ${state} to ${place.name}`, from, {
        to: place.from,
        change: ({ channelId }) => adam.ok('PATCH', `/streams/${channelId}`, place.from.asked),
      });
    }
    plan(`${state}, renamed topic`, from, { change: (one) => adam.ok('PATCH', message(one), { topic: 'dinner' }) });
    plan(`${state}, archived`, from, {
      isArchived: true,
      change: ({ channelId }) => adam.ok('DELETE', `/streams/${channelId}`),
    });
    plan(`${state}, edited away`, from, {
      to: undefined,
      change: (one) => adam.ok('PATCH', message(one), { content: 'no soup' }),
    });
    plan(`${state}, deleted`, from, { to: undefined, change: (one) => adam.ok('DELETE', message(one)) });
    plan(`${state}, file removed`, from, { isRemoved: true, change: ({ file }) => removeFile(file) });
  }
  return planned;
}

async function removeFile(file: string): Promise<void> {
  const { attachments } = await adam.ok('GET', '/attachments');
  const { id } = attachments.find(({ path_id }: any) => file.endsWith(path_id));
  await adam.ok('DELETE', `/attachments/${id}`);
}

async function ask(addresses: typeof FILE_ADDRESSES, hasChanged: boolean): Promise<void> {
  for (const viewer of [UPLOADER, ...ACCOUNTS, SPECTATOR])
    for (const { name: route, needsAccount, load } of addresses) {
      const client = clients.get(viewer);
      const toNothing = neutral(await load(server.url, fileAt(NO_ID, 0), client));
      await each(cases, async (one) => {
        const isOpen = mayOpen(viewer, one, hasChanged) && !(needsAccount && client === undefined);
        const found = verdictOf(await load(server.url, one.file, client), toNothing);
        const kind = `${one.name}, ${hasChanged ? 'after' : 'before'}`;
        findings.check({ route, kind, role: viewer.role, history: viewer.name }, isOpen ? OPEN : HIDDEN, found);
      });
    }
}

function mayOpen(viewer: Viewer, { from, to, isArchived, isRemoved }: Case, hasChanged: boolean): boolean {
  if (hasChanged && isRemoved) return false;
  if (viewer === UPLOADER) return true;
  const kind = (hasChanged ? to : from)?.kind;
  if (kind === undefined) return false;
  if (viewer === SPECTATOR) return kind.isWebPublic === true && !(hasChanged && isArchived);
  const { role, wasInside, isInside } = viewer;
  const place = { kind, atSend: wasInside === true, isInside: isInside === true };
  return mayAccess({ role, ...place, isSender: false, isMentioned: false, isHeld: false });
}
