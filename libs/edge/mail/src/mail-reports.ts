import type { MailFailure } from './transport/mail-transport.js';

/** Tells the operator of mail that could not be sent. */
export class MailReports {
  constructor(readonly failed: (failure: MailFailure) => void) {}
}
