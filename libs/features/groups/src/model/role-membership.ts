import { type User, ROLE } from '#users/model';

/** Membership in the chain owners ⊂ administrators ⊂ … ⊂ everyone ⊂ internet, derived from the role and the waiting period. */
export function hasSystemRole(user: User, group: string): boolean {
  switch (group) {
    case 'role:owners':
      return user.role <= ROLE.owner;
    case 'role:administrators':
      return user.role <= ROLE.administrator;
    case 'role:moderators':
      return user.role <= ROLE.moderator;
    case 'role:fullmembers':
      return user.role < ROLE.member || (user.role === ROLE.member && user.isWaiting !== true);
    case 'role:members':
      return user.role <= ROLE.member;
    case 'role:everyone':
    case 'role:internet':
      return true;
    default:
      return false;
  }
}

/** The system groups that list the user directly. */
export function directSystemGroups(user: User): readonly string[] {
  switch (user.role) {
    case ROLE.owner:
      return ['role:owners'];
    case ROLE.administrator:
      return ['role:administrators'];
    case ROLE.moderator:
      return ['role:moderators'];
    case ROLE.member:
      return user.isWaiting === true ? ['role:members'] : ['role:fullmembers', 'role:members'];
    default:
      return ['role:everyone'];
  }
}
