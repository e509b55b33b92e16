export { avatarAddress, avatarUrl, Gravatar, identiconSeed } from './avatar.js';
export type { ByActor, RequestOf } from './by-actor.js';
export { apiEmail, EMAIL_VISIBILITY, emailVisibilityOf, userByAddress, userByIdOrAddress } from './email.access.js';
export { hiddenCharacterIn, nameKey, normalizedName } from './names/name-text.js';
export { asOperator, isOperator, operatorOf } from './operator.js';
export { profileDataChanged, profileFieldEventTypes } from './profile-fields/profile-field.events.js';
export type { ProfileFields } from './profile-fields/profile-fields.js';
export { profileFieldsPart } from './profile-fields/profile-fields.part.js';
export { ROLE } from './role.js';
export { assertAdministrator, assertOwner, isActiveOwner } from './role.access.js';
export { isSpectator, SPECTATOR } from './spectator.js';
export type { Avatar, User } from './user.js';
export type { UserBook } from './user-book.js';
export {
  type ActivityChanged,
  type AvatarChanged,
  type BotOwnerChanged,
  botOwnerChanged,
  type UserChanged,
  type UserEvent,
  userEventTypes,
  type WaitingChanged,
} from './user.events.js';
export { directsPart, foreseenEndsPart, usersPart } from './users.part.js';
export { waitingAfter } from './waiting.js';
