import type { Letter } from '../letter.js';

/** Why a mail could not be handed over. */
export class MailFailure extends Error {
  constructor(
    /** `later`: not taken, and may be taken later; `never`: refused for good, or possibly taken. */
    readonly kind: 'later' | 'never',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'MailFailure';
  }
}

/** A mail server that is ready to take one mail. */
export interface MailSession {
  /** @throws MailFailure */
  submit(letter: Letter): Promise<void>;
  close(): void;
}

/** Where mail goes. */
export abstract class MailTransport {
  /** Whether mail reaches people, and not only the operator. */
  abstract readonly reachesPeople: boolean;

  /** Reaches the mail server, and hands over nothing yet. @throws MailFailure */
  abstract open(): Promise<MailSession>;
}
