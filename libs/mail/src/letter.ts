import { escapeText } from '#markdown';

/** What a mail says. */
export interface LetterContent {
  readonly subject: string;
  /** Plain text. */
  readonly paragraphs: readonly string[];
  /** Shown as a quotation, after the paragraphs. Plain text. */
  readonly quote?: string;
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
}

/** Writes the content both as plain text and as HTML. */
export function letterOf(mailId: string, to: string, { subject, paragraphs, quote }: LetterContent): Letter {
  const quoted = quote === undefined || quote === '' ? undefined : quote;
  const text = [...paragraphs, ...(quoted === undefined ? [] : [quoted.replaceAll(/^/gm, '> ')])].join('\n\n');
  const body = [
    ...paragraphs.map((paragraph) => `<p>${linesOf(paragraph)}</p>`),
    ...(quoted === undefined ? [] : [`<blockquote>${linesOf(quoted)}</blockquote>`]),
  ].join('\n');
  const title = escapeText(subject);
  const html = `<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>${title}</title></head>\n<body>\n${body}\n</body>\n</html>\n`;
  // A header is one line.
  return { mailId, to, subject: subject.replaceAll(/\s+/g, ' ').trim(), text: `${text}\n`, html };
}

function linesOf(text: string): string {
  return escapeText(text).replaceAll('\n', '<br>\n');
}
