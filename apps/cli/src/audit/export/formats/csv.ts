import type { MessageLine, Story } from '../export-row.js';
import { isoTime, type Names } from './names.js';

const COLUMNS = [
  'message_id',
  'type',
  'time',
  'actor_kind',
  'actor_id',
  'actor',
  'sender_id',
  'sender',
  'place',
  'moved_to',
  'version',
  'content',
  'emoji',
  'deleted_with',
  'file_ids',
  'stream',
  'revision',
] as const;

/** What a spreadsheet takes for a formula, also behind spaces and in the full width of East Asian texts. */
const FORMULA = /^[\s\u200b\ufeff]*[=+\-@|%\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;

/** One record for each line about a message (RFC 4180). */
export async function* csvOf(stories: AsyncIterable<Story>, names: Names): AsyncGenerator<string, void, void> {
  yield record(COLUMNS);
  for await (const { lines } of stories)
    for (const line of lines) {
      const fields = fieldsOf(line, names);
      yield record(COLUMNS.map((column) => fields[column] ?? ''));
    }
}

function fieldsOf(
  line: MessageLine,
  names: Names,
): Partial<Record<(typeof COLUMNS)[number], string | number | undefined>> {
  const { actor, sender, place, from, to, files = [] } = line;
  const where = from ?? place;
  return {
    message_id: line.message_id,
    type: line.type,
    time: isoTime(line.at),
    actor_kind: actor.kind,
    actor_id: actor.user_id,
    actor: names.user(actor.user_id),
    sender_id: sender?.user_id,
    sender: names.user(sender?.user_id),
    place: where === undefined ? '' : names.place(where),
    moved_to: to === undefined ? '' : names.place(to),
    version: line.version,
    content: line.content,
    emoji: line.emoji_name,
    deleted_with: line.deleted_with,
    file_ids: files.map(({ file_id: id }) => id).join(' '),
    stream: line.stream,
    revision: line.revision,
  };
}

function record(fields: readonly (string | number)[]): string {
  return `${fields.map(fieldOf).join(',')}\r\n`;
}

/** An apostrophe makes a text of what would be a formula. */
function fieldOf(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = value.replaceAll('\0', '\ufffd');
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
