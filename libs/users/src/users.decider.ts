import { badRequest } from '#kernel';
import { pickColor, ROLE, type Directory, type OrganizationEvent, type User } from '#organization';

export interface CreateUser {
  readonly type: 'create-user';
  readonly actor: User;
  readonly email: string;
  readonly fullName: string;
  readonly passwordHash: string;
  /** The new account's first API key: its hash, by the user ID that it will have. */
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
const EMAIL_LENGTH_MAX = 254;
const EMAIL_SHAPE = /^[^\s@"(),:;<>[\\\]]+@[^\s@"(),:;<>[\\\]]+$/;
/** Characters that would make a name impossible to mention. */
const NAME_FORBIDDEN = /[*`\\>"@\p{Cc}]|\|\d+$/u;

/**
 * A new account with its first API key, subscribed to the default channels (rules.md §12).
 * @throws Refusal BAD_REQUEST
 */
export function decideCreateUser(directory: Directory, command: CreateUser): readonly OrganizationEvent[] {
  const { actor, at } = command;
  if (actor.role > ROLE.owner) throw badRequest('User not authorized to create users');
  const fullName = checkFullName(command.fullName);
  const email = checkEmail(directory, command.email);
  const userId = directory.nextUserId;
  return [
    {
      type: 'user.created.v1',
      data: {
        userId,
        email,
        fullName,
        role: ROLE.member,
        botType: null,
        botOwnerId: null,
        timezone: '',
        passwordHash: command.passwordHash,
        at,
      },
    },
    { type: 'user.api-key-issued.v1', data: { userId, generation: 1, hash: command.apiKeyHash(userId), at } },
    ...joinDefaultChannels(directory, userId, at),
  ];
}

/** A key of the next generation; the one before stops working. */
export function decideIssueApiKey(directory: Directory, command: IssueApiKey): readonly OrganizationEvent[] {
  const user = directory.user(command.userId);
  if (user === undefined) throw badRequest('No such user');
  const generation = (user.apiKey?.generation ?? 0) + 1;
  const hash = command.apiKeyHash(user.userId, generation);
  return [{ type: 'user.api-key-issued.v1', data: { userId: user.userId, generation, hash, at: command.at } }];
}

/** Whether the text could be an address at all. */
export function isEmailAddress(text: string): boolean {
  return text.length <= EMAIL_LENGTH_MAX && EMAIL_SHAPE.test(text);
}

/** The name as it is kept. @throws Refusal BAD_REQUEST */
export function checkFullName(raw: string): string {
  const fullName = raw.trim();
  const length = Array.from(fullName).length;
  if (length < FULL_NAME_LENGTH_MIN) throw badRequest('Name too short!');
  if (length > FULL_NAME_LENGTH_MAX) throw badRequest('Name too long!');
  if (NAME_FORBIDDEN.test(fullName)) throw badRequest('Invalid characters in name!');
  return fullName;
}

function checkEmail(directory: Directory, raw: string): string {
  const email = raw.trim();
  if (!isEmailAddress(email)) throw badRequest('Invalid email address.');
  if (directory.userByEmail(email) !== undefined) throw badRequest(`Email '${email}' already in use`);
  return email;
}

function joinDefaultChannels(directory: Directory, userId: number, at: number): OrganizationEvent[] {
  const used = new Set<string>();
  const joined: OrganizationEvent[] = [];
  for (const { channelId, isDefault, isArchived } of directory.channels()) {
    if (!isDefault || isArchived) continue;
    const color = pickColor(used, channelId);
    used.add(color);
    joined.push({ type: 'channel.subscribed.v1', data: { channelId, subscribers: [{ userId, color }], by: null, at } });
  }
  return joined;
}
