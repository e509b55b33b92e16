import { badRequest, unreachable } from '#kernel';
import { assertOwner, ROLE, type User } from '#users/model';
import type { Directory } from '#people';
import {
  assertFreeBotName,
  checkFullName,
  deactivationOf,
  decideIssueApiKey,
  isEmailAddress,
  presentActor,
  type AccountEvent,
} from '#users';
import { accessBot, assertMayCreateBot } from './bots.access.js';
import type {
  BotCommand,
  BotSettings,
  ChangeBot,
  CreateBot,
  DeactivateBot,
  RegenerateBotKey,
} from './bots.commands.js';
import { acceptService } from './bot-service.js';
import { channelNamed } from './default-channels.js';
import { assertRoomForBot } from './model/bot-creation.access.js';
import { BOT_TYPE, type Bot } from './model/bot.js';
import { namesPrivate } from './model/bot-privacy.js';
import type { BotConfigured } from './model/bot.events.js';
import { handedOver } from './model/handed-over.js';
import { botsPart } from './model/bots.part.js';

const SHORT_NAME_LENGTH_MAX = 100;
/** All keys and values of a bot's configuration together, in characters. */
const CONFIG_LENGTH_MAX = 10_000;

/**
 * What is done with bots (endpoints.md §9). It is decided at the revision of the organization's stream.
 * @throws Refusal BAD_REQUEST, UNAUTHORIZED_PRINCIPAL, USER_DEACTIVATED
 */
export function decideBot(directory: Directory, command: BotCommand): readonly AccountEvent[] {
  const actor = presentActor(directory, command.actorId);
  switch (command.type) {
    case 'create-bot':
      return create(directory, actor, command);
    case 'change-bot':
      return change(directory, actor, command);
    case 'deactivate-bot':
      return deactivate(directory, actor, command);
    case 'regenerate-bot-key':
      return regenerateKey(directory, actor, command);
    default:
      return unreachable(command);
  }
}

function create(directory: Directory, actor: User, command: CreateBot): readonly AccountEvent[] {
  const { botType, at } = command;
  const email = emailOf(command);
  const fullName = checkFullName(command.fullName);
  if (directory.userByEmail(email) !== undefined) throw badRequest('Username already in use');
  assertFreeBotName(directory, fullName);
  assertMayCreateBot(directory, actor, botType);
  assertBotType(botType);
  assertRoomForBot(directory, actor.userId);
  const isOutgoing = botType === BOT_TYPE.outgoingWebhook;
  const settings = {
    ...configuration(directory, actor, command, undefined),
    ...(isOutgoing ? { service: acceptService(command.service) } : undefined),
  };
  const userId = directory.nextUserId;
  const by = actor.userId;
  const { role, timezone } = { role: ROLE.member, timezone: '' };
  const data = { userId, email, fullName, role, botType, botOwnerId: by, timezone, at };
  return [
    // First, so that the new bot is announced to those who may see it.
    ...configured(directory, userId, undefined, settings, { by, at }),
    { type: 'user.created.v1', data },
    ...avatarChange(userId, 1, command),
    { type: 'user.api-key-issued.v1', data: { userId, generation: 1, hash: command.apiKeyHash(userId), at } },
  ];
}

function avatarChange(
  userId: number,
  version: number,
  { avatar, actorId: by, at }: CreateBot | ChangeBot,
): readonly AccountEvent[] {
  return avatar === undefined ? [] : [{ type: 'user.avatar-changed.v1', data: { userId, avatar, version, by, at } }];
}

function change(directory: Directory, actor: User, command: ChangeBot): readonly AccountEvent[] {
  const bot = accessBot(directory, actor, command.botId);
  const known = directory.of(botsPart).get(bot.userId);
  const done = { by: actor.userId, at: command.at };
  const settings = {
    ...configuration(directory, actor, command, known),
    ...serviceChange(known, command),
  };
  return [
    ...account(directory, actor, bot, command),
    ...avatarChange(bot.userId, bot.avatarVersion + 1, command),
    ...configured(directory, bot.userId, known, settings, done),
    ...owner(directory, bot, settingsAfter(known, settings), command, done),
  ];
}

function account(directory: Directory, actor: User, bot: User, command: ChangeBot): readonly AccountEvent[] {
  const { userId } = bot;
  const fullName = command.fullName === undefined ? bot.fullName : checkFullName(command.fullName);
  if (fullName !== bot.fullName) assertFreeBotName(directory, fullName, userId);
  const role = command.role ?? bot.role;
  if (role !== bot.role) {
    // The owner of a bot must not gain by it what they may not do themselves.
    if (actor.role > ROLE.administrator) throw badRequest('Insufficient permission');
    if (role === ROLE.owner) assertOwner(actor);
  }
  const changes = {
    ...(fullName === bot.fullName ? undefined : { fullName }),
    ...(role === bot.role ? undefined : { role: { from: bot.role, to: role } }),
  };
  if (Object.keys(changes).length === 0) return [];
  return [{ type: 'user.changed.v1', data: { userId, ...changes, by: actor.userId, at: command.at } }];
}

