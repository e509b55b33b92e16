import type { EventOf } from '#event-store';
import { channelEventTypes, subscriptionEventTypes } from '#channels/model';
import { groupEventTypes } from '#groups/model';
import { profileDataChanged, profileFieldEventTypes, userEventTypes, botOwnerChanged } from '#users/model';
import { realmEventTypes } from '#realm/model';

export const organizationEventTypes = [
  ...realmEventTypes,
  ...userEventTypes,
  botOwnerChanged,
  ...channelEventTypes,
  ...subscriptionEventTypes,
  ...groupEventTypes,
  ...profileFieldEventTypes,
  profileDataChanged,
] as const;

/** Events of the `organization` stream. */
export type OrganizationEvent = EventOf<(typeof organizationEventTypes)[number]>;
