import type { Letter } from '../letter.js';

/** Why a mail could not be handed over. */
export class MailFailure extends Error {
  constructor(
    /** `later`: not taken, and may be taken later; `never`: refused for good; `unknown`: possibly taken. */
    readonly kind: 'later' | 'never' | 'unknown',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'MailFailure';
  }
}

/** A mail server that is ready to take one mail. */
export interface MailSession {
  /**
   * Hands the mail over.
   * @param claim is called when all but the last step is done, so that as little as possible can happen between its record and that
   * step; without the right to hand it over nothing is taken
   * @returns whether it was handed over
   * @throws MailFailure, and what `claim` throws
   */
  submit(letter: Letter, claim: () => Promise<boolean>): Promise<boolean>;
  close(): void;
}

/** Where mail goes. */
export abstract class MailTransport {
  /** Whether mail reaches people, and not only the operator. */
  abstract readonly reachesPeople: boolean;

  /** Reaches the mail server, and hands over nothing yet. @throws MailFailure */
  abstract open(): Promise<MailSession>;
}
