import { Injectable } from '@nestjs/common';
import { can, type JsonFields, type RegisterContext, RegisterFields, wants } from '#feature';
import {
  EMOJISET_CHOICES,
  LEGACY_DISPLAY_SETTINGS,
  LEGACY_NOTIFICATION_SETTINGS,
  NOTIFICATION_SOUNDS,
  USER_SETTINGS,
} from '#organization';

const CHOICES = { emojiset_choices: EMOJISET_CHOICES, available_notification_sounds: NOTIFICATION_SOUNDS } as const;

/** The viewer's settings, and the forms in which older clients read them (register.md §5). */
@Injectable()
export class SettingsFields extends RegisterFields {
  override readonly keys = [
    'user_settings',
    'realm_user_settings_defaults',
    'update_display_settings',
    'update_global_notifications',
  ];

  override addTo(fields: JsonFields, context: RegisterContext): void {
    const { directory, viewer } = context;
    const own = { ...directory.preferences.settings(viewer.userId), timezone: viewer.timezone };
    if (wants(context, 'user_settings')) fields.add('user_settings', { ...own, ...CHOICES });
    if (wants(context, 'realm_user_settings_defaults')) {
      const { timezone: _, ...defaults } = USER_SETTINGS;
      fields.add('realm_user_settings_defaults', { ...defaults, ...directory.userDefaults, ...CHOICES });
    }
    if (can(context, 'user_settings_object')) return;
    if (wants(context, 'update_display_settings')) {
      for (const name of LEGACY_DISPLAY_SETTINGS) fields.add(name, own[name]);
      fields
        .add('default_view', own.web_home_view)
        .add('timezone', own.timezone)
        .add('emojiset_choices', CHOICES.emojiset_choices);
    }
    if (wants(context, 'update_global_notifications')) {
      for (const name of LEGACY_NOTIFICATION_SETTINGS) fields.add(name, own[name]);
      fields.add('available_notification_sounds', CHOICES.available_notification_sounds);
    }
  }
}
