/** Services that give addresses to anybody for some minutes: those that are used most. */
const DISPOSABLE: ReadonlySet<string> = new Set([
  ...'10minutemail.com 20minutemail.com 33mail.com anonbox.net burnermail.io discard.email dispostable.com'.split(' '),
  ...'dropmail.me emailondeck.com fakeinbox.com fakemailgenerator.com getairmail.com getnada.com grr.la'.split(' '),
  ...'guerrillamail.biz guerrillamail.com guerrillamail.de guerrillamail.net guerrillamail.org inboxkitten.com'.split(
    ' ',
  ),
  ...'jetable.org mail-temp.com mailcatch.com maildrop.cc mailexpire.com mailinator.com mailinator.net'.split(' '),
  ...'mailnesia.com mailnull.com mailsac.com mintemail.com moakt.com mohmal.com mytemp.email mytrashmail.com'.split(
    ' ',
  ),
  ...'sharklasers.com spam4.me spambox.us spamgourmet.com temp-mail.io temp-mail.org tempail.com tempinbox.com'.split(
    ' ',
  ),
  ...'tempmail.com tempmail.net tempmailo.com tempr.email throwawaymail.com trash-mail.com trashmail.com'.split(' '),
  ...'trashmail.de trashmail.net trbvm.com wegwerfmail.de yopmail.com yopmail.fr yopmail.net'.split(' '),
]);

/** Whether addresses of the domain, or of one above it, are thrown away after use. */
export function isDisposableDomain(domain: string): boolean {
  const labels = domain.toLowerCase().split('.');
  return labels.some((_, index) => DISPOSABLE.has(labels.slice(index).join('.')));
}
