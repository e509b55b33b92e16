export { followMoveDecider } from './follow-move.decider.js';
export { languageName } from './languages.js';
export { newUserSettingsDecider } from './new-user-settings.decider.js';
export { preferencesDecider } from './preferences.decider.js';
export { type PreferencesEvent, preferencesEventTypes } from './preferences.events.js';
export { preferencesPart } from './preferences.part.js';
export { TOPIC_POLICY, type TopicPreference } from './preferences.js';
export { topicKeyOf } from './topic-key.js';
export { isTopicMuted, policyAfter } from './topic-visibility.js';
export { USER_SETTING_TABLE, type UserSetting } from './user-settings.table.js';
export {
  USER_SETTING_NAMES,
  USER_SETTING_SCHEMAS,
  USER_SETTINGS,
  type UserSettingName,
  type UserSettingValue,
} from './user-settings.js';
