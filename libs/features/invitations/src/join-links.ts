import { Injectable } from '@nestjs/common';
import { Site } from '#realm/model';
import { LinkKeys } from '#pages';

/** Whom a link lets join. */
export interface Joining {
  readonly invitationId: number;
  /** The address that is known to be the visitor's: the mail with the link went there. */
  readonly email?: string;
}

const PERSONAL = 'i';
const MULTIUSE = 'm';
const CONFIRMED = 'c';

/** Addresses of the pages by which people join, and what their keys say. */
@Injectable()
export class JoinLinks {
  constructor(
    private readonly keys: LinkKeys,
    private readonly site: Site,
  ) {}

  /** Link in the mail that invites one person. */
  personal(invitationId: number): string {
    return `${this.site.url}/accounts/do_confirm/${this.keys.keyOf(PERSONAL, invitationId)}`;
  }

  /** Link that invites everyone who has it. */
  multiuse(invitationId: number): string {
    return `${this.site.url}/join/${this.keys.keyOf(MULTIUSE, invitationId)}/`;
  }

  /** Link in the mail to a visitor of a multiuse link, which confirms the address. */
  confirmed(invitationId: number, email: string, expiresAt: number): string {
    return `${this.site.url}/accounts/do_confirm/${this.keys.keyOf(CONFIRMED, `${invitationId}:${expiresAt}:${email}`)}`;
  }

  /** The invitation of a link that invites many. */
  readMultiuse(key: string): number | undefined {
    const says = this.keys.read(MULTIUSE, key);
    return says === undefined ? undefined : Number(says);
  }

  /** Reads the key of a link that came by mail. @param at seconds since the epoch */
  readMailed(key: string, at: number): Joining | undefined {
    const personal = this.keys.read(PERSONAL, key);
    if (personal !== undefined) return { invitationId: Number(personal) };
    const [, invitationId, expiresAt, email] = /^(\d+):(\d+):(.*)$/s.exec(this.keys.read(CONFIRMED, key) ?? '') ?? [];
    if (email === undefined || Number(expiresAt) <= at) return undefined;
    return { invitationId: Number(invitationId), email };
  }
}
