import { mkdtempSync, rmSync } from 'node:fs';
import { utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BlobSpace, type BlobStore, openBlobStore } from '#blob-store';
import { CommandRunner, EventRegistry, type RecordedEvent, SqliteEventStore, streams } from '#event-store';
import { BY_SERVER, newId } from '#kernel';
import { messageEventTypes, messages } from '#messages';
import { FileReferences, RecordedReferences } from '#reading';
import { ManualClock, type ReadSideInTrouble, turnOf } from '#testing';
import { FileRemover } from '../attachments/file-remover.js';
import { fileEventTypes, type FileUploaded } from '../model/file.events.js';
import { blobsOf, type FileDocument, fileIdOf, filesCollection, filesProjection } from '../model/files.projection.js';
import { FilesReader } from '../model/files.reader.js';
import { FileCleanUp } from './file-clean-up.js';
import { RecordedContent } from './recorded-content.js';

const registry = new EventRegistry([...fileEventTypes, ...messageEventTypes]);
const messagesProjection = messages.projections?.find(
  ({ collection }) => collection.name === 'messages',
) as typeof filesProjection;

/** What the clean-up may read and write. */
export const projections = [filesProjection, messagesProjection];

/** Processes one after the other, until one has come through. */
const PROCESSES_MAX = 5;
export const HOUR_MS = 60 * 60 * 1_000;
/** What happens in the middle of a round, by the number of the question before which it does. */
export type Interruptions = ReadonlyMap<number, () => Promise<void>>;

/** Files, messages that refer to them, and the clean-up, on a read side in trouble. */
export class CleanUpWorld {
  readonly clock = new ManualClock(Date.now());
  readonly #space: BlobSpace;
  readonly #runner: CommandRunner;
  readonly #remover: FileRemover;
  #side: ReadSideInTrouble | undefined;
  #cleanUp: FileCleanUp | undefined;
  #interruptions: Interruptions = new Map();
  #questions = 0;

  private constructor(
    private readonly folder: string,
    readonly events: SqliteEventStore,
    private readonly blobs: BlobStore,
  ) {
    this.#space = blobs.space('files');
    // Commands are recorded whatever state the read side is in.
    this.#runner = new CommandRunner(events, { assertAccepting: nothing, waitFor: nothing, sync: nothing } as never);
    this.#remover = new FileRemover(this.#runner, this.clock);
  }

  static async open(sideOn: (events: SqliteEventStore) => Promise<ReadSideInTrouble>): Promise<CleanUpWorld> {
    const folder = mkdtempSync(join(tmpdir(), 'clean-up-'));
    const events = SqliteEventStore.open(join(folder, 'events.db'), registry);
    const world = new CleanUpWorld(folder, events, openBlobStore(`file:${folder}`, { isOnlyUser: true }));
    world.#side = await sideOn(events);
    world.#cleanUp = world.#newCleanUp();
    return world;
  }

