import { escapeText } from '#markdown';

/** What a mail says. */
export interface LetterContent {
  readonly subject: string;
  /** Plain text. */
  readonly paragraphs: readonly string[];
  /** A link, after the paragraphs. Its address has a line of its own, which is not broken. */
  readonly action?: { readonly label: string; readonly url: string };
  /** Plain text after the link. */
  readonly closing?: readonly string[];
  /** Shown as a quotation, after the paragraphs. Plain text. */
  readonly quote?: string;
  /** Texts written by other people, such as messages; they follow the quotation. */
  readonly sections?: readonly LetterSection[];
  /** Small print at the end. Plain text. */
  readonly footer?: readonly string[];
  /** Mails with the same name of a thread are shown together. Letters, digits and dashes. */
  readonly thread?: string;
  /** Where recipients unsubscribe, by one click in their mail program as well (RFC 8058). */
  readonly unsubscribeUrl?: string;
}

export interface LetterSection {
  /** Plain text. */
  readonly heading: string;
  /** Plain text. */
  readonly text: string;
  /** The same as markup, from a renderer that makes only safe markup. */
  readonly html: string;
}

/** A mail, ready to be sent. */
export interface Letter {
  /** Unique; becomes part of its Message-ID. */
  readonly mailId: string;
  /** Address of the recipient. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly thread?: string | undefined;
  readonly unsubscribeUrl?: string | undefined;
}

/** Writes the content both as plain text and as HTML. */
export function letterOf(mailId: string, to: string, content: LetterContent): Letter {
  const { subject, paragraphs, action, closing = [], quote, sections = [], footer = [] } = content;
  const { thread, unsubscribeUrl } = content;
  const quoted = quote === undefined || quote === '' ? undefined : quote;
  const text = [
    ...paragraphs,
    ...(action === undefined ? [] : [`${action.label}:\n${action.url}`]),
    ...closing,
    ...(quoted === undefined ? [] : [quoted.replaceAll(/^/gm, '> ')]),
    ...sections.map((section) => `${section.heading}\n\n${section.text}`),
    // Mail programs take what follows for a signature.
    ...(footer.length === 0 ? [] : [`-- \n${footer.join('\n')}`]),
  ].join('\n\n');
  const body = [
    ...paragraphs.map((paragraph) => `<p>${linesOf(paragraph)}</p>`),
    ...(action === undefined
      ? []
      : [`<p><a href=\n"${new URL(action.url).href}"\n>${escapeText(action.label)}</a></p>`]),
    ...closing.map((paragraph) => `<p>${linesOf(paragraph)}</p>`),
    ...(quoted === undefined ? [] : [`<blockquote>${linesOf(quoted)}</blockquote>`]),
    ...sections.map((section) => `<h3>${escapeText(section.heading)}</h3>\n<div>${section.html}</div>`),
    ...(footer.length === 0 ? [] : ['<hr>']),
    ...footer.map((line) => `<p><small>${linkedLine(line)}</small></p>`),
  ].join('\n');
  const title = escapeText(subject);
  const html = `<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>${title}</title></head>\n<body>\n${body}\n</body>\n</html>\n`;
  // A header is one line.
  const line = subject.replaceAll(/\s+/g, ' ').trim();
  return { mailId, to, subject: line, text: `${text}\n`, html, thread, unsubscribeUrl };
}

/** Addresses in a line become links. */
function linkedLine(line: string): string {
  return linesOf(line).replaceAll(/https?:\/\/[^\s<>"]+/g, (url) => `<a href=\n"${url}"\n>${url}</a>`);
}

function linesOf(text: string): string {
  return escapeText(text).replaceAll('\n', '<br>\n');
}
