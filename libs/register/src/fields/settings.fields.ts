import {
  EMOJISET_CHOICES,
  LEGACY_DISPLAY_SETTINGS,
  LEGACY_NOTIFICATION_SETTINGS,
  NOTIFICATION_SOUNDS,
  USER_SETTINGS,
} from '#organization';
import type { FieldTexts } from '../field-texts.js';
import type { Wanted } from '../wanted.js';
import { can, wants } from '../wanted.js';

const CHOICES = { emojiset_choices: EMOJISET_CHOICES, available_notification_sounds: NOTIFICATION_SOUNDS } as const;

/** The viewer's settings, and the forms in which older clients read them (register.md §5). */
export function addSettings(fields: FieldTexts, wanted: Wanted): void {
  const { directory, viewer } = wanted;
  const own = { ...directory.preferences.settings(viewer.userId), timezone: viewer.timezone };
  if (wants(wanted, 'user_settings')) fields.add('user_settings', { ...own, ...CHOICES });
  if (wants(wanted, 'realm_user_settings_defaults')) {
    const { timezone: _, ...defaults } = USER_SETTINGS;
    fields.add('realm_user_settings_defaults', { ...defaults, ...CHOICES });
  }
  if (can(wanted, 'user_settings_object')) return;
  if (wants(wanted, 'update_display_settings')) {
    for (const name of LEGACY_DISPLAY_SETTINGS) fields.add(name, own[name]);
    fields
      .add('default_view', own.web_home_view)
      .add('timezone', own.timezone)
      .add('emojiset_choices', CHOICES.emojiset_choices);
  }
  if (wants(wanted, 'update_global_notifications')) {
    for (const name of LEGACY_NOTIFICATION_SETTINGS) fields.add(name, own[name]);
    fields.add('available_notification_sounds', CHOICES.available_notification_sounds);
  }
}
