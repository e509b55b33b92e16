import { botsPart } from '#bots/model';
import { invitationsPart } from '#invitations/model';
import { Directory } from '#people';
import { domainsPart } from '#realm/model';
import { ROLE } from './model/role.js';
import type { User } from './model/user.js';
import { decideCreateOrganization, OWNER_ID } from './first-start/first-start.decider.js';
import { decideCreateUser, decideIssueApiKey, type CreateUser } from './users.decider.js';
import type { AccountEvent } from './account-event.js';

const at = 1_790_000_000;

function directoryOf(...events: readonly AccountEvent[]): Directory {
  const directory = new Directory([domainsPart, invitationsPart, botsPart]);
  events.forEach((event, index) => {
    directory.evolve(event, index + 1);
  });
  return directory;
}

const firstFacts = decideCreateOrganization({
  type: 'create-organization',
  uuid: 'b1946ac9-2492-4d23-8a5e-0d3f3f1a7c11',
  name: 'Acme',
  ownerEmail: 'owner@acme.test',
  ownerName: 'Olive Owner',
  ownerPasswordHash: '$argon2id$',
  ownerApiKeyHash: 'aa',
  botDomain: 'acme.test',
  at,
});

function mustFind(directory: Directory, userId: number): User {
  const user = directory.user(userId);
  if (user === undefined) throw new Error(`no user ${userId}`);
  return user;
}

function create(directory: Directory, change: Partial<CreateUser> = {}): readonly AccountEvent[] {
  return decideCreateUser(directory, {
    type: 'create-user',
    actorId: OWNER_ID,
    email: 'ann@acme.test',
    fullName: 'Ann Archer',
    passwordHash: '$argon2id$',
    apiKeyHash: () => 'bb',
    at,
    ...change,
  });
}

test('the first events make an owner who can log in, three bots and a default channel', () => {
  const directory = directoryOf(...firstFacts);
  expect(mustFind(directory, OWNER_ID)).toMatchObject({ role: ROLE.owner, apiKey: { generation: 1, hash: 'aa' } });
  expect([...directory.users()].filter((user) => user.systemBot !== undefined)).toHaveLength(3);
  expect([...directory.channels()].filter((channel) => channel.isDefault)).toHaveLength(1);
  expect(directory.isSubscribed(OWNER_ID, 1)).toBe(true);
});

test('a new account has a key and the default channels', () => {
  const directory = directoryOf(...firstFacts);
  const events = create(directory);
  expect(events.map(({ type }) => type)).toEqual([
    'user.created.v1',
    'user.api-key-issued.v1',
    'channel.subscribed.v1',
  ]);
  const after = directoryOf(...firstFacts, ...events);
  expect(after.userByEmail('ANN@acme.test')).toMatchObject({ fullName: 'Ann Archer', role: ROLE.member });
  expect(after.isSubscribed(OWNER_ID + 1, 1)).toBe(true);
});

test.each([
  ['an address in use', { email: 'OWNER@acme.test' }],
  ['a broken address', { email: 'ann' }],
  ['an address with two @', { email: 'a@b@c' }],
  ['an address with a null byte', { email: 'ann@acme.test\0' }],
  ['an address with an invisible character', { email: 'ann\u200b@acme.test' }],
  ['an address with a line break', { email: 'ann@acme.test\nBcc: all@acme.test' }],
  ['an address with two dots together', { email: 'ann@acme..test' }],
  ['an address that begins with a dot', { email: '.ann@acme.test' }],
  ['a domain that begins with a hyphen', { email: 'ann@-acme.test' }],
  ['a disposable address', { email: 'ann@mailinator.com' }],
  ['a short name', { fullName: ' A ' }],
  ['a name that breaks mentions', { fullName: 'Ann **bold**' }],
  ['a name that ends like a mention with an ID', { fullName: 'Ann|12' }],
  ['a name with a zero-width space', { fullName: 'Ann\u200b Archer' }],
  ['a name that changes direction', { fullName: 'Ann \u202erehcrA' }],
  ['the name of a bot of the server', { fullName: 'notification bot' }],
  ['a name that looks like one', { fullName: 'W\u0435lcome Bot' }],
])('%s is refused', (_, change) => {
  expect(() => create(directoryOf(...firstFacts), change)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }));
});

test('a name is kept composed, with plain spaces', () => {
  const [created] = create(directoryOf(...firstFacts), { fullName: ' Ame\u0301lie\u00a0Poulain ' });
  expect(created?.data).toMatchObject({ fullName: 'Am\u00e9lie Poulain' });
});

test('only an owner creates accounts', () => {
  const directory = directoryOf(...firstFacts, ...create(directoryOf(...firstFacts)));
  const { userId: actorId } = directory.userByEmail('ann@acme.test')!;
  expect(() => create(directory, { actorId, email: 'bob@acme.test' })).toThrow(/not authorized/);
});

test('an owner who is none any more when the password has been hashed creates no account', () => {
  const role = { from: ROLE.owner, to: ROLE.member };
  const demoted: AccountEvent = { type: 'user.changed.v1', data: { userId: OWNER_ID, role, by: OWNER_ID, at } };
  expect(() => create(directoryOf(...firstFacts, demoted))).toThrow(/not authorized/);
  const gone: AccountEvent = { type: 'user.deactivated.v1', data: { userId: OWNER_ID, by: OWNER_ID, at } };
  expect(() => create(directoryOf(...firstFacts, gone))).toThrow('Account is deactivated');
});

test('a new key is of the next generation', () => {
  const [event] = decideIssueApiKey(directoryOf(...firstFacts), {
    type: 'issue-api-key',
    userId: OWNER_ID,
    apiKeyHash: (_, generation) => `hash ${generation}`,
    at,
  });
  expect(event?.data).toMatchObject({ generation: 2, hash: 'hash 2' });
});
