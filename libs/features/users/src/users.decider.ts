import { revokedFor } from '#invitations/model';
import { badRequest } from '#kernel';
import { signupsChannel, UserColors, subscribedTogether, type ChannelSubscribed } from '#channels/model';
import type { Directory } from '#people';
import { USER_SETTINGS, type UserSettingName, type UserSettingValue } from '#preferences/model';
import { EMAIL_VISIBILITY, hiddenAddress } from './model/email.access.js';
import { hiddenCharacterIn, nameKey, normalizedName, uniqueNameKey } from './model/names/name-text.js';
import { ROLE } from './model/role.js';
import type { User } from './model/user.js';
import type { UserEvent } from './model/user.events.js';
import { presentActor } from './accounts/accounts.access.js';
import { checkEmail } from './email-address.js';
import { greetingOf } from './welcome-text.js';
import { isReservedName } from './first-start/reserved-names.js';
import type { AccountEvent } from './account-event.js';

export interface CreateUser {
  readonly type: 'create-user';
  /** The decider looks the actor up again, whose role may have changed meanwhile. */
  readonly actorId: number;
  readonly email: string;
  readonly fullName: string;
  readonly passwordHash: string;
  /** Hash of the new account's first API key, by its future user ID. */
  readonly apiKeyHash: (userId: number) => string;
  readonly at: number;
}

export interface IssueApiKey {
  readonly type: 'issue-api-key';
  readonly userId: number;
  readonly apiKeyHash: (userId: number, generation: number) => string;
  readonly at: number;
}

