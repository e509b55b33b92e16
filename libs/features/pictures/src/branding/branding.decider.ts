import { assertAdministrator } from '#users/model';
import type { Directory } from '#people';
import { presentActor } from '#users';
import type { ChangeBranding } from './branding.commands.js';
import type { BrandingChanged } from '../model/branding/branding.events.js';
import { brandingVersion } from '../model/branding/branding.js';
import { brandingPart } from '../model/branding/branding.part.js';

/**
 * Changes the organization's icon or a logo (endpoints.md §12), at the revision of the organization's stream.
 * @throws Refusal UNAUTHORIZED_PRINCIPAL, USER_DEACTIVATED
 */
export function decideBranding(directory: Directory, command: ChangeBranding): readonly BrandingChanged[] {
  const { actorId, kind, picture, at } = command;
  assertAdministrator(presentActor(directory, actorId));
  const branding = directory.of(brandingPart);
  if (picture === null && branding[kind]?.picture === undefined) return [];
  const version = brandingVersion(branding, kind) + 1;
  return [{ type: 'organization.branding-changed.v1', data: { kind, picture, version, by: actorId, at } }];
}
