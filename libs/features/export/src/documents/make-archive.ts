import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  ARCHIVE_FORMAT,
  archiveOf,
  type ArchiveKind,
  type EntrySource,
  FILE_SPACES,
  fileEntry,
  type Manifest,
  MANIFEST,
} from '#archive';
import type { BlobStore } from '#blob-store';
import type { EventRegistry, EventStore } from '#event-store';
import { type ArchivedMessages, ArchiveReaders } from '#reading';
import type { Directory } from '#people';
import { SERVER_VERSION } from '#realm/model';
import type { User } from '#users/model';
import type { ReadSidePass } from '#read-store';
import { LogPart } from './archived-log.js';
import {
  channelDocuments,
  groupDocuments,
  organizationDocument,
  personalDocument,
  userDocument,
} from './organization-documents.js';
import { type Part, WorkFolder } from './work-folder.js';

/** Message IDs in one document: some megabytes. */
const PART_IDS = 10_000;
/** Events in one document of the log. */
const PART_EVENTS = 20_000;

/** What an archive is made from. */
export interface ArchiveSource {
  readonly directory: Directory;
  readonly messages: ArchivedMessages;
  /** The log up to a position, for an archive of everything. */
  readonly log?: { readonly store: EventStore; readonly registry: EventRegistry; readonly through: number };
  /** Content of files, for an archive of everything. */
  readonly blobs?: BlobStore;
}

export interface ArchiveRequest {
  readonly kind: ArchiveKind;
  /** People who allow exports of what only they may read. */
  readonly people: readonly User[];
  /** Folder for the parts. */
  readonly folder: string;
  /** Tells archives in the same folder apart. */
  readonly name: string;
  readonly nowMs: number;
  readonly signal: AbortSignal;
  /** Called before each part, whose documents count if the read models were whole until its end; absent when nobody writes them. */
  readonly enter?: () => Promise<ReadSidePass>;
  /** Called after each part, with the documents written so far, of about so many. */
  readonly onProgress?: (done: number, total: number) => void | Promise<void>;
}

/** An archive whose parts are prepared. */
export interface PreparedArchive {
  readonly content: Readable;
  readonly manifest: Manifest;
  /** Removes the parts. */
  remove(): Promise<void>;
}

/** Prepares an archive (docs/export.md), or goes on with what an earlier attempt has prepared. */
export async function makeArchive(source: ArchiveSource, request: ArchiveRequest): Promise<PreparedArchive> {
  const { kind, people, nowMs, name } = request;
  const folder = await WorkFolder.open(
    request.folder,
    { name, kind, people: people.map(({ userId }) => userId) },
    { id: randomUUID(), lastMessageId: source.directory.lastMessageId, through: source.log?.through ?? 0 },
  );
  try {
    const making = new Making(source, request, folder);
    await making.run();
    const files = source.blobs === undefined ? [] : await contentsOf(source.blobs);
    const manifest: Manifest = {
      format: ARCHIVE_FORMAT,
      kind,
      id: String(folder.header['id']),
      organization: source.directory.organization.name,
      server_version: SERVER_VERSION,
      exported_at: Math.floor(nowMs / 1000),
      counts: { ...countsOf(folder.parts), files: files.length },
      entries: [
        ...folder.parts.map(({ name: entry, bytes, sha256 }) => ({ name: entry, bytes, sha256 })),
        ...files.map(({ name: entry, bytes, hash }) => ({ name: entry, bytes, sha256: hash })),
      ],
    };
    const parts = folder.parts.map((part) => folder.entryOf(part));
    const entries = [...parts, ...files, textEntry(MANIFEST, manifest)];
    return { content: archiveOf(entries, new Date(nowMs)), manifest, remove: () => folder.remove() };
  } catch (error) {
    await folder.close();
    throw error;
  }
}

/** Content of all files, which is read when the archive is written. */
async function contentsOf(blobs: BlobStore): Promise<(EntrySource & { readonly hash: string })[]> {
  const found: (EntrySource & { readonly hash: string })[] = [];
  for (const name of FILE_SPACES) {
    const space = blobs.space(name);
    for await (const { hash, size } of space.list())
      found.push({
        name: fileEntry(name, hash),
        bytes: size,
        hash,
        compress: false,
        async open() {
          const blob = await space.open(hash);
          if (blob === undefined) throw new Error(`The content ${hash} was removed meanwhile. Export again.`);
          return blob.content;
        },
      });
  }
  return found;
}

