import { badRequest, Refusal } from '#kernel';
import { asOperator, assertOwner, ROLE, type User } from '#users/model';
import type { Directory } from '#people';
import { holdsRealmPermission } from '#realm/model';
import { type Invitation, isExpired } from './model/invitation.js';
import { mayInviteAs } from './model/invitation.access.js';
import { invitationsPart } from './model/invitations.part.js';

type Permission = 'can_invite_users_group' | 'create_multiuse_invite_group';

/** Invitations are for people, and not for guests (endpoints.md §11). @throws Refusal BAD_REQUEST */
export function assertMember({ botType, role }: User): void {
  if (botType !== null) throw badRequest('This endpoint does not accept bot requests.');
  if (role >= ROLE.guest) throw badRequest('Not allowed for guest users');
}

/** @throws Refusal BAD_REQUEST */
export function assertMayInvite(directory: Directory, actor: User, permission: Permission, role: number): void {
  assertMember(actor);
  if (!holdsRealmPermission(directory, actor, permission)) throw badRequest('Insufficient permission');
  if (!mayInviteAs(actor.role, role)) throw badRequest('Insufficient permission');
}

/** Whether the invitation is listed for the viewer: their own, and for administrators all. */
export function mayKnowInvitation(viewer: User, { by }: Invitation): boolean {
  return by === viewer.userId || viewer.role <= ROLE.administrator;
}

/**
 * The invitation of this kind, to be changed: that of an owner-to-be only by owners.
 * @throws Refusal BAD_REQUEST, alike for unknown invitations and those of others; UNAUTHORIZED_PRINCIPAL
 */
export function accessInvitation(
  directory: Directory,
  actor: User,
  invitationId: number,
  isLink: boolean,
  at: number,
): Invitation {
  assertMember(actor);
  const invitation = directory.of(invitationsPart).get(invitationId);
  if (invitation === undefined || isExpired(invitation, at)) throw noSuchInvitation();
  if ((invitation.personal === undefined) !== isLink) throw noSuchInvitation();
  if (!mayKnowInvitation(actor, invitation)) throw noSuchInvitation();
  if (invitation.role === ROLE.owner) assertOwner(actor);
  return invitation;
}

/** The actor as they are now. @throws Refusal USER_DEACTIVATED */
export function presentActor(directory: Directory, actorId: number): User {
  const actor = directory.user(actorId);
  if (actor?.isActive !== true) throw new Refusal('USER_DEACTIVATED', 'Account is deactivated');
  return asOperator(actor);
}

/** An invitation that somebody can join by; undefined for any other. */
export function usableInvitation(directory: Directory, invitationId: number, at: number): Invitation | undefined {
  if (directory.isDeactivated) return undefined;
  const invitation = directory.of(invitationsPart).get(invitationId);
  if (invitation === undefined || isExpired(invitation, at)) return undefined;
  return invitation;
}

function noSuchInvitation(): Refusal {
  return badRequest('No such invitation');
}
