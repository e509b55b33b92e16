import type { LetterSection } from '#mail';
import { preferencesPart } from '#preferences/model';
import type { WaitingMessage } from '#reading';
import type { Directory } from '#people';

/** Characters of content and HTML in one mail: mail servers refuse large ones, and some programs show 100 kB. */
const LENGTH_MAX = 100_000;

/** Whether mails to the user may say what was written, where and by whom: the user and the organization decide. */
export function mayShowContent(directory: Directory, userId: number): boolean {
  return (
    directory.settings.message_content_allowed_in_email_notifications &&
    directory.of(preferencesPart).setting(userId, 'message_content_in_email_notifications')
  );
}

/** The messages, the oldest first; those that do not fit any more are counted. */
export function sectionsOf(
  directory: Directory,
  siteUrl: string,
  messages: readonly WaitingMessage[],
): { readonly sections: readonly LetterSection[]; readonly omitted: number } {
  const sections: LetterSection[] = [];
  let length = 0;
  for (const { senderId, content, html } of messages) {
    length += content.length + html.length;
    if (length > LENGTH_MAX) break;
    const heading = directory.user(senderId)?.fullName ?? '';
    sections.push({ heading, text: content, html: absolute(html, siteUrl) });
  }
  return { sections, omitted: messages.length - sections.length };
}

/** Addresses within the server are relative in rendered messages, and a mail has no address of its own. */
function absolute(html: string, siteUrl: string): string {
  return html.replaceAll(/ (href|src)="\/(?!\/)/g, ` $1="${siteUrl}/`);
}
