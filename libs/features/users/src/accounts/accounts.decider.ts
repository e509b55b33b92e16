import { assertRoomForBot, handedOver, mayCreateBot, type NewSecrets, botsPart } from '#bots/model';
import { mayInviteAs, revokedFor, revokedInvitations } from '#invitations/model';
import { badRequest, Refusal, unreachable } from '#kernel';
import type { Directory } from '#people';
import { holdsRealmPermission } from '#realm/model';
import { assertOwner } from '../model/role.access.js';
import { EMAIL_VISIBILITY, emailVisibilityOf, hiddenAddress } from '../model/email.access.js';
import { ROLE } from '../model/role.js';
import type { User } from '../model/user.js';
import { accessAccount, accessProfile, isLastOwner, presentActor } from './accounts.access.js';
import type {
  AccountCommand,
  ChangeOwnAccount,
  ChangeUser,
  DeactivateUser,
  ReactivateUser,
} from './accounts.commands.js';
import { decideProfile } from '../profile/profile-data.decider.js';
import { checkTimezone } from '../timezones.js';
import { checkEmail } from '../email-address.js';
import { assertFreeBotName, assertUniqueName, checkFullName } from '../users.decider.js';
import type { AccountEvent } from '../account-event.js';

/**
 * What is done with accounts (endpoints.md §9). It is decided at the revision of the organization's stream, so of two owners who
 * deactivate each other at once, one remains.
 * @throws Refusal BAD_REQUEST, UNAUTHORIZED_PRINCIPAL, CANNOT_DEACTIVATE_LAST_USER, USER_DEACTIVATED
 */
export function decideAccount(directory: Directory, command: AccountCommand): readonly AccountEvent[] {
  const actor = presentActor(directory, command.actorId);
  switch (command.type) {
    case 'deactivate-user':
      return deactivate(directory, actor, command);
    case 'deactivate-own-account':
      return deactivateOwn(directory, actor, command.at);
    case 'change-own-account':
      return changeOwn(directory, actor, command);
    case 'reactivate-user':
      return reactivate(directory, actor, command);
    case 'change-user':
      return change(directory, actor, command);
    default:
      return unreachable(command);
  }
}

function deactivate(
  directory: Directory,
  actor: User,
  { userId, comment, at }: DeactivateUser,
): readonly AccountEvent[] {
  const user = accessAccount(directory, actor, userId);
  if (!user.isActive) {
    // Deactivating a bot twice changes nothing (rules.md §14).
    if (user.botType !== null) return [];
    throw badRequest('User is deactivated');
  }
  if (isLastOwner(directory, user)) throw badRequest('Cannot deactivate the only organization owner');
  const isTold = comment !== undefined && user.botType === null;
  return deactivationOf(directory, user, actor.userId, at, isTold ? { comment: comment.trim() } : undefined);
}

function deactivateOwn(directory: Directory, actor: User, at: number): readonly AccountEvent[] {
  if (actor.botType !== null) throw badRequest('This endpoint does not accept bot requests.');
  if (isLastOwner(directory, actor)) {
    const data = { is_last_owner: true, entity: 'organization owner' };
    throw new Refusal('CANNOT_DEACTIVATE_LAST_USER', 'You cannot deactivate the only organization owner.', data);
  }
  return deactivationOf(directory, actor, actor.userId, at);
}

/** The account, the bots that it owns, and its invitations. */
export function deactivationOf(
  directory: Directory,
  user: User,
  by: number,
  at: number,
  entails?: { readonly comment: string },
): readonly AccountEvent[] {
  return [
    { type: 'user.deactivated.v1', data: { userId: user.userId, by, at, entails } },
    ...botsDeactivated(directory, user, by, at),
    ...revokedInvitations(directory, at, (invitation) => invitation.by === user.userId),
  ];
}

/** All bots that the user owns. */
function botsDeactivated(directory: Directory, owner: User, by: number, at: number): readonly AccountEvent[] {
  const events: AccountEvent[] = [];
  for (const { userId, botOwnerId, isActive, systemBot } of directory.bots())
    if (botOwnerId === owner.userId && isActive && systemBot === undefined)
      events.push({ type: 'user.deactivated.v1', data: { userId, by, at } });
  return events;
}

function reactivate(
  directory: Directory,
  actor: User,
  { userId, secrets, at }: ReactivateUser,
): readonly AccountEvent[] {
  const user = accessAccount(directory, actor, userId);
  // Twice is what a repeated request looks like.
  if (user.isActive) return [];
  if (user.botType === null) assertUniqueName(directory, user.fullName, user);
  else assertMayBringBack(directory, actor, user, user.botType);
  const done = { by: actor.userId, at };
  const handed = newOwner(directory, user, actor, secrets, done);
  const ownerId = handed.length === 0 ? user.botOwnerId : actor.userId;
  if (ownerId !== null) assertRoomForBot(directory, ownerId);
  return [{ type: 'user.reactivated.v1', data: { userId: user.userId, ...done } }, ...handed];
}

/** A bot comes back as one is made. @throws Refusal BAD_REQUEST */
function assertMayBringBack(directory: Directory, actor: User, bot: User, botType: number): void {
  if (!mayCreateBot(directory, actor, botType)) throw badRequest('Insufficient permission');
  assertFreeBotName(directory, bot.fullName, bot.userId);
}

/**
 * The person who reactivates a bot whose owner is gone, or a guest by now, becomes its owner (rules.md §14).
 * @throws Refusal BAD_REQUEST for a bot, which cannot
 */
