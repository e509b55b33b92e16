import { ACTIVE_BOTS_MAX, botsPart } from '#bots/model';
import { invitationsPart } from '#invitations/model';
import type { Decider } from '#kernel';
import { Directory } from '#people';
import { SYSTEM_GROUPS, systemGroupId } from '#groups/model';
import { domainsPart } from '#realm/model';
import { evolveDirectory, sampleAccount, sampleOrganization, specFor } from '#testing';
import { ROLE } from '../model/role.js';
import type { AccountCommand } from './accounts.commands.js';
import { decideAccount } from './accounts.decider.js';
import type { AccountEvent } from '../account-event.js';

const at = 1_790_000_000;
const [BOT, OLGA, OTTO, ADA, ANN, ROBO, HELPER] = [1, 2, 3, 4, 5, 6, 7] as const;

const account = (userId: number, role: number, change: object = {}): AccountEvent =>
  sampleAccount(userId, role, at, change);
const deactivated = (userId: number, by: number = OLGA): AccountEvent => ({
  type: 'user.deactivated.v1',
  data: { userId, by, at },
});
const reactivated = (userId: number, by: number): AccountEvent => ({
  type: 'user.reactivated.v1',
  data: { userId, by, at },
});

const organization: readonly AccountEvent[] = [
  sampleOrganization(SYSTEM_GROUPS, at),
  account(BOT, ROLE.member, { botType: 1, systemBot: 'notification' }),
  account(OLGA, ROLE.owner),
  account(OTTO, ROLE.owner),
  account(ADA, ROLE.administrator),
  account(ANN, ROLE.member),
  account(ROBO, ROLE.member, { botType: 1, botOwnerId: ANN }),
];

