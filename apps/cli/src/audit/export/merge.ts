import { existsSync } from 'node:fs';
import type { ExportFolder } from './export-folder.js';
import {
  type ChannelLine,
  channelsIn,
  type DamagedLine,
  type FileLine,
  type MessageLine,
  type Story,
  type UserLine,
  usersIn,
} from './export-row.js';
import { linesOf, storiesOf } from './line-file.js';
import { RECEIVED } from './download.js';

export const MESSAGES = 'messages.jsonl';
export const FILES = 'files.jsonl';
export const USERS = 'users.jsonl';
export const CHANNELS = 'channels.jsonl';

/** An uploaded file that a message refers to. */
export interface ExportedFile {
  readonly uploaded: FileLine;
  readonly removed?: FileLine;
  /** A message of the export that has it. */
  readonly messageId?: number | undefined;
}

/** Everything about the export that is small enough to be kept in memory: nothing of it grows with messages. */
export interface Merged {
  readonly files: ReadonlyMap<number, ExportedFile>;
  /** Those that are named in lines about messages. */
  readonly users: ReadonlyMap<number, UserLine>;
  readonly channels: ReadonlyMap<number, ChannelLine>;
  /** IDs of messages that were received. */
  readonly changed: ReadonlySet<number>;
  readonly messages: number;
  readonly damaged: readonly DamagedLine[];
  /** Place of the last event that was received, as stream and revision; undefined for none. */
  readonly last: string | undefined;
}

/** A line as it was received. */
type Received = ((MessageLine | FileLine | UserLine | ChannelLine) & Placed) | DamagedLine;

/** What was received beside the lines about messages. */
class Rest {
  readonly files = new Map<number, { uploaded?: FileLine; removed?: FileLine }>();
  readonly users = new Map<number, UserLine>();
  readonly channels = new Map<number, ChannelLine>();
  readonly changed = new Set<number>();
  /** By their places: a download that was broken off meets some twice. */
  readonly damaged = new Map<string, DamagedLine>();
  #last = { position: 0, place: undefined as string | undefined };

  get last(): string | undefined {
    return this.#last.place;
  }

  note(row: Received): void {
    if (row.type === 'user') this.users.set(row.user_id, bare(row));
    else if (row.type === 'channel') this.channels.set(row.channel_id, bare(row));
    else if (row.type === 'damaged') this.damaged.set(placeOf(row), row);
    else if (isAboutFile(row)) {
      if (this.noteFile(row)) this.#reached(row);
    } else {
      this.changed.add(row.message_id);
      this.#reached(row);
    }
  }

  /** @returns false for the removal of a file that no message of the export refers to */
  noteFile(row: FileLine): boolean {
    const {
      message_id: _,
      position: __,
      ...line
    } = row as FileLine & Partial<Record<'message_id' | 'position', number>>;
    const known = this.files.get(row.file_id);
    if (row.type === 'file_removed' && known === undefined) return false;
    this.files.set(row.file_id, { ...known, [row.type === 'file_uploaded' ? 'uploaded' : 'removed']: line });
    return true;
  }

  #reached({ position, stream, revision }: Placed): void {
    if (position > this.#last.position) this.#last = { position, place: `${stream}@${revision}` };
  }
}

interface Placed {
  readonly position: number;
  readonly stream: string;
  readonly revision: number;
}

function placeOf({ stream, revision, position }: Partial<Placed>): string {
  return stream === undefined || revision === undefined ? String(position) : `${stream}@${revision}`;
}

/** States without the place of the call that asked for them. */
function bare<Line extends UserLine | ChannelLine>(row: Line): Line {
  const {
    at: _,
    position: __,
    stream: ___,
    revision: ____,
    event: _____,
    ...line
  } = row as Line & Record<string, unknown>;
  return line as unknown as Line;
}

/** Puts what was received into the folder's lines: messages that it has already are replaced. The lines stay in the order of IDs. */
export async function merge(folder: ExportFolder): Promise<Merged> {
  const path = folder.draft(RECEIVED);
  const rest = new Rest();
  for await (const line of oldLines(folder, FILES)) rest.noteFile(JSON.parse(line) as FileLine);
  for await (const { text } of linesOf(path)) {
    const row = JSON.parse(text) as Received | { readonly type: 'end' };
    if (row.type !== 'end') rest.note(row);
  }
  const [users, channels] = [new Set<number>(), new Set<number>()];
  const messageOfFile = new Map<number, number>();
  let messages = 0;
  await folder.write(MESSAGES, lines());
  return {
    files: new Map([...rest.files].flatMap(([id, file]) => exported(id, file, messageOfFile)).sort(byId)),
    users: chosen(rest.users, users),
    channels: chosen(rest.channels, channels),
    changed: rest.changed,
    damaged: [...rest.damaged.values()],
    messages,
    last: rest.last,
  };

  async function* lines(): AsyncGenerator<string, void, void> {
    const old = existsSync(folder.at(MESSAGES)) ? storiesOf(folder.at(MESSAGES)) : none();
    const isKept = ({ lines }: Story): boolean => lines.some((line) => rest.damaged.has(placeOf(line)));
    for await (const story of replaced(old, receivedStories(path), isKept)) {
      messages++;
      for (const line of story.lines) {
        for (const id of usersIn(line)) users.add(id);
        for (const id of channelsIn(line)) channels.add(id);
        for (const file of line.files ?? []) messageOfFile.set(file.file_id, line.message_id);
        yield `${JSON.stringify(line)}\n`;
      }
    }
  }
}

