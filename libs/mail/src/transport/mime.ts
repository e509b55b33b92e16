import MailComposer from 'nodemailer/lib/mail-composer';
import type { Letter } from '../letter.js';

/** The mail in the format of the internet (RFC 5322), with its text in both formats. */
export function mimeOf({ mailId, to, subject, text, html }: Letter, from: string): Promise<Buffer> {
  const composer = new MailComposer({
    from,
    // As an object it is one address, whatever it contains.
    to: { name: '', address: to },
    subject,
    text,
    html,
    messageId: `<${mailId}@${from.slice(from.lastIndexOf('@') + 1)}>`,
    newline: 'windows',
    headers: { 'Auto-Submitted': 'auto-generated' },
    // Letters contain no files, and none is read for them.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}
