import type { Decider } from '#kernel';
import { Directory } from '#people';
import { ROLE } from '#users/model';
import { newGroupPermissions, SYSTEM_GROUPS } from '#groups/model';
import { evolveDirectory, sampleAccount, sampleOrganization, specFor } from '#testing';
import type { AccountEvent } from '#users';
import { decideAccept } from './accept.decider.js';
import type { AcceptInvitation, AskedTerms, InvitationCommand } from './invitations.commands.js';
import {
  decideExpire,
  decideLink,
  decideResend,
  decideRevoke,
  decideSend,
  MAILS_A_DAY_MAX,
  MAILS_EACH_MAX,
} from './invitations.decider.js';
import { invitationsPart } from './model/invitations.part.js';

const at = 1_790_000_000;
const [BOT, OLGA, ANN, GUS] = [1, 2, 3, 4] as const;

const account = (userId: number, role: number, change: object = {}): AccountEvent =>
  sampleAccount(userId, role, at, change);

const organization: readonly AccountEvent[] = [
  sampleOrganization(SYSTEM_GROUPS, at),
  account(BOT, ROLE.member, { botType: 1, systemBot: 'welcome' }),
  account(OLGA, ROLE.owner),
  account(ANN, ROLE.member),
  account(GUS, ROLE.guest),
];

function decide(directory: Directory, command: InvitationCommand): readonly AccountEvent[] {
  switch (command.type) {
    case 'send-invitations':
      return decideSend(directory, command).events;
    case 'create-invitation-link':
      return decideLink(directory, command);
    case 'revoke-invitation':
      return decideRevoke(directory, command);
    case 'resend-invitation':
      return decideResend(directory, command);
    case 'expire-invitation':
      return decideExpire(directory, command);
    case 'accept-invitation':
      return decideAccept(directory, command);
  }
}

const invitations: Decider<Directory, InvitationCommand, AccountEvent> = {
  initial: () => organization.reduce(evolveDirectory, new Directory([invitationsPart])),
  decide,
  evolve: evolveDirectory,
};
const given = specFor(invitations);

const TERMS = { role: ROLE.member, channelIds: [], groupIds: [], includesDefaults: false } as const;
const asked = (change: Partial<AskedTerms> = {}): AskedTerms => ({
  ...TERMS,
  welcome: null,
  expiresInMinutes: null,
  ...change,
});
const send = (addresses: readonly string[], change: object = {}): InvitationCommand => ({
  type: 'send-invitations',
  actorId: ANN,
  addresses,
  notifiesInviter: true,
  terms: asked(),
  at,
  ...change,
});
const sent = (emails: readonly string[], change: object = {}, firstId = 1): AccountEvent => ({
  type: 'invitations.sent.v1',
  data: {
    invitations: emails.map((email, index) => ({ invitationId: firstId + index, email })),
    ...TERMS,
    notifiesInviter: true,
    by: ANN,
    at,
    entails: 'mail',
    ...change,
  },
});
const linked: AccountEvent = {
  type: 'invitation-link.created.v1',
  data: { invitationId: 1, ...TERMS, by: OLGA, at },
};
const accept = (change: Partial<AcceptInvitation> = {}): AcceptInvitation => ({
  type: 'accept-invitation',
  invitationId: 1,
  email: 'nell@acme.test',
  fullName: 'Nell Newcomer',
  timezone: '',
  defaultGroupIds: [],
  passwordHash: '$argon2id$',
  apiKeyHash: () => 'bb',
  at,
  ...change,
});

const NELL = 'nell@acme.test';

describe('sending', () => {
  test('numbers them over both kinds', () => {
    given(linked)
      .when(send(['a@x.test', 'b@x.test']))
      .then(sent(['a@x.test', 'b@x.test'], {}, 2));
  });

  test('counts minutes from now, and takes a welcome from administrators alone', () => {
    const terms = asked({ expiresInMinutes: 2, welcome: '' });
    given()
      .when(send(['a@x.test'], { terms }))
      .then(sent(['a@x.test'], { expiresAt: at + 120 }));
    const byOwner = { expiresAt: at + 120, welcome: '', by: OLGA };
    given()
      .when(send(['a@x.test'], { terms, actorId: OLGA }))
      .then(sent(['a@x.test'], byOwner));
  });

  test.each([
    ['a guest', { actorId: GUS }],
    ['a bot', { actorId: BOT }],
    ['a higher role', { terms: asked({ role: ROLE.moderator }) }],
    ['nobody', { addresses: [] }],
    ['a channel that is none', { terms: asked({ channelIds: [9] }) }],
    ['a system group', { terms: asked({ groupIds: [SYSTEM_GROUPS[0].groupId] }) }],
  ])('%s is refused', (_, change) => {
    given()
      .when(send(['a@x.test'], change))
      .thenRefused('BAD_REQUEST');
  });

  test('a day has room for so many, the next one again', () => {
    const full = sent(Array.from({ length: MAILS_A_DAY_MAX - 1 }, (_, index) => `u${index}@x.test`));
    given(full)
      .when(send(['a@x.test']))
      .then(sent(['a@x.test'], {}, MAILS_A_DAY_MAX));
    const refused = { errors: [], sent_invitations: false, daily_limit_reached: true, license_limit_reached: false };
    given(full)
      .when(send(['a@x.test', 'b@x.test']))
      .thenRefused('INVITATION_FAILED', refused);
    given(full)
      .when(send(['a@x.test', 'b@x.test'], { at: at + 86_400 }))
      .then(sent(['a@x.test', 'b@x.test'], { at: at + 86_400 }, MAILS_A_DAY_MAX));
  });

  test('again, a few times', () => {
    const again: InvitationCommand = { type: 'resend-invitation', actorId: ANN, invitationId: 1, at };
    const resent = (mail: number): AccountEvent => ({
      type: 'invitation.resent.v1',
      data: { invitationId: 1, mail, by: ANN, at, entails: 'mail' },
    });
    given(sent([NELL]))
      .when(again)
      .then(resent(2));
    given(sent([NELL]), resent(MAILS_EACH_MAX))
      .when(again)
      .thenRefused('BAD_REQUEST');
    given(linked)
      .when({ ...again, actorId: OLGA })
      .thenRefused('BAD_REQUEST');
  });
});

