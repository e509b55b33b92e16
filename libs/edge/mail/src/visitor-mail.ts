/** However often a visitor of a page asks for a mail, an address gets one of each kind in this time. */
const ONE_MAIL_IN_SECONDS = 600;

/**
 * The name of a mail that a visitor asks for: a mail with the name of an earlier one is not sent (`Mailer.queue`).
 * @param what the kind of mail, and all that makes it another mail
 * @param at in seconds since the epoch
 */
export function visitorMailName(what: string, email: string, at: number): string {
  return `${what}:${email.toLowerCase()}:${Math.floor(at / ONE_MAIL_IN_SECONDS)}`;
}
