import { invitationsPart } from '#invitations/model';
import type { Decider } from '#kernel';
import { Directory } from '#people';
import { newChannel } from '#channels/model';
import { ROLE } from '#users/model';
import { SYSTEM_GROUPS } from '#groups/model';
import { domainsPart } from '#realm/model';
import { evolveDirectory, sampleAccount, sampleOrganization, specFor } from '#testing';
import type { AccountEvent } from '#users';
import type { BotCommand, ChangeBot, CreateBot } from './bots.commands.js';
import { decideBot } from './bots.decider.js';
import { ACTIVE_BOTS_MAX } from './model/bot-creation.access.js';
import { botsPart } from './model/bots.part.js';

const at = 1_790_000_000;
const [SYSTEM, OLGA, ADA, ANN, BEN, GIL, ROBO] = [1, 2, 3, 4, 5, 6, 7] as const;
const NEXT = 8;
const [OPEN, CLOSED] = [1, 2] as const;

const account = (userId: number, role: number, change: object = {}): AccountEvent =>
  sampleAccount(userId, role, at, change);
const organization: readonly AccountEvent[] = [
  sampleOrganization(SYSTEM_GROUPS, at),
  account(SYSTEM, ROLE.member, { botType: 1, systemBot: 'notification' }),
  account(OLGA, ROLE.owner),
  account(ADA, ROLE.administrator),
  account(ANN, ROLE.member),
  account(BEN, ROLE.member),
  account(GIL, ROLE.guest),
  account(ROBO, ROLE.member, { botType: 3, botOwnerId: ANN }),
];

const bots: Decider<Directory, BotCommand, AccountEvent> = {
  initial: () => organization.reduce(evolveDirectory, new Directory([domainsPart, invitationsPart, botsPart])),
  decide: decideBot,
  evolve: evolveDirectory,
};
const given = specFor(bots);

const service = { name: 'weather', url: 'https://weather.test/hook', interface: 1, token: 't' };
const create = (change: Partial<CreateBot> = {}): CreateBot => ({
  type: 'create-bot',
  actorId: ANN,
  at,
  fullName: 'Weather',
  shortName: 'weather',
  botType: 1,
  domain: 'chat.test',
  service,
  apiKeyHash: (userId) => `hash ${userId}`,
  ...change,
});
const change = (actorId: number, changes: Partial<ChangeBot>): ChangeBot => ({
  type: 'change-bot',
  actorId,
  botId: ROBO,
  at,
  secrets: { apiKeyHash: (userId, generation) => `hash ${userId} ${generation}`, serviceToken: 'another' },
  ...changes,
});
/** The key of a bot that was given away, and its owner. */
const handed = (to: number, by: number): AccountEvent[] => [
  {
    type: 'user.api-key-issued.v1',
    data: { userId: ROBO, generation: 1, hash: `hash ${ROBO} 1`, isOwnersAlone: true, at },
  },
  { type: 'bot.owner-changed.v1', data: { userId: ROBO, from: ANN, to, by, at, entails: 'notice' } },
];
const created = (change: object = {}): AccountEvent =>
  account(NEXT, ROLE.member, {
    email: 'weather-bot@chat.test',
    fullName: 'Weather',
    botType: 1,
    botOwnerId: ANN,
    ...change,
  });
const issued = (userId: number, generation: number): AccountEvent => ({
  type: 'user.api-key-issued.v1',
  data: { userId, generation, hash: generation === 1 ? `hash ${userId}` : `hash ${userId} ${generation}`, at },
});
const configured = (userId: number, by: number, settings: object): AccountEvent => ({
  type: 'bot.configured.v1',
  data: { userId, isPrivate: { from: false, to: false }, ...settings, by, at },
});