describe('joining', () => {
  const joined = (change: object = {}): readonly AccountEvent[] => {
    const { type: _, invitationId: __, apiKeyHash: ___, defaultGroupIds: ____, ...data } = accept();
    const welcome = expect.stringMatching(/^Hello, and welcome to Acme!/) as string;
    const userId = GUS + 1;
    return [
      {
        type: 'user.created.v1',
        data: { ...data, userId, role: ROLE.member, botType: null, botOwnerId: null, entails: { welcome } },
      },
      { type: 'user.api-key-issued.v1', data: { userId, generation: 1, hash: 'bb', at } },
      {
        type: 'invitation.accepted.v1',
        data: { invitationId: 1, isLink: false, inviterId: ANN, userId, at, entails: 'notice', ...change },
      },
    ];
  };
  const directoryOf = (...events: readonly AccountEvent[]): Directory =>
    [...organization, ...events].reduce(evolveDirectory, new Directory([invitationsPart]));

  test('makes the account, and ends other invitations to its address', () => {
    expect(decideAccept(directoryOf(sent([NELL])), accept())).toEqual(joined());
    const other = sent([NELL.toUpperCase()], { by: OLGA }, 2);
    const [created, key, accepted] = joined();
    const revoked = { type: 'invitations.revoked.v1', data: { invitationIds: [2], inviterIds: [OLGA], at } };
    expect(decideAccept(directoryOf(sent([NELL]), other), accept())).toEqual([created, key, revoked, accepted]);
  });

  test('adds to a group whose members may audit when an owner invites, who are told then', () => {
    const [group, others] = [SYSTEM_GROUPS.length + 1, SYSTEM_GROUPS.length + 2];
    const inviting = (by: number): readonly AccountEvent[] => {
      const made = {
        description: '',
        userIds: [],
        subgroupIds: [],
        permissions: newGroupPermissions(OLGA),
        by: OLGA,
        at,
      };
      return decideAccept(
        directoryOf(
          { type: 'group.created.v1', data: { ...made, groupId: group, name: 'auditors' } },
          { type: 'group.created.v1', data: { ...made, groupId: others, name: 'others' } },
          sent([NELL], { by, groupIds: [group, others] }),
          { type: 'organization.settings-changed.v1', data: { permissions: { can_audit_group: group }, by: OLGA, at } },
        ),
        accept(),
      ).filter(({ type }) => type === 'group.members-added.v1');
    };
    const added = (groupId: number, by: number, more: object = {}) => ({
      type: 'group.members-added.v1',
      data: { groupId, userIds: [GUS + 1], by, at, ...more },
    });
    expect(inviting(OLGA)).toEqual([added(group, OLGA, { entails: 'owners' }), added(others, OLGA)]);
    expect(inviting(ANN)).toEqual([added(others, ANN)]);
  });

  test('by a link tells nobody, and leaves it open', () => {
    const accepted = { invitationId: 1, isLink: true, inviterId: OLGA, userId: GUS + 1, at };
    expect(decideAccept(directoryOf(linked), accept()).at(-1)).toEqual({
      type: 'invitation.accepted.v1',
      data: accepted,
    });
    given(linked, account(GUS + 1, ROLE.member, { email: NELL }))
      .when(accept())
      .thenRefused('BAD_REQUEST');
  });

  test.each<[string, readonly AccountEvent[], Partial<AcceptInvitation>]>([
    ['none', [], {}],
    ['another address', [sent([NELL])], { email: 'mel@acme.test' }],
    ['an end that is over', [sent([NELL], { expiresAt: at })], {}],
    [
      'a revoked one',
      [sent([NELL]), { type: 'invitations.revoked.v1', data: { invitationIds: [1], inviterIds: [ANN], at } }],
      {},
    ],
    ['one for an address with an account', [sent([NELL]), account(GUS + 1, ROLE.member, { email: NELL })], {}],
    ['a deactivated organization', [sent([NELL]), { type: 'organization.deactivated.v1', data: { by: OLGA, at } }], {}],
  ])('by %s does not work', (_, events, change) => {
    given(...events)
      .when(accept(change))
      .thenRefused('NOT_FOUND');
  });

  test('with an unacceptable name', () => {
    given(sent([NELL]))
      .when(accept({ fullName: 'x' }))
      .thenRefused('BAD_REQUEST');
  });
});

test('expires once, and not before its time', () => {
  const expire: InvitationCommand = { type: 'expire-invitation', invitationId: 1, at };
  const over = sent([NELL], { expiresAt: at });
  given(over)
    .when(expire)
    .then({ type: 'invitation.expired.v1', data: { invitationId: 1, inviterId: ANN, at } });
  given(sent([NELL], { expiresAt: at + 1 }))
    .when(expire)
    .thenNothing();
  given(sent([NELL]))
    .when(expire)
    .thenNothing();
  given().when(expire).thenNothing();
});
