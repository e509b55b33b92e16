import type { Directory } from '#people';
import type { Invitation } from './invitation.js';
import type { InvitationEvent } from './invitation.events.js';
import { invitationsPart } from './invitations.part.js';

/** Bounds an event. */
const PER_EVENT_MAX = 10_000;

/** Revokes open invitations; no event without any. */
export function revokedInvitations(
  directory: Directory,
  at: number,
  isMeant: (invitation: Invitation) => boolean,
): readonly InvitationEvent[] {
  const meant = [...directory.of(invitationsPart).all()].filter(isMeant);
  const events: InvitationEvent[] = [];
  for (let from = 0; from < meant.length; from += PER_EVENT_MAX) {
    const part = meant.slice(from, from + PER_EVENT_MAX);
    const invitationIds = part.map(({ invitationId }) => invitationId);
    const inviterIds = [...new Set(part.map(({ by }) => by))];
    events.push({ type: 'invitations.revoked.v1', data: { invitationIds, inviterIds, at } });
  }
  return events;
}

/**
 * Revokes invitations to an address that has an account from now on.
 * @param acceptedId the one by which it has
 */
export function revokedFor(
  directory: Directory,
  email: string,
  at: number,
  acceptedId?: number,
): readonly InvitationEvent[] {
  const asked = email.toLowerCase();
  return revokedInvitations(directory, at, ({ invitationId, personal }) => {
    return personal?.email.toLowerCase() === asked && invitationId !== acceptedId;
  });
}
