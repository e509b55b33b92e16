import type { Invitation } from './model/invitation.js';

/** An invitation as clients see it (endpoints.md §11). */
export type WireInvitation = {
  readonly id: number;
  readonly invited_by_user_id: number;
  /** Seconds since the epoch, as all times. */
  readonly invited: number;
  /** null for an invitation without an end. */
  readonly expiry_date: number | null;
  readonly invited_as: number;
} & (
  | { readonly is_multiuse: false; readonly email: string; readonly notify_referrer_on_join: boolean }
  | { readonly is_multiuse: true; readonly link_url: string }
);

export function wireInvitation(invitation: Invitation, linkOf: (invitationId: number) => string): WireInvitation {
  const { invitationId, by, at, expiresAt, role, personal } = invitation;
  const common = {
    id: invitationId,
    invited_by_user_id: by,
    invited: at,
    expiry_date: expiresAt ?? null,
    invited_as: role,
  };
  if (personal === undefined) return { ...common, is_multiuse: true, link_url: linkOf(invitationId) };
  const { email, notifiesInviter } = personal;
  return { ...common, is_multiuse: false, email, notify_referrer_on_join: notifiesInviter };
}
