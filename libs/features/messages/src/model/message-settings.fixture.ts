import { NEW_REALM } from '#realm/model';
import { messageSettings, type MessageSettings } from './message-settings.js';

/** Settings of a new organization. */
export const MESSAGE_SETTINGS: MessageSettings = messageSettings({
  settings: NEW_REALM.settings,
  permission: (name) => NEW_REALM.permissions[name],
});
