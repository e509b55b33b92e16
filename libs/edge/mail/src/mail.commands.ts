interface Common {
  readonly mailId: string;
  /** Seconds since the epoch. */
  readonly at: number;
}

/** How an attempt to send a mail ended. */
export type Outcome =
  | { readonly kind: 'sent' }
  /** The mail server has not taken it, and may take it later. */
  | { readonly kind: 'later'; readonly reason: string }
  /** The mail server will not take it, or may have taken it: another attempt could send it twice. */
  | { readonly kind: 'never'; readonly reason: string };

export type MailCommand =
  | (Common & {
      readonly type: 'queue-mail';
      readonly template: string;
      readonly values: Readonly<Record<string, string>>;
    })
  | (Common & { readonly type: 'submit-mail' })
  /** Before the mail was handed over. */
  | (Common & { readonly type: 'skip-mail'; readonly outcome: Outcome })
  /** By the process that handed it over. */
  | (Common & { readonly type: 'finish-mail'; readonly outcome: Outcome })
  /** The operator asks for an attempt at once. */
  | (Common & { readonly type: 'hasten-mail' })
  /** The operator gives it up. */
  | (Common & { readonly type: 'drop-mail'; readonly reason: string })
  /** The time of its timer has come. */
  | (Common & { readonly type: 'expire-mail' });
