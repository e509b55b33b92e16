import { badRequest } from '#kernel';
import { assertOwner } from '#users/model';
import type { Directory } from '#people';
import { SERVER_CONSTANTS } from './model/server/server-constants.js';
import type { RealmEvent } from './model/realm.events.js';
import { presentActor } from './realm.access.js';

const DELAY_DAYS_MIN = SERVER_CONSTANTS.server_min_deactivated_realm_deletion_days;

export interface DeactivateOrganization {
  readonly type: 'deactivate-organization';
  readonly actorId: number;
  /** Days until the operator is to delete the data; null when it is to be kept. */
  readonly deletionDelayDays: number | null;
  /** Seconds since the epoch. */
  readonly at: number;
}

/**
 * Ends all access to the organization (endpoints.md §12, POST /realm/deactivate). The operator can undo it.
 * @throws Refusal USER_DEACTIVATED, REALM_DEACTIVATED, UNAUTHORIZED_PRINCIPAL, BAD_REQUEST
 */
export function decideDeactivation(
  directory: Directory,
  { actorId, deletionDelayDays, at }: DeactivateOrganization,
): readonly RealmEvent[] {
  const actor = presentActor(directory, actorId);
  assertOwner(actor);
  if (deletionDelayDays !== null && deletionDelayDays < DELAY_DAYS_MIN)
    throw badRequest(`Data deletion time must be at least ${DELAY_DAYS_MIN} days in the future.`);
  const deletion = deletionDelayDays === null ? {} : { deletionDelayDays };
  return [{ type: 'organization.deactivated.v1', data: { by: actor.userId, at, ...deletion } }];
}