function newOwner(
  directory: Directory,
  bot: User,
  actor: User,
  secrets: NewSecrets,
  done: { readonly by: number; readonly at: number },
): readonly AccountEvent[] {
  const { userId, botType, botOwnerId: former } = bot;
  if (botType === null || former === null) return [];
  const owner = directory.user(former);
  if (owner?.isActive === true && owner.role < ROLE.guest) return [];
  if (actor.botType !== null) throw badRequest('The owner of this bot is gone, and only a person can be its next one.');
  return handedOver(directory, { ...bot, isActive: true }, directory.of(botsPart).get(userId), actor, secrets, done);
}

function change(directory: Directory, actor: User, command: ChangeUser): readonly AccountEvent[] {
  const user = accessProfile(directory, actor, command.userId);
  const { userId, at } = command;
  const role = command.role ?? user.role;
  // An owner's role and address give access to the organization; what people are called is the administrators' matter.
  if (user.role === ROLE.owner && (role !== user.role || command.email !== undefined)) assertOwner(actor);
  if (role !== user.role && actor.role > ROLE.administrator) throw badRequest('Insufficient permission');
  if (role === ROLE.owner && user.role !== ROLE.owner) assertOwner(actor);
  if (role !== ROLE.owner && isLastOwner(directory, user))
    throw badRequest('The owner permission cannot be removed from the only organization owner.');
  const fullName = nameFor(directory, user, command.fullName);
  const profile =
    command.profile === undefined ? [] : decideProfile(directory, actor, person(user), command.profile, at);
  const email = command.email === undefined ? user.email : checkEmail(directory, command.email, person(user));
  if (role === user.role && fullName === user.fullName && email === user.email) return profile;
  const entails = {
    ...(email === user.email ? undefined : { formerEmail: user.email }),
    ...auditorBy(directory, user, role),
  };
  const changes = {
    ...(email === user.email ? undefined : { email }),
    ...(fullName === user.fullName ? undefined : { fullName }),
    ...(role === user.role ? undefined : { role: { from: user.role, to: role } }),
    ...(Object.keys(entails).length === 0 ? undefined : { entails }),
  };
  return [
    { type: 'user.changed.v1', data: { userId, ...changes, by: actor.userId, at } },
    ...profile,
    ...(email === user.email ? [] : revokedFor(directory, email, at)),
    // Nobody leaves invitations behind that they could not make any more.
    ...revokedInvitations(directory, at, (one) => one.by === userId && !mayInviteAs(role, one.role)),
    // Guests own no bots: by the key of one they would go on reading what they may not.
    ...(user.role < ROLE.guest && role >= ROLE.guest ? botsDeactivated(directory, user, actor.userId, at) : []),
  ];
}

/** Whether another role changes that the user may audit; a bot never may. */
function auditorBy(directory: Directory, user: User, role: number): { readonly auditor?: 'gained' | 'lost' } {
  if (role === user.role || user.botType !== null) return {};
  const might = holdsRealmPermission(directory, user, 'can_audit_group');
  const may = holdsRealmPermission(directory, { ...user, role }, 'can_audit_group');
  return might === may ? {} : { auditor: may ? 'gained' : 'lost' };
}

/** @throws Refusal BAD_REQUEST */
function person(user: User): User {
  if (user.botType !== null) throw badRequest('Bots have no profile, and keep their addresses.');
  return user;
}

/** @throws Refusal BAD_REQUEST */
function nameFor(directory: Directory, user: User, asked: string | undefined): string {
  if (asked === undefined) return user.fullName;
  const fullName = checkFullName(asked);
  if (fullName === user.fullName) return fullName;
  if (user.botType === null) assertUniqueName(directory, fullName, user);
  else assertFreeBotName(directory, fullName, user.userId);
  return fullName;
}

function visibilityChanged(directory: Directory, user: User, to: number, at: number): readonly AccountEvent[] {
  const from = emailVisibilityOf(user);
  if (from === to) return [];
  const { userId } = user;
  const visibility = { from, to };
  if (to === EMAIL_VISIBILITY.everyone)
    return [{ type: 'user.email-visibility-changed.v1', data: { userId, visibility, at } }];
  const apiEmail = user.apiEmail ?? hiddenAddress(directory, userId);
  return [{ type: 'user.email-visibility-changed.v1', data: { userId, visibility, apiEmail, at } }];
}

/** Where names are not to be changed, a new one is ignored, and the rest counts (endpoints.md §7). */
function changeOwn(directory: Directory, actor: User, command: ChangeOwnAccount): readonly AccountEvent[] {
  if (actor.botType !== null) throw badRequest('This endpoint does not accept bot requests.');
  const { userId } = actor;
  const { at, passwordHash, emailVisibility } = command;
  const isAdministrator = actor.role <= ROLE.administrator;
  const mayRename = isAdministrator || !directory.settings.name_changes_disabled;
  const fullName = nameFor(directory, actor, mayRename ? command.fullName : undefined);
  const timezone = command.timezone === undefined ? actor.timezone : checkTimezone(command.timezone);
  const email = command.email?.trim();
  const events: AccountEvent[] = [];
  const changes = {
    ...(fullName === actor.fullName ? undefined : { fullName }),
    ...(timezone === actor.timezone ? undefined : { timezone }),
    ...(passwordHash === undefined ? undefined : { passwordHash }),
  };
  if (Object.keys(changes).length > 0)
    events.push({ type: 'user.changed.v1', data: { userId, ...changes, by: userId, at } });
  if (emailVisibility !== undefined) events.push(...visibilityChanged(directory, actor, emailVisibility, at));
  if (email === undefined || email === actor.email) return events;
  if (directory.settings.email_changes_disabled && !isAdministrator)
    throw badRequest('Email address changes are disabled in this organization.');
  const requested = { userId, email: checkEmail(directory, email, actor), at, entails: 'mail' } as const;
  return [...events, { type: 'user.email-change-requested.v1', data: requested }];
}
