import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { assertIntended, type Caller, Door } from '#http';
import { Directory } from '#people';
import { holdsRealmPermission, Site } from '#realm/model';
import { isActiveOwner, type User } from '#users/model';

/** Lets auditors in. For others, no answer differs from that of an unknown path. */
@Injectable()
export class AuditorDoor extends Door {
  constructor(private readonly directory: Directory) {
    super();
  }

  override admits(caller: Caller): boolean {
    return mayAudit(this.directory, caller as User);
  }
}

/** Lets those in who approve calls of auditors. */
@Injectable()
export class ApproverDoor extends Door {
  constructor(private readonly directory: Directory) {
    super();
  }

  override admits(caller: Caller): boolean {
    return mayApprove(this.directory, caller as User);
  }
}

/** Keeps out what another site makes the browser of an auditor send: each call is a fact in their name. */
@Injectable()
export class IntendedGuard implements CanActivate {
  constructor(private readonly site: Site) {}

  /** @throws Refusal CSRF_FAILED */
  canActivate(context: ExecutionContext): boolean {
    assertIntended(context, this.site.url);
    return true;
  }
}

/** Only people: the key of a bot is known to more than one person. */
function mayAudit(directory: Directory, user: User | undefined): boolean {
  if (user === undefined) return false;
  if (user.botType !== null) return false;
  return holdsRealmPermission(directory, user, 'can_audit_group');
}

/** Auditors, and owners where calls have to be approved. Never for a request of one's own. */
export function mayApprove(directory: Directory, user: User | undefined): boolean {
  if (mayAudit(directory, user)) return true;
  if (user === undefined || !isActiveOwner(user)) return false;
  return directory.settings.audit_needs_approval;
}