/** Documents by the first part of their entries' names. */
function countsOf(parts: readonly Part[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { name, documents } of parts) {
    const kind = name.replace(/[/.].*$/, '');
    counts[kind] = (counts[kind] ?? 0) + documents;
  }
  return counts;
}

function textEntry(name: string, document: object): EntrySource {
  const text = Buffer.from(`${JSON.stringify(document, null, 2)}\n`);
  return { name, bytes: text.length, compress: true, open: () => Promise.resolve(Readable.from([text])) };
}

/** Writes the parts that are missing. */
class Making {
  readonly #readers: ArchiveReaders | undefined;
  readonly #lastMessageId: number;
  #done = 0;

  constructor(
    private readonly source: ArchiveSource,
    private readonly request: ArchiveRequest,
    private readonly folder: WorkFolder,
  ) {
    const isWhole = request.kind === 'whole';
    this.#readers = isWhole ? undefined : new ArchiveReaders(source.directory, request.people);
    this.#lastMessageId = Number(folder.header['lastMessageId']);
  }

  async run(): Promise<void> {
    const { directory } = this.source;
    const people = this.#readers === undefined ? [...directory.users()] : this.request.people;
    await this.#part('organization.json', () => each([organizationDocument(directory)]));
    await this.#part('users.jsonl', () => each(this.#users()));
    await this.#part('groups.jsonl', () => each(groupDocuments(directory)));
    await this.#part('channels.jsonl', () => each(channelDocuments(directory, this.#readers)));
    if (this.#readers === undefined || people.length > 0) {
      await this.#part('personal.jsonl', () => each(people.map((user) => personalDocument(directory, user))));
      await this.#part('flags.jsonl', () => this.#flags(people));
    }
    for (let first = 1; first <= this.#lastMessageId; first += PART_IDS) {
      const last = Math.min(first + PART_IDS - 1, this.#lastMessageId);
      await this.#part(`messages/${numbered(Math.ceil(last / PART_IDS))}.jsonl`, () => this.#messages(first, last));
    }
    await this.#log();
  }

  async #part(name: string, lines: () => AsyncIterable<object>): Promise<void> {
    const pass = this.folder.find(name) === undefined ? await this.request.enter?.() : undefined;
    const part = await this.folder.write(name, () => ({ lines: over(pass, lines()) }), this.request.signal);
    await this.#progress(part);
  }

  async #progress({ documents }: Part): Promise<void> {
    this.#done += documents;
    const { log } = this.source;
    await this.request.onProgress?.(this.#done, this.#lastMessageId + (log?.through ?? 0));
  }

  *#users(): Generator<object> {
    const { directory } = this.source;
    const known = new Set(this.request.people.map(({ userId }) => userId));
    for (const user of directory.users())
      yield userDocument(user, this.#readers === undefined || known.has(user.userId));
  }

  async *#flags(people: readonly User[]): AsyncGenerator<object> {
    for (const { userId } of people)
      for (const [flag, ids] of await this.source.messages.flagsOf(userId)) yield { user_id: userId, flag, ids };
  }

  async *#messages(first: number, last: number): AsyncGenerator<object> {
    for (let after = first - 1; ;) {
      const { messages, reached, isLast } = await this.source.messages.page(after, last, this.#readers);
      yield* messages;
      if (isLast) return;
      after = reached;
    }
  }

  async #log(): Promise<void> {
    const { log } = this.source;
    if (log === undefined) return;
    let after: string | undefined;
    for (let number = 1; after !== ''; number++) {
      const events = new LogPart(log.store, log.registry, after, Number(this.folder.header['through']), PART_EVENTS);
      const name = `log/${numbered(number)}.jsonl`;
      const content = () => ({ lines: events.events(), next: () => events.next });
      const part: Part = await this.folder.write(name, content, this.request.signal);
      await this.#progress(part);
      after = part.next ?? '';
    }
  }
}

/** The documents; fails after the last one when the read models were not whole meanwhile, so that the part is not kept. */
async function* over(pass: ReadSidePass | undefined, lines: AsyncIterable<object>): AsyncGenerator<object> {
  yield* lines;
  await pass?.assertValid();
}

async function* each(documents: Iterable<object>): AsyncGenerator<object> {
  await Promise.resolve();
  yield* documents;
}

/** Sorts like the number. */
function numbered(number: number): string {
  return String(number).padStart(6, '0');
}
