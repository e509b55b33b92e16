import {
  described,
  type EventSchemas,
  exact,
  integer,
  named,
  nullable,
  object,
  oneOf,
  text,
  truth,
  type Wire,
} from '#wire';
import type { Invitation } from './model/invitation.js';

const INVITATION = {
  id: integer,
  invited_by_user_id: integer,
  invited: described(integer, 'Seconds since the epoch, as all times.'),
  expiry_date: described(nullable(integer), 'Null for an invitation without an end.'),
  invited_as: integer,
};

/** An invitation as clients see it (endpoints.md §11). */
export const InvitationSchema = named(
  'Invitation',
  oneOf(
    object({ ...INVITATION, is_multiuse: exact(false), email: text, notify_referrer_on_join: truth }),
    object({ ...INVITATION, is_multiuse: exact(true), link_url: text }),
  ),
);
export type WireInvitation = Wire<typeof InvitationSchema>;

export const invitationEventSchemas = { invites_changed: {} } satisfies EventSchemas;

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
