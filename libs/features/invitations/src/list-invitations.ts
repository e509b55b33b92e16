import { Query } from '@nestjs/cqrs';
import { query } from '#feature';
import { Clock } from '#kernel';
import { Directory } from '#people';
import type { User } from '#users/model';
import { assertMember, mayKnowInvitation } from './invitations.access.js';
import { JoinLinks } from './join-links.js';
import { wireInvitation, type WireInvitation } from './wire-invitation.js';
import { type Invitation, isExpired } from './model/invitation.js';
import { invitationsPart } from './model/invitations.part.js';

/** Open invitations that the viewer may know: personal ones first, then links, each by ID (rules.md §14). */
export class ListInvitationsQuery extends Query<readonly WireInvitation[]> {
  constructor(readonly viewer: User) {
    super();
  }
}

/** @throws Refusal BAD_REQUEST */
export const listInvitations = query(
  ListInvitationsQuery,
  { directory: Directory, links: JoinLinks, clock: Clock },
  ({ viewer }, { directory, links, clock }) => {
    assertMember(viewer);
    const at = clock.nowSeconds();
    const personal: Invitation[] = [];
    const multiuse: Invitation[] = [];
    for (const invitation of directory.of(invitationsPart).all()) {
      if (isExpired(invitation, at) || !mayKnowInvitation(viewer, invitation)) continue;
      (invitation.personal === undefined ? multiuse : personal).push(invitation);
    }
    const linkOf = (invitationId: number): string => links.multiuse(invitationId);
    return [...personal, ...multiuse].map((invitation) => wireInvitation(invitation, linkOf));
  },
);
