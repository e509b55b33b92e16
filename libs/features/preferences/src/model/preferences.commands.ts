import type { TopicPolicy } from './preferences.js';
import type { UserSettingName, UserSettingValue } from './user-settings.js';

interface Common {
  /** Owner of the preferences. */
  readonly userId: number;
  /** Seconds since the epoch. */
  readonly at: number;
}

interface OnTopic extends Common {
  readonly channelId: number;
  /** Normalized. */
  readonly topic: string;
}

export type PreferencesCommand =
  | (Common & { readonly type: 'mute-user' | 'unmute-user'; readonly mutedUserId: number })
  | (Common & { readonly type: 'add-alert-words' | 'remove-alert-words'; readonly words: readonly string[] })
  | (OnTopic & { readonly type: 'set-topic-policy'; readonly policy: TopicPolicy })
  /** Automatic, because the user took part or was mentioned; never lowers the user's own choice. */
  | (OnTopic & {
      readonly type: 'raise-topic-policy';
      readonly policy: Extract<TopicPolicy, 2 | 3>;
      readonly because: 'participation' | 'mention';
    })
  | (Common & { readonly type: 'complete-onboarding-step'; readonly step: string })
  | (Common & {
      readonly type: 'change-settings';
      readonly settings: Readonly<Partial<Record<UserSettingName, UserSettingValue>>>;
    });
