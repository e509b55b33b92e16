import type { ScheduledMessage } from './scheduled.events.js';

interface Common {
  readonly userId: number;
  /** Seconds since the epoch. */
  readonly at: number;
}

/** A message as the command's author read it. */
export interface ReadScheduled {
  readonly message: ScheduledMessage;
  /** Number of changes that it had by then. */
  readonly changes: number;
}

export type ScheduledCommand =
  | (Common & { readonly type: 'add-scheduled'; readonly message: Omit<ScheduledMessage, 'scheduledId'> })
  | (Common & {
      readonly type: 'change-scheduled';
      readonly scheduledId: number;
      /** What was read, and the message after the change; undefined when there was nothing to read. */
      readonly change: { readonly from: ReadScheduled; readonly to: ScheduledMessage } | undefined;
      /** Whether the request names a time. */
      readonly isTimed: boolean;
    })
  | (Common & { readonly type: 'remove-scheduled'; readonly scheduledId: number })
  /** The operator asks for another attempt at once. */
  | (Common & { readonly type: 'retry-scheduled'; readonly read: ReadScheduled })
  /** The operator gives up what could not be sent. */
  | (Common & { readonly type: 'drop-scheduled'; readonly scheduledId: number; readonly reason: string })
  | (Common & {
      readonly type: 'claim-scheduled';
      readonly read: ReadScheduled;
      readonly isSenderActive: boolean;
    })
  | (Common & {
      readonly type: 'finish-scheduled';
      readonly message: ScheduledMessage;
      /** Why it could not be sent; undefined when it was sent. */
      readonly failure: string | undefined;
    });