const accounts: Decider<Directory, AccountCommand, AccountEvent> = {
  initial: () => organization.reduce(evolveDirectory, new Directory([domainsPart, invitationsPart, botsPart])),
  decide: decideAccount,
  evolve: evolveDirectory,
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
  secrets: { apiKeyHash: (id, generation) => `hash ${id} ${generation}`, serviceToken: 'another' },
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
  test('twice records nothing of a bot, and is refused of a person', () => {
    given(deactivated(ROBO)).when(deactivate(ADA, ROBO)).thenNothing();
    given(deactivated(ANN)).when(deactivate(ADA, ANN)).thenRefused('BAD_REQUEST');
  });
  test('an owner takes an owner', () => {
    given().when(deactivate(OLGA, OTTO)).then(deactivated(OTTO));
  });
  test('an administrator takes the actor, unless they are the last owner', () => {
    given().when(deactivate(ADA, ADA)).then(deactivated(ADA, ADA));
    given().when(deactivate(OLGA, OLGA)).then(deactivated(OLGA, OLGA));
    given(deactivated(OTTO)).when(deactivate(OLGA, OLGA)).thenRefused('BAD_REQUEST');
  });
  test.each([
    ['by a member', deactivate(ANN, ADA)],
    ['of oneself, by a member', deactivate(ANN, ANN)],
    ["of the server's own bot", deactivate(OLGA, BOT)],
    ['of nobody', deactivate(OLGA, 99)],
  ])('%s is refused', (_, command) => {
    given().when(command).thenRefused('BAD_REQUEST');
  });
  test('of an owner by an administrator is refused', () => {
    given().when(deactivate(ADA, OTTO)).thenRefused('UNAUTHORIZED_PRINCIPAL');
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
    given(deactivated(OTTO)).when(reactivate(ADA, OTTO)).thenRefused('UNAUTHORIZED_PRINCIPAL');
  });
  test('a bot, by its owner, keeps it with its owner', () => {
    given(deactivated(ROBO, ANN)).when(reactivate(ANN, ROBO)).then(reactivated(ROBO, ANN));
  });
  test.each<[string, AccountEvent]>([
    ['gone', deactivated(ANN)],
    [
      'a guest by now',
      { type: 'user.changed.v1', data: { userId: ANN, role: { from: ROLE.member, to: ROLE.guest }, by: ADA, at } },
    ],
  ])('a bot whose owner is %s makes the actor its owner', (_, event) => {
    given(event, deactivated(ROBO))
      .when(reactivate(ADA, ROBO))
      .then(
        reactivated(ROBO, ADA),
        {
          type: 'user.api-key-issued.v1',
          data: { userId: ROBO, generation: 1, hash: `hash ${ROBO} 1`, isOwnersAlone: true, at },
        },
        { type: 'bot.owner-changed.v1', data: { userId: ROBO, from: ANN, to: ADA, by: ADA, at, entails: 'notice' } },
      );
  });
  test('a bot whose owner is gone is for a person, who becomes its owner', () => {
    const helper = account(HELPER, ROLE.administrator, { botType: 1, botOwnerId: ADA });
    given(helper, deactivated(ANN), deactivated(ROBO)).when(reactivate(HELPER, ROBO)).thenRefused('BAD_REQUEST');
  });
  test('a bot is for those who may make one', () => {
    const onlyFor = (name: 'role:administrators' | 'role:nobody'): AccountEvent => ({
      type: 'organization.settings-changed.v1',
      data: { settings: {}, permissions: { can_create_bots_group: systemGroupId(name) }, by: OLGA, at },
    });
    given(onlyFor('role:administrators'), deactivated(ROBO)).when(reactivate(ANN, ROBO)).thenRefused('BAD_REQUEST');
    given(onlyFor('role:administrators'), deactivated(ROBO)).when(reactivate(ADA, ROBO)).then(reactivated(ROBO, ADA));
    given(onlyFor('role:nobody'), deactivated(ROBO)).when(reactivate(ADA, ROBO)).thenRefused('BAD_REQUEST');
    given(onlyFor('role:nobody'), deactivated(ANN)).when(reactivate(ADA, ANN)).then(reactivated(ANN, ADA));
  });
  test('a bot is refused when its owner has as many as a person can have', () => {
    const bots = Array.from({ length: ACTIVE_BOTS_MAX }, (_, index) =>
      account(100 + index, ROLE.member, { botType: 1, botOwnerId: ANN }),
    );
    given(deactivated(ROBO), ...bots)
      .when(reactivate(ANN, ROBO))
      .thenRefused('BAD_REQUEST');
    given(deactivated(ROBO), ...bots.slice(1))
      .when(reactivate(ANN, ROBO))
      .then(reactivated(ROBO, ANN));
  });
  test('a bot whose name has another user now is refused', () => {
    const renamed = { userId: ANN, fullName: `User ${ROBO}`, by: ADA, at };
    given(deactivated(ROBO), { type: 'user.changed.v1', data: renamed })
      .when(reactivate(ADA, ROBO))
      .thenRefused('BAD_REQUEST');
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
  const changed = (userId: number, by: number, changes: object): AccountEvent => ({
    type: 'user.changed.v1',
    data: { userId, ...changes, by, at },
  });
  test('a person into a guest ends the bots that they own, by whose keys they would read more', () => {
    const into = (role: number): AccountEvent => changed(ANN, ADA, { role: { from: ROLE.member, to: role } });
    given()
      .when(change(ADA, ANN, { role: ROLE.guest }))
      .then(into(ROLE.guest), deactivated(ROBO, ADA));
    given(deactivated(ROBO))
      .when(change(ADA, ANN, { role: ROLE.guest }))
      .then(into(ROLE.guest));
    given()
      .when(change(ADA, ANN, { role: ROLE.moderator }))
      .then(into(ROLE.moderator));
    given(into(ROLE.guest))
      .when(change(ADA, ANN, { fullName: 'Anna' }))
      .then(changed(ANN, ADA, { fullName: 'Anna' }));
  });
  test('a role by which a person may audit, or may not any more, is told', () => {
    const byModerators: AccountEvent = {
      type: 'organization.settings-changed.v1',
      data: { permissions: { can_audit_group: systemGroupId('role:moderators') }, by: OLGA, at },
    };
    const moderator = { from: ROLE.member, to: ROLE.moderator };
    const promoted = changed(ANN, ADA, { role: moderator, entails: { auditor: 'gained' } });
    given(byModerators)
      .when(change(ADA, ANN, { role: ROLE.moderator }))
      .then(promoted);
    given(byModerators, promoted)
      .when(change(ADA, ANN, { role: ROLE.guest, email: 'a@b.test' }))
      .then(
        changed(ANN, ADA, {
          role: { from: ROLE.moderator, to: ROLE.guest },
          email: 'a@b.test',
          entails: { auditor: 'lost', formerEmail: 'user5@acme.test' },
        }),
        deactivated(ROBO, ADA),
      );
    given(byModerators, promoted)
      .when(change(OLGA, ANN, { role: ROLE.administrator }))
      .then(changed(ANN, OLGA, { role: { from: ROLE.moderator, to: ROLE.administrator } }));
    given(byModerators)
      .when(change(ADA, ROBO, { role: ROLE.moderator }))
      .then(changed(ROBO, ADA, { role: moderator }));
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
  test("an administrator's own", () => {
    given()
      .when(change(ADA, ADA, { fullName: 'Ada', role: ROLE.member }))
      .then(changed(ADA, ADA, { fullName: 'Ada', role: { from: ROLE.administrator, to: ROLE.member } }));
    given()
      .when(change(OTTO, OTTO, { role: ROLE.member }))
      .then(changed(OTTO, OTTO, { role: { from: ROLE.owner, to: ROLE.member } }));
    given(demoted)
      .when(change(OLGA, OLGA, { role: ROLE.member }))
      .thenRefused('BAD_REQUEST');
  });
  test.each([
    ['of oneself, by a member', change(ANN, ANN, { fullName: 'Anne' })],
    ['by a member', change(ANN, ADA, { role: ROLE.guest })],
    ['to a broken name', change(ADA, ANN, { fullName: '**Ann**' })],
    ["of a bot's role by its owner", change(ANN, ROBO, { role: ROLE.moderator })],
    ["of a bot's name to one that is taken", change(ANN, ROBO, { fullName: `user ${ADA}` })],
  ])('%s is refused', (_, command) => {
    given().when(command).thenRefused('BAD_REQUEST');
  });
  test.each([
    ['of an owner', change(ADA, OTTO, { role: ROLE.member })],
    ["of an owner's address", change(ADA, OTTO, { email: 'otto@elsewhere.test' })],
    ['into an owner', change(ADA, ANN, { role: ROLE.owner })],
    ['of oneself into an owner', change(ADA, ADA, { role: ROLE.owner })],
  ])('%s by an administrator is refused', (_, command) => {
    given().when(command).thenRefused('UNAUTHORIZED_PRINCIPAL');
  });
  test("of an owner's name is for administrators", () => {
    given()
      .when(change(ADA, OTTO, { fullName: 'Otto Other' }))
      .then(changed(OTTO, ADA, { fullName: 'Otto Other' }));
  });
  test("of a bot's name is for its owner, too", () => {
    given()
      .when(change(ANN, ROBO, { fullName: 'Robot' }))
      .then(changed(ROBO, ANN, { fullName: 'Robot' }));
  });
  test('by an owner who was demoted meanwhile is refused', () => {
    given(demoted)
      .when(change(OTTO, OLGA, { role: ROLE.member }))
      .thenRefused('BAD_REQUEST');
  });
});

describe('who sees the e-mail address', () => {
  const show = (userId: number, emailVisibility: number): AccountCommand => ({
    type: 'change-own-account',
    actorId: userId,
    emailVisibility,
    at,
  });
  const shown = (from: number, to: number, apiEmail?: string): AccountEvent => ({
    type: 'user.email-visibility-changed.v1',
    data: { userId: ANN, visibility: { from, to }, ...(apiEmail === undefined ? undefined : { apiEmail }), at },
  });
  const dummy = `user${ANN}@acme.test`;

  test('another address stands for one that not everyone sees, as long as that is so', () => {
    // In this organization the address that would stand for it is the real one.
    given()
      .when(show(ANN, 3))
      .then(shown(1, 3, `user${ANN}.2@acme.test`));
    given({ type: 'user.changed.v1', data: { userId: ANN, email: 'ann@acme.test', by: OLGA, at } })
      .when(show(ANN, 4))
      .then(shown(1, 4, dummy));
    given(shown(1, 4, dummy))
      .when(show(ANN, 5))
      .then(shown(4, 5, dummy));
    given(shown(1, 4, dummy))
      .when(show(ANN, 1))
      .then(shown(4, 1));
  });

  test('what is so already records nothing, and bots keep theirs', () => {
    given().when(show(ANN, 1)).thenNothing();
    given(shown(1, 4, dummy))
      .when(show(ANN, 4))
      .thenNothing();
    given().when(show(ROBO, 3)).thenRefused('BAD_REQUEST');
  });

  test("an address that stands for another is nobody else's", () => {
    const change = (email: string): AccountCommand => ({ type: 'change-user', actorId: OLGA, userId: ADA, email, at });
    given(shown(1, 4, 'user77@acme.test'))
      .when(change('USER77@acme.test'))
      .thenRefused('BAD_REQUEST');
    given().when(change('user99@ACME.test')).thenRefused('BAD_REQUEST');
  });
});
