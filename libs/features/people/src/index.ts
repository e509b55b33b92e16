export { assertUsableAccount, realmDeactivated } from './access/account.access.js';
export { callerOrSpectator } from './access/caller.access.js';
export {
  isLimitedViewer,
  knowing,
  limitsGuests,
  knewUser,
  mayKnowUser,
  seenUser,
  shareChannel,
  UNKNOWN_USER_NAME,
  unknownUser,
} from './access/user.access.js';
export { Directory } from './directory/directory.js';
export { type OrganizationEvent, organizationEventTypes } from './directory/organization.events.js';
export { waitingPart } from './directory/waiting.part.js';
