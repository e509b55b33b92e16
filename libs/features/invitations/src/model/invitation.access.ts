import { ROLE } from '#users/model';

/** Whether a user with this role may invite others as that one: to roles equal to or stricter than their own (rules.md §3). */
export function mayInviteAs(inviterRole: number, role: number): boolean {
  return inviterRole < ROLE.guest && role >= inviterRole;
}
