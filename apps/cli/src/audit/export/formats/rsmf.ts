import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { archiveOf, type EntrySource } from '#archive';
import type { RowPlace } from '../export-row.js';
import { digestOf, mail } from './eml.js';
import { DOMAIN, isoTime, type Names } from './names.js';
import type { State } from './state.js';

const VERSION = '2.0.0';
/** Files with more events are slow to review. */
export const EVENTS_MAX = 10_000;
const DAY_LENGTH = 'YYYY-MM-DD'.length;

/** A conversation on a day. */
export interface Slice {
  readonly place: RowPlace;
  readonly day: string;
}

/** A topic or a direct conversation, as an ID without anybody's text. */
export function conversationId({ channel_id: channel, topic = '', users = [] }: RowPlace): string {
  if (channel !== undefined) return `channel-${channel}-${digestOf(topic)}`;
  return `direct-${digestOf(users.map(({ user_id: id }) => id).join(','))}`;
}

export function dayOf(seconds: number): string {
  return isoTime(seconds).slice(0, DAY_LENGTH);
}

/** @param part from 1: a day with very many messages has several */
export function pathOfRsmf(place: RowPlace, day: string, part: number): string {
  return `rsmf/${conversationId(place)}/${day}${part === 1 ? '' : `-${part}`}.rsmf`;
}

/** A file that a message refers to. */
export interface RsmfFile {
  readonly id: number;
  /** Path on this machine. */
  readonly path: string;
  readonly name: string;
  readonly size: number;
}

export interface RsmfParts {
  readonly slice: Slice;
  readonly part: number;
  readonly states: () => AsyncIterable<State>;
  readonly names: Names;
  readonly filesOf: (state: State) => readonly RsmfFile[];
  /** A path for a draft. */
  readonly draft: (name: string) => string;
}

interface Counts {
  events: number;
  attachments: number;
  first: number;
  last: number;
  readonly users: Set<number>;
  readonly files: Map<number, RsmfFile>;
}

/**
 * A conversation on a day in the Relativity Short Message Format: a mail with one attachment, a ZIP archive of a manifest and the files. The
 * events are written to drafts one by one, so that a long day needs no memory.
 */
export async function rsmfOf(parts: RsmfParts): Promise<Readable> {
  const { slice, part, names, draft } = parts;
  const counts: Counts = {
    ...{ events: 0, attachments: 0, first: Infinity, last: 0 },
    ...{ users: new Set<number>(), files: new Map<number, RsmfFile>() },
  };
  const [events, manifest, zip] = [draft('events.json'), draft('rsmf_manifest.json'), draft('rsmf.zip')];
  await written(events, eventsOf(parts, counts));
  await written(manifest, manifestOf(slice, names, counts, events));
  const entries = [
    entry('rsmf_manifest.json', manifest),
    ...[...counts.files.values()].map((file) => entry(nameOf(file), file.path)),
  ];
  await pipeline(archiveOf(await Promise.all(entries), 'no time'), createWriteStream(zip, { mode: 0o600 }));
  const id = conversationId(slice.place);
  return mail({
    from: { name: 'Scrollback', address: `export@${DOMAIN}` },
    to: [{ name: '', address: `${id}@${DOMAIN}` }],
    subject: `${names.place(slice.place)}, ${slice.day}`,
    date: new Date(counts.first * 1000),
    messageId: `<${id}.${slice.day}.${part}@${DOMAIN}>`,
    headers: {
      'X-RSMF-Version': VERSION,
      'X-RSMF-Generator': 'Scrollback',
      'X-RSMF-Application': 'Scrollback',
      'X-RSMF-BeginDate': isoTime(counts.first),
      'X-RSMF-EndDate': isoTime(counts.last),
      'X-RSMF-EventCount': String(counts.events),
      'X-RSMF-AttachmentCount': String(counts.attachments),
      'X-RSMF-EventCollectionID': id,
    },
    text: `${counts.events} messages of ${names.place(slice.place)} on ${slice.day}.`,
    attachments: [{ filename: 'rsmf.zip', content: createReadStream(zip), contentType: 'application/zip' }],
    baseBoundary: digestOf(`${id} ${slice.day} ${part}`),
  });
}

async function* eventsOf({ slice, states, filesOf }: RsmfParts, counts: Counts): AsyncGenerator<string, void, void> {
  for await (const state of states()) {
    const files = filesOf(state);
    for (const file of files) counts.files.set(file.id, file);
    for (const id of [state.senderId, ...[...state.reactions.values()].flat()]) counts.users.add(id);
    counts.attachments += files.length;
    counts.first = Math.min(counts.first, state.sentAt);
    counts.last = Math.max(counts.last, state.sentAt);
    yield `${counts.events++ === 0 ? '' : ','}\n${JSON.stringify(eventOf(state, slice.place, files))}`;
  }
}

function eventOf(state: State, place: RowPlace, files: readonly RsmfFile[]): object {
  const { id, senderId, sentAt, content, versions, deleted, reactions } = state;
  return {
    id: String(id),
    type: 'message',
    conversation: conversationId(place),
    participant: String(senderId),
    timestamp: isoTime(sentAt),
    body: content,
    deleted: deleted !== undefined,
    edits: versions.slice(1).map((edit, index) => ({
      participant: String(edit.actor.user_id ?? senderId),
      timestamp: isoTime(edit.at),
      previous: versions[index]?.content ?? '',
      new: edit.content ?? '',
    })),
    reactions: [...reactions].map(([value, users]) => ({
      value,
      count: users.length,
      participants: users.map(String),
    })),
    attachments: files.map((file) => ({ id: nameOf(file), display: file.name, size: file.size })),
  };
}

async function* manifestOf(
  { place }: Slice,
  names: Names,
  counts: Counts,
  events: string,
): AsyncGenerator<string | Buffer, void, void> {
  const inside = new Set([...(place.users ?? []).map(({ user_id: id }) => id), ...counts.users]);
  const ids = [...inside].sort((a, b) => a - b);
  const participants = ids.map((id) => ({ id: String(id), display: names.user(id), email: names.address(id).address }));
  const conversation = {
    id: conversationId(place),
    display: names.place(place),
    platform: 'Scrollback',
    type: place.channel_id === undefined ? 'direct' : 'channel',
    participants: ids.map(String),
  };
  const head = { version: VERSION, participants, conversations: [conversation], eventcollectionid: conversation.id };
  yield `${JSON.stringify(head).slice(0, -1)},"events":[`;
  yield* createReadStream(events) as AsyncIterable<Buffer>;
  yield ']}\n';
}

/** Files have names of their own in the archive: the safe ones of the folder. */
function nameOf({ path }: RsmfFile): string {
  return basename(path);
}

async function entry(name: string, path: string): Promise<EntrySource> {
  const { size } = await stat(path);
  return { name, bytes: size, compress: false, open: () => Promise.resolve(createReadStream(path)) };
}

function written(path: string, content: AsyncIterable<string | Buffer>): Promise<void> {
  return pipeline(Readable.from(content), createWriteStream(path, { mode: 0o600 }));
}