/** Writes the lines that are not about messages. */
export async function writeRest(folder: ExportFolder, { files, users, channels }: Merged): Promise<void> {
  const fileLines = [...files.values()].flatMap(({ uploaded, removed }) => [uploaded, ...(removed ? [removed] : [])]);
  await folder.write(FILES, textOf(fileLines));
  await folder.write(USERS, textOf(users.values()));
  await folder.write(CHANNELS, textOf(channels.values()));
}

/** Whether the users and channels that the folder tells of are others than these. */
export async function namesDiffer(folder: ExportFolder, { users, channels }: Merged): Promise<boolean> {
  for (const [name, lines] of [
    [USERS, users],
    [CHANNELS, channels],
  ] as const) {
    const found: string[] = [];
    for await (const line of oldLines(folder, name)) found.push(line);
    const text = [...lines.values()].map((line) => JSON.stringify(line));
    if (text.join('\n') !== found.join('\n')) return true;
  }
  return false;
}

async function* textOf(lines: Iterable<object>): AsyncGenerator<string, void, void> {
  await Promise.resolve();
  for (const line of lines) yield `${JSON.stringify(line)}\n`;
}

async function* oldLines(folder: ExportFolder, name: string): AsyncGenerator<string, void, void> {
  if (folder.has(name)) for await (const { text } of linesOf(folder.at(name))) yield text;
}

async function* none(): AsyncGenerator<Story, void, void> {
  // A folder without messages.
}

/** What was received about messages, without positions: those of another store, or of a copy of the log, are others. */
async function* receivedStories(path: string): AsyncGenerator<Story, void, void> {
  let lines: MessageLine[] = [];
  for await (const { text } of linesOf(path)) {
    const { position: _, ...line } = JSON.parse(text) as { readonly position: number; readonly type: string };
    if (!isAboutMessage(line)) continue;
    const id = lines[0]?.message_id;
    if (id !== undefined && id !== line.message_id) {
      yield { id, lines };
      lines = [];
    }
    lines.push(line);
  }
  const [first] = lines;
  if (first !== undefined) yield { id: first.message_id, lines };
}

/**
 * Both sequences by ID; of two about one message, the second.
 * @param isKept whether an old one stays: it tells of a record that is damaged by now, so that the second lacks that
 */
async function* replaced(
  old: AsyncIterator<Story>,
  fresh: AsyncIterator<Story>,
  isKept: (story: Story) => boolean,
): AsyncGenerator<Story, void, void> {
  let [one, other] = [await old.next(), await fresh.next()];
  while (one.done !== true || other.done !== true) {
    const oldId = one.done === true ? Infinity : one.value.id;
    const freshId = other.done === true ? Infinity : other.value.id;
    if (other.done !== true && freshId <= oldId) {
      yield one.done !== true && freshId === oldId && isKept(one.value) ? one.value : other.value;
      other = await fresh.next();
    } else if (one.done !== true) yield one.value;
    if (one.done !== true && oldId <= freshId) one = await old.next();
  }
}

const ABOUT_OTHERS: ReadonlySet<string> = new Set([
  'file_uploaded',
  'file_removed',
  'user',
  'channel',
  'damaged',
  'end',
]);

function isAboutMessage(line: { readonly type: string }): line is MessageLine {
  return !ABOUT_OTHERS.has(line.type);
}

function isAboutFile(line: { readonly type: string }): line is FileLine {
  return line.type === 'file_uploaded' || line.type === 'file_removed';
}

function exported(
  id: number,
  { uploaded, removed }: { readonly uploaded?: FileLine; readonly removed?: FileLine },
  messageOfFile: ReadonlyMap<number, number>,
): (readonly [number, ExportedFile])[] {
  if (uploaded === undefined) return [];
  return [[id, { uploaded, ...(removed && { removed }), messageId: messageOfFile.get(id) }]];
}

const byId = ([a]: readonly [number, unknown], [b]: readonly [number, unknown]): number => a - b;

function chosen<Line>(lines: ReadonlyMap<number, Line>, ids: ReadonlySet<number>): Map<number, Line> {
  return new Map([...lines].filter(([id]) => ids.has(id)).sort(byId));
}
