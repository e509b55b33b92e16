import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import type { Story } from '../export-row.js';
import { DOMAIN, isoTime, type Names } from './names.js';
import { stateOf } from './state.js';

/** An attached file of the folder. */
export interface Attached {
  readonly path: string;
  readonly contentType: string;
}

const FOLDER_SIZE = 1000;
const FOLDER_DIGITS = 6;

/** A thousand messages in a folder. */
export function pathOfEml(id: number): string {
  const folder = String(Math.floor(id / FOLDER_SIZE)).padStart(FOLDER_DIGITS, '0');
  return `eml/${folder}/message-${id}.eml`;
}

/**
 * One message as a mail (RFC 5322): its last version is the text, its lines and its files are attached. Nothing in it is by clock or chance.
 * @param files in the order of their IDs
 */
export async function emlOf(story: Story, names: Names, files: readonly Attached[]): Promise<Readable> {
  const { id, senderId, sentAt, content, place, versions, deleted } = stateOf(story);
  const { channel_id: channel, topic = '', users = [] } = place;
  const history = story.lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const digest = digestOf(JSON.stringify(story.lines[0]));
  const to =
    channel === undefined
      ? users.map(({ user_id: userId }) => names.address(userId))
      : [{ name: `#${names.channel(channel)}`, address: `channel-${channel}@${DOMAIN}` }];
  return mail({
    from: names.address(senderId),
    to,
    subject: channel === undefined ? 'Direct message' : topic,
    date: new Date(sentAt * 1000),
    messageId: `<message-${id}.${digest}@${DOMAIN}>`,
    headers: {
      'X-Scrollback-Message': String(id),
      'X-Scrollback-Versions': String(versions.length),
      ...(deleted === undefined ? {} : { 'X-Scrollback-Deleted': isoTime(deleted.at) }),
    },
    text: content,
    attachments: [
      { filename: 'history.jsonl', content: history, contentType: 'application/jsonl' },
      ...files.map(({ path, contentType }) => ({
        filename: basename(path),
        content: createReadStream(path),
        contentType,
      })),
    ],
    baseBoundary: digestOf(history),
  });
}

/** What `mail` writes. */
export interface MailParts {
  readonly from: { readonly name: string; readonly address: string };
  readonly to: readonly { readonly name: string; readonly address: string }[];
  readonly subject: string;
  readonly date: Date;
  readonly messageId: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly attachments: readonly {
    readonly filename: string;
    readonly content: string | Readable;
    readonly contentType: string;
  }[];
  /** By which parts are told apart: it must occur in none of them, and follow from the content. */
  readonly baseBoundary: string;
}

/** A mail, as a stream. */
export async function mail({ baseBoundary, text, attachments, from, to, ...rest }: MailParts): Promise<Readable> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const given = new Map(Object.keys(rest.headers).map((name) => [name.toLowerCase(), name]));
  const composer = new MailComposer({
    ...rest,
    from: { ...from },
    to: to.map((one) => ({ ...one })),
    headers: { ...rest.headers },
    text: text.replaceAll(/\r\n|\r|\n/g, '\r\n'),
    attachments: attachments.map((one) => ({ ...one, contentTransferEncoding: 'base64' as const })),
    // As given: readers of such files compare names of headers letter by letter.
    normalizeHeaderKey: (key) => given.get(key.toLowerCase()) ?? key,
    baseBoundary,
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().createReadStream();
}

const DIGEST_LENGTH = 24;

/** Short, and the same for the same text. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, DIGEST_LENGTH);
}
