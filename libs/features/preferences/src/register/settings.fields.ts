import { Injectable } from '@nestjs/common';
import { can, type JsonFields, type RegisterContext, RegisterFields, wants } from '#feature';
import { emailVisibilityOf } from '#users/model';
import { EMOJISET_CHOICES, NOTIFICATION_SOUNDS } from '../model/user-settings.table.js';
import { legacySettings, USER_SETTINGS } from '../model/user-settings.js';
import { preferencesPart } from '../model/preferences.part.js';

const CHOICES = { emojiset_choices: EMOJISET_CHOICES, available_notification_sounds: NOTIFICATION_SOUNDS } as const;

const DISPLAY_SETTINGS = legacySettings('display');
const NOTIFICATION_SETTINGS = legacySettings('notification');

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
    const own = {
      ...directory.of(preferencesPart).settings(viewer.userId),
      timezone: viewer.timezone,
      email_address_visibility: emailVisibilityOf(viewer),
    };
    if (wants(context, 'user_settings')) fields.add('user_settings', { ...own, ...CHOICES });
    if (wants(context, 'realm_user_settings_defaults')) {
      const { timezone: _, ...defaults } = USER_SETTINGS;
      fields.add('realm_user_settings_defaults', { ...defaults, ...directory.userDefaults, ...CHOICES });
    }
    if (can(context, 'user_settings_object')) return;
    if (wants(context, 'update_display_settings')) {
      for (const { name, legacyName } of DISPLAY_SETTINGS) fields.add(legacyName, own[name]);
      fields.add('timezone', own.timezone).add('emojiset_choices', CHOICES.emojiset_choices);
    }
    if (wants(context, 'update_global_notifications')) {
      for (const { name, legacyName } of NOTIFICATION_SETTINGS) fields.add(legacyName, own[name]);
      fields.add('available_notification_sounds', CHOICES.available_notification_sounds);
    }
  }
}