const FULL_NAME_LENGTH_MIN = 2;
const FULL_NAME_LENGTH_MAX = 100;
/** Characters that would make a name impossible to mention. */
const NAME_FORBIDDEN = /[*`\\>"@]|\|\d+$/u;

/**
 * A new account with its first API key, subscribed to the default channels (rules.md §12).
 * @throws Refusal BAD_REQUEST
 */
export function decideCreateUser(directory: Directory, command: CreateUser): readonly AccountEvent[] {
  if (presentActor(directory, command.actorId).role > ROLE.owner)
    throw badRequest('User not authorized to create users');
  const channelIds = defaultChannelIds(directory);
  const welcome = directory.settings.welcome_message_custom_text;
  return newAccount(directory, { ...command, role: ROLE.member, timezone: '', channelIds, welcome });
}

export interface NewAccount {
  readonly email: string;
  readonly fullName: string;
  readonly role: number;
  /** IANA name, or empty. */
  readonly timezone: string;
  readonly passwordHash: string;
  /** Hash of its first API key, by its user ID. */
  readonly apiKeyHash: (userId: number) => string;
  /** Channels that it is subscribed to. */
  readonly channelIds: readonly number[];
  /** Markdown that follows the greeting of the welcome bot; blank for none. */
  readonly welcome: string;
  /** Who makes it for its user; undefined for who joins. */
  readonly actorId?: number;
  /** The invitation that it comes from. */
  readonly invitationId?: number;
  readonly at: number;
}

/**
 * An account with the next user ID. Other invitations to its address end.
 * @throws Refusal BAD_REQUEST
 */
export function newAccount(directory: Directory, account: NewAccount): readonly AccountEvent[] {
  const { role, timezone, passwordHash, channelIds, at } = account;
  const fullName = checkFullName(account.fullName);
  const email = checkEmail(directory, account.email);
  const userId = directory.nextUserId;
  assertUniqueName(directory, fullName);
  const entails = {
    ...entailedBy(directory, account),
    // Accounts that the owner makes are for programs as well, which begin with nothing.
    ...(account.invitationId === undefined || channelIds.length === 0 ? undefined : { history: true as const }),
  };
  return [
    {
      type: 'user.created.v1',
      data: {
        userId,
        email,
        fullName,
        role,
        botType: null,
        botOwnerId: null,
        timezone,
        ...hiddenEmail(directory, userId),
        passwordHash,
        at,
        entails,
      },
    },
    { type: 'user.api-key-issued.v1', data: { userId, generation: 1, hash: account.apiKeyHash(userId), at } },
    ...joinChannels(userId, channelIds, at),
    ...revokedFor(directory, email, at, account.invitationId),
  ];
}

type Entailed = Exclude<Extract<UserEvent, { type: 'user.created.v1' }>['data']['entails'], undefined>;

/** What comes with a new user, as the organization has set it. */
function entailedBy(directory: Directory, { role, welcome, actorId }: NewAccount): Entailed {
  const settings = settingsOfNewUser(directory);
  const announcedIn = signupsChannel(directory)?.channelId;
  return {
    welcome: greetingOf(directory, role, welcome),
    ...(Object.keys(settings).length === 0 ? undefined : { settings }),
    ...(announcedIn === undefined ? undefined : { announcedIn }),
    ...(announcedIn === undefined || actorId === undefined ? undefined : { announcedBy: actorId }),
  };
}

/** Who sees the addresses of new users, and what stands for them, as the organization has set it. */
function hiddenEmail(
  directory: Directory,
  userId: number,
): { readonly emailVisibility?: number; readonly apiEmail?: string } {
  const { email_address_visibility: emailVisibility } = directory.userDefaults;
  if (typeof emailVisibility !== 'number' || emailVisibility === EMAIL_VISIBILITY.everyone) return {};
  return { emailVisibility, apiEmail: hiddenAddress(directory, userId) };
}

/** Personal settings that differ from the server's: those that the organization has set, and its language. */
function settingsOfNewUser({ settings, userDefaults }: Directory): Readonly<Record<string, UserSettingValue>> {
  // Who sees the address is part of the account.
  const { email_address_visibility: _, ...defaults } = userDefaults;
  const asSet: Readonly<Record<string, UserSettingValue>> = {
    default_language: settings.default_language,
    ...defaults,
  };
  const differing = Object.entries(asSet).filter(([name, value]) => USER_SETTINGS[name as UserSettingName] !== value);
  return Object.fromEntries(differing);
}

type ApiKeyIssued = Extract<UserEvent, { type: 'user.api-key-issued.v1' }>;

/** Issues a key of the next generation; the previous one stops working. */
export function decideIssueApiKey(directory: Directory, command: IssueApiKey): readonly ApiKeyIssued[] {
  const user = directory.user(command.userId);
  if (user === undefined) throw badRequest('No such user');
  const generation = (user.apiKey?.generation ?? 0) + 1;
  const hash = command.apiKeyHash(user.userId, generation);
  // The next key of a bot that was given away opens as much as the one before.
  const isOwnersAlone = user.apiKey?.isOwnersAlone === true && { isOwnersAlone: true as const };
  const data = { userId: user.userId, generation, hash, ...isOwnersAlone, at: command.at };
  return [{ type: 'user.api-key-issued.v1', data }];
}

/**
 * Normalises a name for storage.
 * @throws Refusal BAD_REQUEST
 */
export function checkFullName(raw: string): string {
  const fullName = normalizedName(raw);
  const length = Array.from(fullName).length;
  if (length < FULL_NAME_LENGTH_MIN) throw badRequest('Name too short!');
  if (length > FULL_NAME_LENGTH_MAX) throw badRequest('Name too long!');
  if (NAME_FORBIDDEN.test(fullName) || hiddenCharacterIn(fullName) !== -1)
    throw badRequest('Invalid characters in name!');
  if (isReservedName(fullName)) throw badRequest("This name is reserved for the server's own bots.");
  return fullName;
}

/**
 * People who were deactivated count: their names stand beside what they wrote.
 * @param except the user whose name it is to be
 * @throws Refusal BAD_REQUEST
 */
export function assertUniqueName(directory: Directory, fullName: string, except?: User): void {
  if (!directory.settings.require_unique_names) return;
  const key = uniqueNameKey(fullName);
  for (const user of directory.users()) {
    if (user.userId !== except?.userId && uniqueNameKey(user.fullName) === key)
      throw badRequest('Unique names required in this organization.');
  }
}

/**
 * Names of bots are unique among active accounts (endpoints.md §9).
 * @throws Refusal BAD_REQUEST
 */
export function assertFreeBotName(directory: Directory, fullName: string, exceptId?: number): void {
  const key = nameKey(fullName);
  for (const user of directory.users())
    if (user.isActive && user.userId !== exceptId && nameKey(user.fullName) === key)
      throw badRequest('Name is already in use!');
}

/** IDs of the channels that new users are subscribed to, ascending. */
export function defaultChannelIds(directory: Directory): number[] {
  const ids: number[] = [];
  for (const { channelId, isDefault, isArchived } of directory.channels())
    if (isDefault && !isArchived) ids.push(channelId);
  return ids;
}

function joinChannels(userId: number, channelIds: readonly number[], at: number): AccountEvent[] {
  const colors = new UserColors();
  const joined = channelIds.map((channelId): ChannelSubscribed => {
    const color = colors.pick(channelId);
    return { type: 'channel.subscribed.v1', data: { channelId, subscribers: [{ userId, color }], by: null, at } };
  });
  return subscribedTogether(joined);
}
