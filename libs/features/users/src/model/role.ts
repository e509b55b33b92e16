import { described, numbers } from '#wire';

/** Organization roles on the wire; a smaller number is a stronger role (rules.md §3). */
export const ROLE = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const;

export const RoleSchema = described(
  numbers<number>(...Object.values(ROLE)),
  '100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.',
);
