import type { EventOf } from '#event-store';
import { channelEventTypes } from '../channels/channel.events.js';
import { groupEventTypes } from '../groups/group.events.js';
import { profileDataChanged, profileFieldEventTypes } from '../profile-fields/profile-field.events.js';
import { realmEventTypes } from '../realm/realm.events.js';
import { subscriptionEventTypes } from '../subscriptions/subscription.events.js';
import { userEventTypes, botOwnerChanged } from '../users/user.events.js';

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
