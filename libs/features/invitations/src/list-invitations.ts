import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Clock } from '#kernel';
import { Directory, type User } from '#organization';
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
@QueryHandler(ListInvitationsQuery)
export class ListInvitationsHandler implements IQueryHandler<ListInvitationsQuery> {
  constructor(
    private readonly directory: Directory,
    private readonly links: JoinLinks,
    private readonly clock: Clock,
  ) {}

  execute({ viewer }: ListInvitationsQuery): Promise<readonly WireInvitation[]> {
    assertMember(viewer);
    const at = this.clock.nowSeconds();
    const personal: Invitation[] = [];
    const links: Invitation[] = [];
    for (const invitation of this.directory.of(invitationsPart).all()) {
      if (isExpired(invitation, at) || !mayKnowInvitation(viewer, invitation)) continue;
      (invitation.personal === undefined ? links : personal).push(invitation);
    }
    const linkOf = (invitationId: number): string => this.links.multiuse(invitationId);
    return Promise.resolve([...personal, ...links].map((invitation) => wireInvitation(invitation, linkOf)));
  }
}
