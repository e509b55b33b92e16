import { badRequest, Refusal } from '#kernel';
import type { Directory } from '#people';
import { accessInvitation, assertMayInvite, presentActor } from './invitations.access.js';
import type {
  CreateInvitationLink,
  ExpireInvitation,
  ResendInvitation,
  RevokeInvitation,
  SendInvitations,
} from './invitations.commands.js';
import { type InviteeError, sortInvitees } from './invitees.js';
import { acceptTerms } from './terms.js';
import { isExpired } from './model/invitation.js';
import { invitationsPart } from './model/invitations.part.js';
import type { InvitationEvent } from './model/invitation.events.js';

/** Mails of an organization on one day (UTC): the server must not become a source of unwanted mail. */
export const MAILS_A_DAY_MAX = 1_000;
/** Mails of one invitation: the invitee does not miss more. */
export const MAILS_EACH_MAX = 10;
/** Open invitations: they are kept in memory. */
export const OPEN_MAX = 10_000;

export interface SentInvitations {
  readonly events: readonly InvitationEvent[];
  /** Why not everybody was invited. */
  readonly failure: Refusal | undefined;
}

/**
 * Invites people by mail (endpoints.md §11, POST /invites). Without a mistake in the request, those without an account are invited.
 * @throws Refusal BAD_REQUEST, INVITATION_FAILED, USER_DEACTIVATED: nobody is invited
 */
export function decideSend(directory: Directory, command: SendInvitations): SentInvitations {
  const { addresses, notifiesInviter, at } = command;
  const actor = presentActor(directory, command.actorId);
  assertMayInvite(directory, actor, 'can_invite_users_group', command.terms.role);
  if (addresses.length === 0) throw badRequest('You must specify at least one email address.');
  const terms = acceptTerms(directory, actor, command.terms, at);
  assertWithinDay(directory, addresses.length, at);
  const { emails, invalid, known } = sortInvitees(directory, addresses);
  if (invalid.length > 0)
    throw failed("Some emails did not validate, so we didn't send any invitations.", [...invalid, ...known]);
  if (emails.length === 0) throw failed("We weren't able to invite anyone.", known);
  assertRoom(directory, emails.length);
  const firstId = directory.of(invitationsPart).nextId;
  const invitations = emails.map((email, index) => ({ invitationId: firstId + index, email }));
  const failure =
    known.length === 0
      ? undefined
      : failed(
          "Some of those addresses already have accounts, so we didn't send them an invitation. We did send invitations to everyone else!",
          known,
          true,
        );
  const data = { invitations, ...terms, notifiesInviter, by: actor.userId, at, entails: 'mail' } as const;
  return { events: [{ type: 'invitations.sent.v1', data }], failure };
}

/** @throws Refusal BAD_REQUEST, USER_DEACTIVATED */
export function decideLink(directory: Directory, command: CreateInvitationLink): readonly InvitationEvent[] {
  const { at } = command;
  const actor = presentActor(directory, command.actorId);
  assertMayInvite(directory, actor, 'create_multiuse_invite_group', command.terms.role);
  const terms = acceptTerms(directory, actor, command.terms, at);
  assertRoom(directory, 1);
  const invitationId = directory.of(invitationsPart).nextId;
  return [{ type: 'invitation-link.created.v1', data: { invitationId, ...terms, by: actor.userId, at } }];
}

/** @throws Refusal BAD_REQUEST, USER_DEACTIVATED */
export function decideRevoke(directory: Directory, command: RevokeInvitation): readonly InvitationEvent[] {
  const { invitationId, isLink, at } = command;
  const actor = presentActor(directory, command.actorId);
  const { by } = accessInvitation(directory, actor, invitationId, isLink, at);
  return [{ type: 'invitations.revoked.v1', data: { invitationIds: [invitationId], inviterIds: [by], at } }];
}

/** @throws Refusal BAD_REQUEST, INVITATION_FAILED, USER_DEACTIVATED */
export function decideResend(directory: Directory, command: ResendInvitation): readonly InvitationEvent[] {
  const { invitationId, at } = command;
  const actor = presentActor(directory, command.actorId);
  const { personal } = accessInvitation(directory, actor, invitationId, false, at);
  const mail = (personal?.mails ?? 0) + 1;
  if (mail > MAILS_EACH_MAX) throw badRequest(`The invitation was sent ${MAILS_EACH_MAX} times already.`);
  assertWithinDay(directory, 1, at);
  const data = { invitationId, mail, by: actor.userId, at, entails: 'mail' } as const;
  return [{ type: 'invitation.resent.v1', data }];
}

export function decideExpire(directory: Directory, { invitationId, at }: ExpireInvitation): readonly InvitationEvent[] {
  const invitation = directory.of(invitationsPart).get(invitationId);
  if (invitation === undefined || !isExpired(invitation, at)) return [];
  return [{ type: 'invitation.expired.v1', data: { invitationId, inviterId: invitation.by, at } }];
}

/** Judged before the addresses are, so that it does not tell which of them have accounts. */
function assertWithinDay(directory: Directory, mails: number, at: number): void {
  if (directory.of(invitationsPart).mailsOnDayOf(at) + mails <= MAILS_A_DAY_MAX) return;
  const text =
    `An organization can send ${MAILS_A_DAY_MAX} invitations a day. ` +
    'Because that limit is reached, no invitations were sent.';
  throw failed(text, [], false, true);
}

function assertRoom(directory: Directory, more: number): void {
  if (directory.of(invitationsPart).size + more > OPEN_MAX)
    throw badRequest(`There are too many open invitations (limit: ${OPEN_MAX}). Revoke some of them first.`);
}

function failed(text: string, errors: readonly InviteeError[], wasSent = false, isDayFull = false): Refusal {
  return new Refusal('INVITATION_FAILED', text, {
    errors: errors.map((one) => [...one]),
    sent_invitations: wasSent,
    daily_limit_reached: isDayFull,
    license_limit_reached: false,
  });
}
