export type { BotOwnerChanged } from './users/user.events.js';
export { announcementsChannel, signupsChannel } from './channels/announcements-channel.js';
export { changedChannel } from './channels/changed-channel.js';
export {
  CHANNEL_PERMISSION_NAMES,
  defaultChannelPermission,
  type ChannelPermission,
  mayNameEveryoneInChannel,
} from './channels/channel-permissions.js';
export {
  accessChannelContent,
  accessChannelMetadata,
  hasSharedHistory,
  mayAdministerChannel,
  mayKnowChannel,
  mayKnowUnsubscribed,
  type Holders,
  mayReadChannel,
  mayReadMessageIn,
  mayReadUnsubscribed,
  maySendTo,
  maySubscribeSelf,
} from './channels/channel.access.js';
export type { ChannelChanged, ChannelCreated, ChannelEvent } from './channels/channel.events.js';
export type { Channel } from './channels/channel.js';
export { UserColors } from './channels/colors.js';
export { maySubscribeOthers } from './channels/subscribing.access.js';
export { newChannel } from './channels/new-channel.js';
export { Directory, organizationParts } from './directory/directory.js';
export { type OrganizationEvent, organizationEventTypes } from './directory/organization.events.js';
export {
  GROUP_PERMISSION_NAMES,
  type GroupPermission,
  mayNameEveryone,
  newGroupPermissions,
} from './groups/group-permissions.js';
export {
  ascending,
  type GroupSetting,
  GroupSettingSchema,
  type GroupSettingUpdate,
  GroupSettingUpdateSchema,
  groupsNamedBy,
  isSameSetting,
  normalizeGroupSetting,
  type WireGroupSetting,
  namesUser,
  WireGroupSettingSchema,
} from './groups/group-setting.js';
export { shownSetting, wireGroupSetting } from './groups/shown-setting.js';
export { mayMentionGroup } from './groups/group.access.js';
export type { GroupEvent } from './groups/group.events.js';
export type { Group } from './groups/group.js';
export { REALM_ID } from './realm/realm-id.js';
export { RetentionSwitch } from './realm/retention-switch.js';
export { UploadLimits } from './realm/upload-limits.js';
export { smallestSystemGroup } from './groups/smallest-group.js';
export { ROLE, RoleSchema, SYSTEM_GROUPS, systemGroupId } from './groups/system-groups.js';
export { acceptUpdate, assertUsableSetting } from './groups/usable-setting.js';
export { hiddenCharacterIn, nameKey, normalizedName, uniqueNameKey } from './names/name-text.js';
export {
  type ProfileDataChanged,
  type ProfileFieldDefinition,
  type ProfileFieldEvent,
} from './profile-fields/profile-field.events.js';
export {
  choicesOf,
  type Profile,
  PROFILE_FIELD,
  type ProfileField,
  profileValueOf,
} from './profile-fields/profile-fields.js';
export { assertUsableAccount, realmDeactivated } from './realm/account.access.js';
export { REALM_SETTING_NAMES, type RealmSettings, type SettingsChange } from './realm/changeable-settings.js';
export { legacyPolicies } from './realm/legacy-policies.js';
export { REALM_CONSTANTS } from './realm/realm-defaults.js';
export {
  CHANGEABLE_PERMISSIONS,
  REALM_PERMISSION_NAMES,
  REALM_PERMISSIONS,
  type RealmPermission,
  type RealmPermissionName,
} from './realm/realm-permissions.js';
export { holdsRealmPermission } from './realm/realm.access.js';
export { NEW_REALM } from './realm/realm-settings.js';
export { REALM_SETTING_TABLE, type RealmSetting, type SettingForm } from './realm/realm-settings.table.js';
export { organizationSettingsChanged, type RealmEvent } from './realm/realm.events.js';
export { LIMITS, SERVER_CONSTANTS, THUMBNAIL_FORMATS } from './realm/server-constants.js';
export {
  FEATURE_LEVEL,
  INTERFACE_LEVELS,
  isAtLevel,
  type LevelledKind,
  type Levels,
  nameAtLevel,
} from './realm/interface-levels.js';
export { decideUpgrade, firstRelease, SERVER_VERSION, VERSION_FIELDS, versionFields } from './realm/server-version.js';
export { Site } from './realm/site.js';
export { supportedPermissionSettings } from './realm/supported-permissions.js';
export { SUBSCRIPTION_SETTINGS, type SubscriptionSetting } from './subscriptions/subscription-settings.js';
export type {
  ChannelSubscribed,
  ChannelsSubscribed,
  ChannelsUnsubscribed,
  ChannelUnsubscribed,
  SubscriptionEvent,
  SubscriptionSettingsChanged,
} from './subscriptions/subscription.events.js';
export { entailing } from './subscriptions/entailing.js';
export { subscribedTogether, unsubscribedTogether } from './subscriptions/together.js';
export type { Subscription, SubscriptionSpan } from './subscriptions/subscription.js';
export type { ByActor, RequestOf } from './users/by-actor.js';
export { Gravatar, avatarAddress, avatarSource, avatarUrl, identiconSeed } from './users/avatar.js';
export { waitingAfter, waitingOver } from './users/waiting.js';
export {
  apiEmail,
  EMAIL_VISIBILITY,
  emailVisibilityOf,
  hiddenAddress,
  isEmailShownTo,
  isHiddenAddress,
  mayKnowEmail,
  userByAddress,
  userByIdOrAddress,
} from './users/email.access.js';
export type {
  ActivityChanged,
  AvatarChanged,
  EmailVisibilityChanged,
  UserChanged,
  UserEvent,
  WaitingChanged,
} from './users/user.events.js';
export { asOperator, isOperator, operatorOf } from './users/operator.js';
export { assertAdministrator, assertOwner } from './users/role.access.js';
export { callerOrSpectator, isSpectator, SPECTATOR } from './users/spectator.js';
export {
  isLimitedViewer,
  knowing,
  limitsGuests,
  mayKnowUser,
  seenUser,
  shareChannel,
  UNKNOWN_USER_NAME,
  unknownUser,
} from './users/user.access.js';
export type { Avatar, User } from './users/user.js';
export {
  BIG_BLUE_BUTTON,
  type ExternalLogin,
  Integrations,
  type LoginMethod,
  LoginMethodsSchema,
  VIDEO_CHAT_PROVIDER_IDS,
  ZOOM,
} from './realm/integrations.js';
export { picturePath } from './pictures/picture-path.js';
export { coversMessage } from './subscriptions/subscription-spans.js';
