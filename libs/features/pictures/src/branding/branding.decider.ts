import { assertAdministrator, type BrandingChanged, brandingVersion, type Directory } from '#organization';
import { presentActor } from '#users';
import type { ChangeBranding } from './branding.commands.js';

/**
 * Changes the organization's icon or a logo (endpoints.md §12), at the revision of the organization's stream.
 * @throws Refusal UNAUTHORIZED_PRINCIPAL, USER_DEACTIVATED
 */
export function decideBranding(directory: Directory, command: ChangeBranding): readonly BrandingChanged[] {
  const { actorId, kind, picture, at } = command;
  assertAdministrator(presentActor(directory, actorId));
  const { branding } = directory;
  if (picture === null && branding[kind]?.picture === undefined) return [];
  const version = brandingVersion(branding, kind) + 1;
  return [{ type: 'organization.branding-changed.v1', data: { kind, picture, version, by: actorId, at } }];
}
