import { Injectable } from '@nestjs/common';
import { MailTransport } from '#mail';
import { Directory } from '#people';
import { usableInvitation } from './invitations.access.js';
import { JoinLinks } from './join-links.js';

/** A way in for the visitor of a page. */
export interface Entrance {
  readonly invitationId: number;
  /** The address of the account; undefined when the visitor chooses it. */
  readonly email: string | undefined;
  readonly role: number;
}

/** Which invitation a key opens. A key that opens none is undefined, for whatever reason. */
@Injectable()
export class Entrances {
  constructor(
    private readonly directory: Directory,
    private readonly links: JoinLinks,
    private readonly transport: MailTransport,
  ) {}

  /** By the link of a mail. */
  byMail(key: string, at: number): Entrance | undefined {
    const joining = this.links.readMailed(key, at);
    if (joining === undefined) return undefined;
    const invitation = usableInvitation(this.directory, joining.invitationId, at);
    if (invitation === undefined || (invitation.personal === undefined) !== (joining.email !== undefined))
      return undefined;
    const email = joining.email ?? invitation.personal?.email;
    if (email === undefined || this.directory.userByEmail(email) !== undefined) return undefined;
    return { invitationId: joining.invitationId, email, role: invitation.role };
  }

  /** By a link for many. */
  byLink(key: string, at: number): Entrance | undefined {
    const invitationId = this.links.readMultiuse(key);
    if (invitationId === undefined) return undefined;
    const invitation = usableInvitation(this.directory, invitationId, at);
    return invitation === undefined || invitation.personal !== undefined
      ? undefined
      : { invitationId, email: undefined, role: invitation.role };
  }

  /**
   * Whether a link for many leads to the form of the account at once, since no mail could prove the visitor's address
   * (rules.md §14).
   */
  get isOpen(): boolean {
    return !this.transport.reachesPeople;
  }

  /** By a key that the form of the account holds. */
  toForm(key: string, at: number): Entrance | undefined {
    return this.byMail(key, at) ?? (this.isOpen ? this.byLink(key, at) : undefined);
  }
}