describe('a new bot', () => {
  test('belongs to its maker, with a key', () => {
    given().when(create()).then(created(), issued(NEXT, 1));
    given()
      .when(create({ shortName: ' weather ' }))
      .then(created(), issued(NEXT, 1));
  });

  test('of the outgoing kind has its service; its settings stand before it', () => {
    given()
      .when(create({ botType: 3, config: { city: 'Oslo' } }))
      .then(configured(NEXT, ANN, { config: { city: 'Oslo' }, service }), created({ botType: 3 }), issued(NEXT, 1));
  });

  test.each([
    ['a guest', { actorId: GIL }],
    ['a bot', { actorId: ROBO }],
    ['no name', { fullName: ' ' }],
    ['a name in use, in other letters', { fullName: 'USER 4' }],
    ['no short name', { shortName: ' ' }],
    ['a short name that is no part of an address', { shortName: 'we@ther' }],
    ['an unknown kind', { botType: 9 }],
    ['an embedded bot', { botType: 4 }],
    ['an address that is none', { botType: 3, service: { ...service, url: 'weather' } }],
    ['an address of another protocol', { botType: 3, service: { ...service, url: 'file:///etc/passwd' } }],
    ['an address with a password', { botType: 3, service: { ...service, url: 'https://a:b@weather.test' } }],
    ['an unknown interface', { botType: 3, service: { ...service, interface: 3 } }],
    ['an unknown channel', { sendsTo: 'nowhere' }],
    ['a configuration that is too long', { config: { a: 'x'.repeat(10_001) } }],
  ] as const)('is refused to or with %s', (_, refused) => {
    given().when(create(refused)).thenRefused('BAD_REQUEST');
  });

  test('has an address of its own', () => {
    given(created({ fullName: 'Other' }))
      .when(create())
      .thenRefused('BAD_REQUEST');
  });

  test('needs the permission; a weaker one is enough for incoming webhooks', () => {
    const only = (name: 'can_create_bots_group' | 'can_create_write_only_bots_group', userId: number) =>
      ({
        type: 'organization.settings-changed.v1',
        data: {
          settings: {},
          permissions: { [name]: { directMembers: [userId], directSubgroups: [] } },
          by: OLGA,
          at,
        },
      }) as const;
    const restricted = [only('can_create_bots_group', ADA), only('can_create_write_only_bots_group', BEN)];
    given(...restricted)
      .when(create({ actorId: BEN }))
      .thenRefused('BAD_REQUEST');
    given(...restricted)
      .when(create({ actorId: BEN, botType: 2 }))
      .then(created({ botOwnerId: BEN, botType: 2 }), issued(NEXT, 1));
    given(...restricted)
      .when(create({ botType: 2 }))
      .thenRefused('BAD_REQUEST');
    given(...restricted)
      .when(create({ actorId: ADA }))
      .then(created({ botOwnerId: ADA }), issued(NEXT, 1));
  });
});

describe('a person with a hundred active bots', () => {
  const FIRST = NEXT;
  const next = FIRST + ACTIVE_BOTS_MAX - 1;
  const bots = Array.from({ length: ACTIVE_BOTS_MAX - 1 }, (_, index) =>
    account(FIRST + index, ROLE.member, { botType: 1, botOwnerId: ANN }),
  );
  const gone = (userId: number): AccountEvent => ({ type: 'user.deactivated.v1', data: { userId, by: ANN, at } });
  const createdFor = (botOwnerId: number): AccountEvent[] => [created({ userId: next, botOwnerId }), issued(next, 1)];

  test('makes no other one, until one is deactivated', () => {
    given(...bots)
      .when(create())
      .thenRefused('BAD_REQUEST');
    given(...bots)
      .when(create({ actorId: BEN }))
      .then(...createdFor(BEN));
    given(...bots, gone(FIRST))
      .when(create())
      .then(...createdFor(ANN));
  });

  test('is given no other one that is active', () => {
    const another = account(next, ROLE.member, { botType: 1, botOwnerId: BEN });
    const give = change(BEN, { botId: next, ownerId: ANN });
    given(...bots, another)
      .when(give)
      .thenRefused('BAD_REQUEST');
    given(...bots, another, gone(next))
      .when(give)
      .then(
        {
          type: 'user.api-key-issued.v1',
          data: { userId: next, generation: 1, hash: `hash ${next} 1`, isOwnersAlone: true, at },
        },
        { type: 'bot.owner-changed.v1', data: { userId: next, from: BEN, to: ANN, by: BEN, at, entails: 'notice' } },
      );
  });
});

