import { Injectable } from '@nestjs/common';
import { type BlobInfo, type BlobSpace, BlobStore } from '#blob-store';
import { EventStore, streams } from '#event-store';
import { BY_SERVER, Clock } from '#kernel';
import { FileReferences, RecordedReferences } from '#reading';
import { PlannedContents } from '#plans';
import type { GatedWork, ReadSidePass } from '#read-store';
import { FileRemover } from '../attachments/file-remover.js';
import { pathIdOf } from '../model/file-path.js';
import { fileSpaceOf } from '../model/file-space.js';
import { type FileRow, FilesReader } from '../model/files.reader.js';
import { RecordedContent } from './recorded-content.js';

/** A file that nothing has referred to for five weeks was meant for a message that was never sent. */
export const UNUSED_AFTER_MS = 5 * 7 * 24 * 60 * 60 * 1_000;

/** Content that was stored since may belong to an upload that is not recorded yet: more than a request lasts. */
const UNRECORDED_MS = 60 * 60 * 1_000;

/** Files, and pieces of content, looked at in one round: a few milliseconds of work. */
const ROUND = 100;
/** A million files are looked at within a week. */
const ROUND_EVERY_MS = 60_000;
/** Reading the log may take seconds, and takes at most this share of the time. */
const LOG_SHARE_MAX = 0.02;
/** Content that waits for the log to be read. The next pass over all content finds more. */
const DOUBTFUL_MAX = 10_000;

/**
 * Removes files to which nothing refers any more, content that no file has, and what interrupted uploads have left behind.
 * It goes through all of them in small rounds: each process through all, since each begins anew; removing twice does no harm. The read models only say what may be
 * removed; nothing is before the log has said so as well (ADR 30).
 */
@Injectable()
export class FileCleanUp implements GatedWork {
  readonly name = 'unused-files';
  readonly complaint = 'Unused files cannot be removed at the moment.';
  readonly everyMs = ROUND_EVERY_MS;
  readonly removes = true;
  readonly isExclusive = true;
  readonly #space: BlobSpace;
  /** Files up to this ID were looked at in this pass. */
  #reached = 0;
  #contents: AsyncIterator<BlobInfo> | undefined;
  /** Content that may belong to no file, and was old before the pass of the next round is given. */
  #doubtful = new Set<string>();
  /** Earliest time at which the log is read again. */
  #logAgainMs = 0;

  constructor(
    private readonly files: FilesReader,
    private readonly references: FileReferences,
    private readonly recordedReferences: RecordedReferences,
    private readonly recordedContent: RecordedContent,
    private readonly planned: PlannedContents,
    private readonly remover: FileRemover,
    private readonly blobs: BlobStore,
    private readonly events: EventStore,
    private readonly clock: Clock,
  ) {
    this.#space = fileSpaceOf(blobs);
  }

  /** Looks at the next files, and at the next pieces of content. */
  async turn(pass: ReadSidePass): Promise<void> {
    const used = await this.#removeUnused(pass);
    const owned = await this.#removeUnowned(pass);
    await this.#lookAtContent();
    await this.blobs.cleanUp();
    // The rest of the round is right, whatever one read model lacks.
    assertNone(used, 'messages');
    assertNone(owned, 'files');
  }

  /** @returns files to which nothing refers, by the read models alone */
  async #removeUnused(pass: ReadSidePass): Promise<ReadonlySet<number>> {
    if (!this.#mayReadLog) return NONE;
    const rows = await this.files.after(this.#reached, ROUND);
    this.#reached = rows.length < ROUND ? 0 : (rows.at(-1)?.fileId ?? 0);
    const before = this.clock.nowMs() - UNUSED_AFTER_MS;
    const old = new Map(rows.filter(({ doc }) => doc.atMs < before).map((row) => [row.fileId, row]));
    const unused: FileRow[] = [];
    for (const fileId of await this.references.unreferenced([...old.keys()])) {
      const row = old.get(fileId);
      if (row !== undefined && !(await this.#isPlanned(row))) unused.push(row);
    }
    const [oldest] = unused;
    if (oldest === undefined) return NONE;
    const ids = new Set(unused.map(({ fileId }) => fileId));
    const used = await this.#fromLog(async () => this.recordedReferences.among(ids, await this.#upload(oldest.fileId)));
    await pass.assertValid();
    for (const row of unused) if (!used.has(row.fileId)) await this.remover.remove(row, 'unused', BY_SERVER);
    return used;
  }

  /** The place in the log of a file's upload: nothing can refer to it before. */
  async #upload(fileId: number): Promise<string> {
    const [uploaded] = await this.events.readStream(streams.files, { from: fileId - 1, limit: 1 });
    if (uploaded === undefined) throw new Error(`The log has no upload of the file ${fileId}.`);
    return this.events.checkpointAfter(uploaded);
  }

  /** Whether the uploader is about to send it: nobody else can read it, and refer to it. */
  async #isPlanned({ doc }: FileRow): Promise<boolean> {
    const path = pathIdOf(doc);
    return (await this.planned.of(doc.userId)).some((content) => content.includes(path));
  }

  /**
   * Removes content that was old in the last round: the read models have passed everything that could name it.
   * @returns content that no file has, by the read models alone
   */
  async #removeUnowned(pass: ReadSidePass): Promise<ReadonlySet<string>> {
    for (const hash of this.remover.takeLeft()) this.#doubtful.add(hash);
    for (const hash of this.#doubtful) if (await this.files.hasBlob(hash)) this.#doubtful.delete(hash);
    await pass.assertValid();
    if (this.#doubtful.size === 0 || !this.#mayReadLog) return NONE;
    const unowned = this.#doubtful;
    this.#doubtful = new Set();
    const owned = await this.#fromLog(() => this.recordedContent.namedAmong(unowned));
    const before = this.clock.nowMs() - UNRECORDED_MS;
    for (const hash of unowned) if (!owned.has(hash)) await this.#space.remove(hash, before);
    return owned;
  }

  async #lookAtContent(): Promise<void> {
    const before = this.clock.nowMs() - UNRECORDED_MS;
    for (let count = 0; count < ROUND && this.#doubtful.size < DOUBTFUL_MAX; count++) {
      this.#contents ??= this.#space.list()[Symbol.asyncIterator]();
      const next = await this.#contents.next();
      if (next.done === true) {
        this.#contents = undefined;
        return;
      }
      const { hash, storedAtMs } = next.value;
      if (storedAtMs < before && !(await this.files.hasBlob(hash))) this.#doubtful.add(hash);
    }
  }

  get #mayReadLog(): boolean {
    return performance.now() >= this.#logAgainMs;
  }

  async #fromLog<Found>(read: () => Promise<Found>): Promise<Found> {
    const beganMs = performance.now();
    try {
      return await read();
    } finally {
      const nowMs = performance.now();
      const tookMs = nowMs - beganMs;
      // Half a second, as of a log that fits into memory, delays no round.
      if (tookMs > 500) this.#logAgainMs = nowMs + tookMs / LOG_SHARE_MAX;
    }
  }
}

const NONE: ReadonlySet<never> = new Set();

/** @throws Error when a read model lacks what the log holds: nothing of it was removed */
function assertNone({ size }: ReadonlySet<unknown>, model: string): void {
  if (size > 0) throw new Error(`The read model ${model} lacks something that the log holds. Please rebuild it.`);
}
