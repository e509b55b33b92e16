import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { assertIntended, callerIn } from '#http';
import { Refusal } from '#kernel';
import { Directory, holdsRealmPermission, Site, type User } from '#organization';

/** The door to the audit. It runs before the parameters are read: for others, no answer differs from that of an unknown path. */
@Injectable()
export class AuditorGuard implements CanActivate {
  constructor(
    private readonly directory: Directory,
    private readonly site: Site,
  ) {}

  /** @throws Refusal NOT_FOUND; CSRF_FAILED for a link that an auditor's browser followed: each call is a fact in their name */
  canActivate(context: ExecutionContext): boolean {
    if (!mayAudit(this.directory, callerIn(context) as User | undefined)) throw new Refusal('NOT_FOUND', 'Not found');
    assertIntended(context, this.site.url);
    return true;
  }
}

/** Only people: the key of a bot is known to more than one person. */
export function mayAudit(directory: Directory, user: User | undefined): boolean {
  if (user === undefined) return false;
  if (user.botType !== null) return false;
  return holdsRealmPermission(directory, user, 'can_audit_group');
}
