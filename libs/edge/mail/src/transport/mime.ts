import type { Letter } from '../letter.js';

/** The mail in the format of the internet (RFC 5322), with its text in both formats. */
export async function mimeOf(letter: Letter, from: string): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const { mailId, to, subject, text, html, thread, unsubscribeUrl } = letter;
  const domain = from.slice(from.lastIndexOf('@') + 1);
  // Nobody has the first mail of a thread; that all name it is what keeps them together.
  const root = thread === undefined ? undefined : `<thread-${thread}@${domain}>`;
  const composer = new MailComposer({
    from,
    // As an object it is one address, whatever it contains.
    to: { name: '', address: to },
    subject,
    // The encoder keeps lines whole that end like this and have up to 76 characters: the address of a link is one.
    text: text.replaceAll('\n', '\r\n'),
    html: html.replaceAll('\n', '\r\n'),
    messageId: `<${mailId}@${domain}>`,
    ...(root === undefined ? {} : { inReplyTo: root, references: root }),
    newline: 'windows',
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribeUrl === undefined
        ? {}
        : {
            // Without folding, which some mail programs do not undo within an address.
            'List-Unsubscribe': { prepared: true, value: `<${unsubscribeUrl}>` },
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
    },
    // Letters contain no files, and none is read for them.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}
