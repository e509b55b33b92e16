import type { DomainEvent } from '#kernel';
import type { Directory, OrganizationEvent } from '#people';
import type { SYSTEM_GROUPS } from '#groups/model';
import { sampleUser } from './sample-user.js';

/** The event of a new organization with these system groups. */
export function sampleOrganization(systemGroups: typeof SYSTEM_GROUPS, at: number): OrganizationEvent {
  const groups = systemGroups.map((group) => ({ ...group, directSubgroups: [...group.directSubgroups] }));
  return { type: 'organization.created.v1', data: { uuid: 'u', name: 'Acme', at, groups } };
}

/** The event of a new account: a person's (`sampleUser`), with the given changes. */
export function sampleAccount(userId: number, role: number, at: number, change: object = {}): OrganizationEvent {
  const { email, fullName, timezone } = sampleUser(userId);
  const data = { userId, email, fullName, role, timezone, botType: null, botOwnerId: null, at, ...change };
  return { type: 'user.created.v1', data };
}

/** Applies the next event of the organization's stream, as a decider does. */
export function evolveDirectory(directory: Directory, event: DomainEvent<string, object>): Directory {
  directory.position++;
  directory.evolve(event, directory.position);
  return directory;
}
