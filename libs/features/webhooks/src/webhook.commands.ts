import type { Widget } from '#messages';

/** How a call of a service ended. */
export type CallOutcome =
  | { readonly kind: 'answered'; readonly reply?: string | undefined; readonly widget?: Widget | undefined }
  /** Another attempt may succeed. */
  | { readonly kind: 'later'; readonly reason: string }
  | { readonly kind: 'never'; readonly reason: string };

interface Common {
  readonly callId: string;
  /** Seconds since the epoch. */
  readonly at: number;
}

export type WebhookCommand =
  /** The time of its timer has come, and this process can call. */
  | (Common & { readonly type: 'begin-call'; readonly seconds: number; readonly sentAt: number })
  /** The time of its timer has come, and too many calls are under way. */
  | (Common & { readonly type: 'postpone-call'; readonly sentAt: number })
  /** The operator asks for an attempt at once. */
  | (Common & { readonly type: 'hasten-call' })
  /** The operator gives it up. */
  | (Common & { readonly type: 'drop-call'; readonly reason: string })
  /** @param attempt the number of the attempt that ended, counted from 1 */
  | (Common & { readonly type: 'end-call'; readonly attempt: number; readonly outcome: CallOutcome });
