import type { Reminder } from './reminders.events.js';

interface Common {
  readonly userId: number;
  /** Seconds since the epoch. */
  readonly at: number;
}

export type ReminderCommand =
  | (Common & { readonly type: 'add-reminder'; readonly reminder: Omit<Reminder, 'reminderId'> })
  | (Common & { readonly type: 'remove-reminder'; readonly reminderId: number })
  | (Common & { readonly type: 'claim-reminder'; readonly reminderId: number; readonly isUserActive: boolean })
  | (Common & { readonly type: 'finish-reminder'; readonly reminderId: number; readonly isSent: boolean });