  get side(): ReadSideInTrouble {
    if (this.#side === undefined) throw new Error('The world is not open.');
    return this.#side;
  }

  /** Stores content, as an upload does before it is recorded. */
  async store(content: string): Promise<string> {
    const { hash } = await this.#space.put(Buffer.from(content));
    const seconds = this.clock.nowMs() / 1000;
    await utimes(join(this.folder, 'files', hash.slice(0, 2), hash), seconds, seconds);
    return hash;
  }

  async record(hash: string, size: number): Promise<void> {
    const token = `ab/${newId().replaceAll('-', '').slice(0, 24)}`;
    const data = { userId: 1, token, name: 'a.txt', contentType: 'text/plain', hash, size, atMs: this.clock.nowMs() };
    await this.#append(streams.files, 'file.uploaded.v1', data);
  }

  async removeFile(fileId: number): Promise<void> {
    const doc = await this.#uploaded(fileId);
    if (doc !== undefined) await this.#remover.remove({ fileId, doc }, 'asked', BY_SERVER);
  }

  async refer(fileId: number): Promise<void> {
    if ((await this.#uploaded(fileId)) === undefined) return;
    const files = [{ fileId, ownerId: 1 }];
    const at = this.clock.nowSeconds();
    const sent = { senderId: 1, channelId: 1, topic: 't', content: 'x', files, client: 'Test', at };
    await this.#append(streams.messages, 'message.sent.v1', sent);
  }

  async deleteMessage(messageId: number): Promise<void> {
    const place = { channelId: 1, topic: 't' };
    const data = { messageId, by: 1, place, at: this.clock.nowSeconds() };
    if ((await this.events.readStream(streams.messages, { from: messageId - 1, limit: 1 })).length > 0)
      await this.#append(streams.message(messageId), 'message.deleted.v1', data);
  }

  /** One round of the clean-up. Being refused is an outcome like others. */
  async round(interruptions: Interruptions = new Map()): Promise<void> {
    [this.#interruptions, this.#questions] = [interruptions, 0];
    const cleanUp = this.#cleanUp;
    const round = cleanUp === undefined ? Promise.resolve() : turnOf(cleanUp, this.side.gate);
    await round.catch((error: unknown) => {
      if (!isExpected(error)) throw error;
    });
    this.#interruptions = new Map();
  }

  /** Rounds over a read side that is whole again, until what nobody owns is gone. */
  async settle(): Promise<void> {
    await this.side.recover();
    this.clock.atMs += 2 * HOUR_MS;
    for (let process = 0; process < PROCESSES_MAX; process++) {
      // Where the log takes long to read, one that is new reads it at once.
      this.#cleanUp = this.#newCleanUp();
      for (let round = 0; round < 3; round++) await this.round();
      const { owned, stored } = await this.contents();
      if (stored.size === owned.size) return;
    }
  }

  /** Hashes that recorded files have, and those of the content that is there. */
  async contents(): Promise<{ readonly owned: ReadonlySet<string>; readonly stored: ReadonlySet<string> }> {
    const stored = new Set<string>();
    for await (const { hash } of this.#space.list()) stored.add(hash);
    const owned = new Map<number, readonly string[]>();
    for (const { type, data, revision } of await this.#log()) {
      if (type === 'file.uploaded.v1') owned.set(fileIdOf(revision), blobsOf(data as FileUploaded['data']));
      if (type === 'file.removed.v1') owned.delete((data as { fileId: number }).fileId);
    }
    return { owned: new Set([...owned.values()].flat()), stored };
  }

  /** Files that were removed as unused while a message referred to them. */
  async wronglyUnused(): Promise<readonly number[]> {
    const wrong: number[] = [];
    const references = new Map<number, number>();
    for (const { type, data, revision } of await this.#log()) {
      if (type === 'message.sent.v1') references.set(revision + 1, data.files[0].fileId);
      if (type === 'message.deleted.v1') references.delete(data.messageId);
      if (type === 'file.removed.v1' && data.reason === 'unused' && [...references.values()].includes(data.fileId))
        wrong.push(data.fileId);
    }
    return wrong;
  }

  async close(): Promise<void> {
    await this.side.close();
    await this.events.close();
    rmSync(this.folder, { recursive: true });
  }

  #newCleanUp(): FileCleanUp {
    const files = this.side.collection<FileDocument>(filesCollection);
    const found = this.side.collection<object>(messagesProjection.collection);
    const reader = {
      findIds: async (where: never, _: string, limit: number) =>
        (await found.find({ where, limit })).map(({ key }) => key),
    };
    return new FileCleanUp(
      this.#asked(new FilesReader(files)),
      this.#asked(new FileReferences({} as never, reader as never)),
      this.#asked(new RecordedReferences(this.events)),
      this.#asked(new RecordedContent(this.events)),
      { of: () => Promise.resolve([]) } as never,
      this.#remover,
      this.blobs,
      this.events,
      this.clock,
    );
  }

  /** Interrupts questions. */
  #asked<Asked extends object>(of: Asked): Asked {
    return new Proxy(of, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return async (...parameters: unknown[]): Promise<unknown> => {
          await this.#interruptions.get(this.#questions++)?.();
          return Reflect.apply(value, target, parameters) as unknown;
        };
      },
    });
  }

  async #uploaded(fileId: number): Promise<FileDocument | undefined> {
    const [event] = await this.events.readStream(streams.files, { from: fileId - 1, limit: 1 });
    return event && { ...event.data, blobs: blobsOf(event.data) };
  }

  async #append(stream: string, type: string, data: object): Promise<void> {
    await this.events.append(stream, 'any', [{ id: newId(), type, data }]);
  }

  async #log(): Promise<RecordedEvent[]> {
    const all: RecordedEvent[] = [];
    for await (const page of this.events.readAll({})) all.push(...page);
    return all;
  }
}

function nothing(): void {
  // Waits for nothing.
}

/** The read side is not whole, went away in the middle, or lacks what the log holds. */
function isExpected(error: unknown): boolean {
  const { code, statusCode, message } = error as { code?: string; statusCode?: number; message: string };
  return code === 'SERVER_NOT_READY' || statusCode === 503 || /Please rebuild it|is closed|not open/.test(message);
}