describe('a bot is changed', () => {
  test('by its owner and by administrators, and by nobody else', () => {
    for (const actorId of [ANN, ADA, OLGA])
      given()
        .when(change(actorId, { fullName: 'Robot' }))
        .then({ type: 'user.changed.v1', data: { userId: ROBO, fullName: 'Robot', by: actorId, at } });
    for (const actorId of [BEN, GIL, ROBO])
      given()
        .when(change(actorId, { fullName: 'Robot' }))
        .thenRefused('BAD_REQUEST');
  });

  test('unless it is no bot, or one of the server', () => {
    for (const botId of [BEN, SYSTEM, 99])
      given()
        .when(change(OLGA, { botId, fullName: 'Robot' }))
        .thenRefused('BAD_REQUEST');
  });

  test('in role by administrators alone, and to owner by owners', () => {
    given()
      .when(change(ADA, { role: ROLE.moderator }))
      .then({
        type: 'user.changed.v1',
        data: { userId: ROBO, role: { from: ROLE.member, to: ROLE.moderator }, by: ADA, at },
      });
    given()
      .when(change(ANN, { role: ROLE.administrator }))
      .thenRefused('BAD_REQUEST');
    given()
      .when(change(ADA, { role: ROLE.owner }))
      .thenRefused('UNAUTHORIZED_PRINCIPAL');
  });

  test('in owner, to people who are there', () => {
    given()
      .when(change(ANN, { ownerId: BEN }))
      .then(...handed(BEN, ANN));
    given()
      .when(change(ADA, { ownerId: BEN }))
      .then(...handed(BEN, ADA));
    given(...handed(BEN, ANN))
      .when(change(ANN, { fullName: 'Robot' }))
      .thenRefused('BAD_REQUEST');
    given({ type: 'user.deactivated.v1', data: { userId: BEN, by: OLGA, at } })
      .when(change(ANN, { ownerId: BEN }))
      .thenRefused('BAD_REQUEST');
    for (const ownerId of [GIL, ROBO, 99]) given().when(change(ANN, { ownerId })).thenRefused('BAD_REQUEST');
  });

  test('to names that are free', () => {
    given()
      .when(change(ANN, { fullName: 'User 5' }))
      .thenRefused('BAD_REQUEST');
    given()
      .when(change(ANN, { fullName: 'User 7' }))
      .thenNothing();
  });

  test('in its settings: what differs is recorded', () => {
    const known = configured(ROBO, ANN, { service, config: { a: '1', b: '2' }, listensToAll: true });
    given(known)
      .when(change(ANN, { config: { b: '3' }, listensToAll: true, serviceUrl: service.url }))
      .then(configured(ROBO, ANN, { config: { a: '1', b: '3' } }));
    given(known)
      .when(change(ANN, { serviceUrl: 'https://other.test', serviceInterface: 2 }))
      .then(configured(ROBO, ANN, { service: { ...service, url: 'https://other.test', interface: 2 } }));
    given(known)
      .when(change(ANN, { serviceInterface: 2 }))
      .then(configured(ROBO, ANN, { service: { ...service, interface: 2 } }));
    given(known)
      .when(change(ANN, { serviceInterface: 7 }))
      .thenRefused('BAD_REQUEST');
    given(known).when(change(ANN, {})).thenNothing();
    given()
      .when(change(ANN, { serviceUrl: 'https://other.test' }))
      .thenRefused('BAD_REQUEST');
  });

  test('in its channels; with a private one it is shown to its owner alone', () => {
    const channel = (channelId: number, name: string, inviteOnly: boolean): AccountEvent =>
      newChannel({ channelId, name, inviteOnly, at });
    const joined: AccountEvent = {
      type: 'channel.subscribed.v1',
      data: { channelId: CLOSED, subscribers: [{ userId: ANN, color: '#000000' }], by: null, at },
    };
    const channels = [channel(OPEN, 'open', false), channel(CLOSED, 'closed', true), joined];
    given(...channels)
      .when(change(ANN, { listensTo: 'OPEN' }))
      .then(configured(ROBO, ANN, { listensTo: OPEN }));
    const closed = configured(ROBO, ANN, { sendsTo: CLOSED, isPrivate: { from: false, to: true } });
    given(...channels)
      .when(change(ANN, { sendsTo: 'closed' }))
      .then(closed);
    given(...channels, closed)
      .when(change(ANN, { sendsTo: '' }))
      .then(configured(ROBO, ANN, { sendsTo: null, isPrivate: { from: true, to: false } }));
    for (const sendsTo of ['closed', 'unknown'])
      given(...channels, { type: 'bot.owner-changed.v1', data: { userId: ROBO, from: ANN, to: BEN, by: ANN, at } })
        .when(change(BEN, { sendsTo }))
        .thenRefused('BAD_REQUEST');
  });

  test('to an owner who does not know its private channels, which it leaves', () => {
    const [SHARED, OTHER] = [3, 4] as const;
    const channel = (channelId: number, inviteOnly: boolean): AccountEvent =>
      newChannel({ channelId, name: `channel ${channelId}`, inviteOnly, at });
    const joined = (channelId: number, ...userIds: number[]): AccountEvent => ({
      type: 'channel.subscribed.v1',
      data: { channelId, subscribers: userIds.map((userId) => ({ userId, color: '#000000' })), by: null, at },
    });
    const channels = [
      channel(OPEN, false),
      channel(CLOSED, true),
      channel(SHARED, true),
      channel(OTHER, true),
      joined(OPEN, ROBO),
      joined(CLOSED, ANN, ROBO),
      joined(SHARED, ANN, BEN, ROBO),
      joined(OTHER, ANN, ROBO),
    ];
    const isPrivate = { from: true, to: true };
    const settings = { sendsTo: SHARED, listensTo: CLOSED };
    const left: AccountEvent = {
      type: 'channels.unsubscribed.v1',
      data: { channelIds: [CLOSED, OTHER], userIds: [ROBO], by: ANN, at, entails: { facts: 1 } },
    };
    given(...channels, configured(ROBO, ANN, { ...settings, isPrivate: { from: false, to: true } }))
      .when(change(ANN, { ownerId: BEN }))
      .then(configured(ROBO, ANN, { listensTo: null, isPrivate }), ...handed(BEN, ANN), left);
    given(...channels)
      .when(change(ANN, { ownerId: BEN, sendsTo: `channel ${CLOSED}` }))
      .then(
        configured(ROBO, ANN, { sendsTo: CLOSED, isPrivate: { from: false, to: true } }),
        configured(ROBO, ANN, { sendsTo: null, isPrivate: { from: true, to: false } }),
        ...handed(BEN, ANN),
        left,
      );
    const gone: AccountEvent = { type: 'user.deactivated.v1', data: { userId: ROBO, by: ANN, at } };
    given(...channels, gone)
      .when(change(ANN, { ownerId: BEN }))
      .then(...handed(BEN, ANN));
  });

  test('to another owner, with secrets that the former one does not know', () => {
    const key = { userId: ROBO, generation: 3, hash: `hash ${ROBO} 3`, isOwnersAlone: true, at } as const;
    given(issued(ROBO, 2), configured(ROBO, ANN, { service }))
      .when(change(ANN, { ownerId: BEN }))
      .then(
        // Before the owner: nobody acts with the rights of the new one by the former key.
        { type: 'user.api-key-issued.v1', data: key },
        { type: 'bot.owner-changed.v1', data: { userId: ROBO, from: ANN, to: BEN, by: ANN, at, entails: 'notice' } },
        configured(ROBO, ANN, { service: { ...service, token: 'another' } }),
      );
  });

  test('and deactivated, twice without effect', () => {
    const deactivate = (actorId: number): BotCommand => ({ type: 'deactivate-bot', actorId, botId: ROBO, at });
    const gone: AccountEvent = { type: 'user.deactivated.v1', data: { userId: ROBO, by: ANN, at } };
    given().when(deactivate(ANN)).then(gone);
    given(gone).when(deactivate(ANN)).thenNothing();
    given().when(deactivate(BEN)).thenRefused('BAD_REQUEST');
  });

  test('and given a new key', () => {
    const apiKeyHash = (userId: number, generation: number): string => `hash ${userId} ${generation}`;
    const regenerate = (actorId: number): BotCommand => ({
      type: 'regenerate-bot-key',
      actorId,
      botId: ROBO,
      apiKeyHash,
      at,
    });
    given(issued(ROBO, 1)).when(regenerate(ANN)).then(issued(ROBO, 2));
    given(issued(ROBO, 1)).when(regenerate(BEN)).thenRefused('BAD_REQUEST');
  });
});
