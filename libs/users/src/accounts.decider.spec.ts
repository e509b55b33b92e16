import type { Decider } from '#kernel';
import { Directory, ROLE, SYSTEM_GROUPS, type OrganizationEvent } from '#organization';
import { sampleUser, specFor } from '#testing';
import type { AccountCommand } from './accounts.commands.js';
import { decideAccount } from './accounts.decider.js';

const at = 1_790_000_000;
const [BOT, OLGA, OTTO, ADA, ANN, ROBO] = [1, 2, 3, 4, 5, 6] as const;

const account = (userId: number, role: number, change: object = {}): OrganizationEvent => {
  const { email, fullName, timezone } = sampleUser(userId);
  const data = { userId, email, fullName, role, timezone, botType: null, botOwnerId: null, at, ...change };
  return { type: 'user.created.v1', data };
};
const deactivated = (userId: number, by: number = OLGA): OrganizationEvent => ({
  type: 'user.deactivated.v1',
  data: { userId, by, at },
});
const reactivated = (userId: number, by: number): OrganizationEvent => ({
  type: 'user.reactivated.v1',
  data: { userId, by, at },
});

const organization: readonly OrganizationEvent[] = [
  {
    type: 'organization.created.v1',
    data: {
      uuid: 'u',
      name: 'Acme',
      at,
      groups: SYSTEM_GROUPS.map((group) => ({ ...group, directSubgroups: [...group.directSubgroups] })),
    },
  },
  account(BOT, ROLE.member, { botType: 1, systemBot: 'notification' }),
  account(OLGA, ROLE.owner),
  account(OTTO, ROLE.owner),
  account(ADA, ROLE.administrator),
  account(ANN, ROLE.member),
  account(ROBO, ROLE.member, { botType: 1, botOwnerId: ANN }),
];

function evolve(directory: Directory, event: OrganizationEvent): Directory {
  directory.position++;
  directory.evolve(event, directory.position);
  return directory;
}
const accounts: Decider<Directory, AccountCommand, OrganizationEvent> = {
  initial: () => organization.reduce(evolve, new Directory()),
  decide: decideAccount,
  evolve,
};
const given = specFor(accounts);

const deactivate = (actorId: number, userId: number): AccountCommand => ({
  type: 'deactivate-user',
  actorId,
  userId,
  at,
});
const reactivate = (actorId: number, userId: number): AccountCommand => ({
  type: 'reactivate-user',
  actorId,
  userId,
  at,
});
const leave = (actorId: number): AccountCommand => ({ type: 'deactivate-own-account', actorId, at });

describe('deactivating', () => {
  test('a person ends the bots that they own', () => {
    given().when(deactivate(ADA, ANN)).then(deactivated(ANN, ADA), deactivated(ROBO, ADA));
  });
  test('tells the person by mail when a comment is given, and no bot', () => {
    const told = {
      type: 'user.deactivated.v1',
      data: { userId: ANN, by: ADA, at, entails: { comment: 'bye' } },
    } as const;
    given()
      .when({ ...deactivate(ADA, ANN), comment: ' bye ' } as AccountCommand)
      .then(told, deactivated(ROBO, ADA));
    given()
      .when({ ...deactivate(ADA, ROBO), comment: 'bye' } as AccountCommand)
      .then(deactivated(ROBO, ADA));
  });
  test('an owner takes an owner', () => {
    given().when(deactivate(OLGA, OTTO)).then(deactivated(OTTO));
  });
  test.each([
    ['by a member', deactivate(ANN, ADA)],
    ['of an owner by an administrator', deactivate(ADA, OTTO)],
    ['of oneself by the route for others', deactivate(OLGA, OLGA)],
    ["of the server's own bot", deactivate(OLGA, BOT)],
    ['of nobody', deactivate(OLGA, 99)],
  ])('%s is refused', (_, command) => {
    given().when(command).thenRefused('BAD_REQUEST');
  });
  test('a deactivated person is refused', () => {
    given(deactivated(ANN)).when(deactivate(ADA, ANN)).thenRefused('BAD_REQUEST');
  });
  test('by an actor who was deactivated meanwhile is refused', () => {
    given(deactivated(OTTO)).when(deactivate(OTTO, OLGA)).thenRefused('USER_DEACTIVATED');
  });
});

describe('leaving', () => {
  test('ends the account and its bots', () => {
    given().when(leave(ANN)).then(deactivated(ANN, ANN), deactivated(ROBO, ANN));
  });
  test('is for one of two owners', () => {
    given().when(leave(OTTO)).then(deactivated(OTTO, OTTO));
  });
  test('is not for the last owner', () => {
    given(deactivated(OTTO)).when(leave(OLGA)).thenRefused('CANNOT_DEACTIVATE_LAST_USER');
  });
  test('is not for bots', () => {
    given().when(leave(ROBO)).thenRefused('BAD_REQUEST');
  });
});

describe('reactivating', () => {
  test('is for administrators', () => {
    given(deactivated(ANN)).when(reactivate(ADA, ANN)).then(reactivated(ANN, ADA));
  });
  test('twice records nothing', () => {
    given().when(reactivate(ADA, ANN)).thenNothing();
  });
  test('an owner takes an owner', () => {
    given(deactivated(OTTO)).when(reactivate(ADA, OTTO)).thenRefused('BAD_REQUEST');
  });
  test('is not for members', () => {
    given(deactivated(ADA)).when(reactivate(ANN, ADA)).thenRefused('BAD_REQUEST');
  });
});

describe('changing', () => {
  const change = (actorId: number, userId: number, asked: object): AccountCommand => ({
    type: 'change-user',
    actorId,
    userId,
    at,
    ...asked,
  });
  const changed = (userId: number, by: number, changes: object): OrganizationEvent => ({
    type: 'user.changed.v1',
    data: { userId, ...changes, by, at },
  });
  const demoted = changed(OTTO, OLGA, { role: { from: ROLE.owner, to: ROLE.member } });

  test('records what is new', () => {
    given()
      .when(change(ADA, ANN, { fullName: ' Anne ', role: ROLE.moderator }))
      .then(changed(ANN, ADA, { fullName: 'Anne', role: { from: ROLE.member, to: ROLE.moderator } }));
  });
  test('nothing records nothing', () => {
    given()
      .when(change(ADA, ANN, { role: ROLE.member }))
      .thenNothing();
  });
  test('an owner is for owners', () => {
    given()
      .when(change(OLGA, OTTO, { role: ROLE.member }))
      .then(demoted);
  });
  test.each([
    ['of an owner by an administrator', change(ADA, OTTO, { role: ROLE.member })],
    ["of an owner's name by an administrator", change(ADA, OTTO, { fullName: 'Oh no' })],
    ['into an owner by an administrator', change(ADA, ANN, { role: ROLE.owner })],
    ['of oneself', change(ADA, ADA, { role: ROLE.owner })],
    ['by a member', change(ANN, ADA, { role: ROLE.guest })],
    ['to a broken name', change(ADA, ANN, { fullName: '**Ann**' })],
  ])('%s is refused', (_, command) => {
    given().when(command).thenRefused('BAD_REQUEST');
  });
  test('by an owner who was demoted meanwhile is refused', () => {
    given(demoted)
      .when(change(OTTO, OLGA, { role: ROLE.member }))
      .thenRefused('BAD_REQUEST');
  });
});
