import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { assertIntended, callerIn } from '#http';
import { Refusal } from '#kernel';
import { Directory, holdsRealmPermission, ROLE, Site, type User } from '#organization';

/** The door to the audit. It runs before the parameters are read: for others, no answer differs from that of an unknown path. */
@Injectable()
export class AuditorGuard implements CanActivate {
  constructor(
    private readonly directory: Directory,
    private readonly site: Site,
  ) {}

  /** @throws Refusal NOT_FOUND; CSRF_FAILED for a link that an auditor's browser followed: each call is a fact in their name */
  canActivate(context: ExecutionContext): boolean {
    return admit(context, this.site, mayAudit(this.directory, callerIn(context) as User | undefined));
  }
}

/** The door for those who approve calls of auditors. */
@Injectable()
export class ApproverGuard implements CanActivate {
  constructor(
    private readonly directory: Directory,
    private readonly site: Site,
  ) {}

  /** @throws Refusal as `AuditorGuard` */
  canActivate(context: ExecutionContext): boolean {
    return admit(context, this.site, mayApprove(this.directory, callerIn(context) as User | undefined));
  }
}

function admit(context: ExecutionContext, { url }: Site, may: boolean): boolean {
  if (!may) throw new Refusal('NOT_FOUND', 'Not found');
  assertIntended(context, url);
  return true;
}

/** Only people: the key of a bot is known to more than one person. */
export function mayAudit(directory: Directory, user: User | undefined): boolean {
  if (user === undefined) return false;
  if (user.botType !== null) return false;
  return holdsRealmPermission(directory, user, 'can_audit_group');
}

/** Auditors, and owners where calls have to be approved. Never for a request of one's own. */
export function mayApprove(directory: Directory, user: User | undefined): boolean {
  if (mayAudit(directory, user)) return true;
  if (user?.role !== ROLE.owner || user.botType !== null || !user.isActive) return false;
  return directory.settings.audit_needs_approval;
}
