import type { Decider } from '#kernel';
import { evolvePreferences, noPreferences, type Preferences } from './preferences.js';
import type { UserSettingValue } from './user-settings.js';
import type { PreferencesEvent } from './preferences.events.js';

interface BeginWith {
  readonly userId: number;
  readonly settings: Readonly<Record<string, UserSettingValue>>;
  readonly at: number;
}

/** The settings that a user begins with, in their `user-{id}` stream. What they have set themselves meanwhile stays. */
export const newUserSettingsDecider: Decider<Preferences, BeginWith, PreferencesEvent> = {
  initial: noPreferences,
  decide(state, { userId, settings, at }) {
    const unset = Object.entries(settings).filter(([name]) => !state.settings.has(name));
    if (unset.length === 0) return [];
    return [{ type: 'user-settings.changed.v1', data: { userId, settings: Object.fromEntries(unset), at } }];
  },
  evolve: evolvePreferences,
};
