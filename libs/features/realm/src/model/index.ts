export { isDisposableDomain } from './domains/disposable-domains.js';
export { domainsPart } from './domains/domains.part.js';
export { isWithinDomains } from './domains/domains.js';
export { linkifiersPart } from './linkifiers/linkifiers.part.js';
export { playgroundsPart } from './playgrounds/playgrounds.part.js';
export type { Organization } from './organization.js';
export { organizationSettingsChanged, type RealmEvent, realmEventTypes } from './realm.events.js';
export { organizationPart, realmPart } from './realm.part.js';
export { BIG_BLUE_BUTTON, type ExternalLogin, Integrations, type LoginMethod, ZOOM } from './server/integrations.js';
export {
  FEATURE_LEVEL,
  INTERFACE_LEVELS,
  isAtLevel,
  type LevelledKind,
  type Levels,
  nameAtLevel,
} from './server/interface-levels.js';
export { QuietServer } from './server/quiet-server.js';
export { RetentionSwitch } from './server/retention-switch.js';
export { LIMITS, SERVER_CONSTANTS, THUMBNAIL_FORMATS } from './server/server-constants.js';
export { SERVER_VERSION, VERSION_FIELDS, versionFields } from './server/server-version.js';
export { Site } from './server/site.js';
export { UploadLimits } from './server/upload-limits.js';
export type { RealmSettings } from './settings/changeable-settings.js';
export { REALM_CONSTANTS } from './settings/realm-defaults.js';
export {
  REALM_PERMISSION_NAMES,
  REALM_PERMISSIONS,
  type RealmPermission,
  type RealmPermissionName,
} from './settings/realm-permissions.js';
export { NEW_REALM, type RealmState } from './settings/realm-settings.js';
export { REALM_SETTING_TABLE, type RealmSetting } from './settings/realm-settings.table.js';
export { holdsRealmPermission } from './settings/realm.access.js';