function owner(
  directory: Directory,
  bot: User,
  settings: Bot,
  { ownerId, secrets }: ChangeBot,
  done: Done,
): readonly AccountEvent[] {
  if (ownerId === undefined || ownerId === bot.botOwnerId) return [];
  const next = directory.user(ownerId);
  if (next === undefined) throw badRequest('Failed to change owner, no such user');
  if (!next.isActive) throw badRequest('Failed to change owner, user is deactivated');
  if (next.botType !== null) throw badRequest("Failed to change owner, bots can't own other bots");
  // By the bot's key a guest would read every public channel.
  if (next.role >= ROLE.guest) throw badRequest("Failed to change owner, guests can't own bots");
  if (bot.isActive) assertRoomForBot(directory, next.userId);
  return handedOver(directory, bot, settings, next, secrets, done);
}

/** Deactivating a bot twice changes nothing (rules.md §14). */
function deactivate(directory: Directory, actor: User, { botId, at }: DeactivateBot): readonly AccountEvent[] {
  const bot = accessBot(directory, actor, botId);
  return bot.isActive ? deactivationOf(directory, bot, actor.userId, at) : [];
}

function regenerateKey(directory: Directory, actor: User, command: RegenerateBotKey): readonly AccountEvent[] {
  const { userId, apiKey, botOwnerId } = accessBot(directory, actor, command.botId);
  // Its answer has the key.
  if (apiKey?.isOwnersAlone === true && botOwnerId !== actor.userId) throw badRequest('Insufficient permission');
  const { apiKeyHash, at } = command;
  return decideIssueApiKey(directory, { type: 'issue-api-key', userId, apiKeyHash, at });
}

interface Done {
  readonly by: number;
  readonly at: number;
}

type Changes = Partial<Omit<BotConfigured['data'], 'userId' | 'isPrivate' | 'by' | 'at'>>;

/** @param known undefined for a new bot */
function configuration(directory: Directory, actor: User, asked: BotSettings, known: Bot | undefined): Changes {
  const changes: Changes = {
    ...(asked.sendsTo === undefined ? undefined : { sendsTo: channelNamed(directory, actor, asked.sendsTo) }),
    ...(asked.listensTo === undefined ? undefined : { listensTo: channelNamed(directory, actor, asked.listensTo) }),
    ...(asked.listensToAll === undefined ? undefined : { listensToAll: asked.listensToAll }),
  };
  if (asked.config === undefined) return changes;
  const config = { ...known?.config, ...asked.config };
  let length = 0;
  for (const [key, value] of Object.entries(config)) length += key.length + value.length;
  if (length > CONFIG_LENGTH_MAX) throw badRequest(`config_data is too long (limit: ${CONFIG_LENGTH_MAX} characters)`);
  return { ...changes, config };
}

function serviceChange({ service }: Bot, { serviceUrl, serviceInterface }: ChangeBot): Changes {
  if (serviceUrl === undefined && serviceInterface === undefined) return {};
  if (service === undefined) throw badRequest('This bot does not call a service.');
  const { url, interface: form } = service;
  return { service: acceptService({ ...service, url: serviceUrl ?? url, interface: serviceInterface ?? form }) };
}

/** The event, with what differs from the known settings alone. */
function configured(
  directory: Directory,
  userId: number,
  known: Bot | undefined,
  changes: Changes,
  done: Done,
): readonly AccountEvent[] {
  const before = known ?? directory.of(botsPart).get(userId);
  const after = settingsAfter(before, changes);
  if (after === before) return [];
  const isPrivate = { from: namesPrivate(directory, before), to: namesPrivate(directory, after) };
  return [{ type: 'bot.configured.v1', data: { userId, ...differingFrom(before, changes), isPrivate, ...done } }];
}

/** The settings after `configured`: the same object when nothing differs. */
function settingsAfter(before: Bot, changes: Changes): Bot {
  const differing = differingFrom(before, changes);
  return Object.keys(differing).length === 0 ? before : { ...before, ...differing };
}

function differingFrom(before: Bot, changes: Changes): Changes {
  const differing = Object.entries(changes).filter(
    ([name, value]) => JSON.stringify(before[name as keyof Changes]) !== JSON.stringify(value),
  );
  return Object.fromEntries(differing);
}

/** @throws Refusal BAD_REQUEST */
function emailOf({ shortName, domain }: CreateBot): string {
  const name = shortName.trim();
  const email = `${name}-bot@${domain}`;
  if (name === '' || name.length > SHORT_NAME_LENGTH_MAX || !isEmailAddress(email))
    throw badRequest('Bad name or username');
  return email;
}

/** Embedded bots run in the server; this one has none. */
function assertBotType(botType: number): void {
  if (botType === BOT_TYPE.embedded) throw badRequest('Embedded bots are not enabled.');
  if (!(Object.values(BOT_TYPE) as readonly number[]).includes(botType)) throw badRequest('Invalid bot type');
}
