import type { BlobStore } from '#blob-store';
import { AS_STORED, type Damage, DamagedRecord, type EventStore, type RecordedEvent } from '#event-store';
import { forEachInBatches } from '#kernel';
import { scrollback } from '#runtime';
import { ExpectedContents, hashIn, lookAtStored, ofLaterReleases } from '../contents.js';
import { copyContent } from '../copy-files.js';
import { logFile, openLog } from '../log-address.js';
import { telling } from '../until-interrupted.js';
import { assertWhole } from '../verify.js';
import { BackupFolder } from './backup-folder.js';
import { orNoRoom } from './durable-file.js';
import { BackupLog, isSmall, partTexts, type PartText, readPart, writePart } from './log-parts.js';
import type { BackedUpSecret } from './manifest.js';

/** Contents that are copied side by side: a bucket answers each after some milliseconds. */
const CONTENTS_AT_ONCE = 4;
/** Content that is removed while it is copied is named by a later event; then the log is read on, so often at most. */
const ROUNDS_MAX = 5;

export interface BackUpParts {
  readonly folder: string;
  /** Address of the log; its servers may run. */
  readonly address: string;
  /** Content of files; undefined when there is none. */
  readonly blobs: BlobStore | undefined;
  readonly secrets: readonly { readonly name: BackedUpSecret['name']; readonly content: Buffer }[];
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly tell: (line: string) => void;
}

export interface BackedUp {
  /** Events and files that this run has added. */
  readonly events: number;
  readonly files: number;
  /** Of the last event in the backup. */
  readonly position: number;
  /** Content that the log names and the storage does not have as it was uploaded, and types of events of later releases. */
  readonly wrong: number;
}

/**
 * Backs up a log, up to where it ends, and the content of all files that it names there; goes on with what the folder has. Content
 * is stored before the event that names it, so the log is read first and each content that it names is there, or was removed since:
 * then the log goes on with an event that says so.
 * @throws Error when the folder is the backup of another log, or its disk is full; DamagedRecord, when all before it is backed up;
 * BackupProblem; errors of the stores
 */
export async function backUp(parts: BackUpParts): Promise<BackedUp> {
  const { folder, address, secrets } = parts;
  const log = await openLog(address, AS_STORED);
  try {
    await assertWhole(log, logFile(address));
    const advice = 'The backup is as it was before, and goes on when there is room.';
    return await orNoRoom(folder, advice, async () => {
      const backup = await BackupFolder.open(folder, logFile(address) === undefined ? 'server' : 'file');
      try {
        for (const { name, content } of secrets) await backup.addSecret(name, content);
        return await new BackupRun(backup, log, parts).run();
      } finally {
        backup.close();
      }
    });
  } finally {
    await log.close();
  }
}

class BackupRun {
  #events = 0;
  #files = 0;
  #head = 0;
  /** Where the log cannot be read any further. */
  #damage: Damage | undefined;
  readonly #expected = new ExpectedContents(scrollback.features.contents);

  constructor(
    private readonly backup: BackupFolder,
    private readonly log: EventStore,
    private readonly parts: BackUpParts,
  ) {}

  async run(): Promise<BackedUp> {
    const { backup, parts } = this;
    const say = (): void => {
      const { position } = backup.manifest;
      parts.tell(`position ${position} of ${this.#head}, ${this.#events} events and ${this.#files} files added`);
    };
    const wrong = await telling(say, () => this.#add());
    for (const [content, what] of wrong) parts.tell(`The content ${content} is ${what}.`);
    const unknown = ofLaterReleases(this.#expected);
    if (unknown !== undefined) parts.tell(unknown);
    // What is missing is looked for by the next run as well, which may be one of a later release.
    if (wrong.size === 0 && this.#damage === undefined && unknown === undefined) backup.complete(parts.now());
    await backup.save();
    if (this.#damage !== undefined) throw new DamagedRecord(this.#damage.position, this.#damage.reason);
    return {
      events: this.#events,
      files: this.#files,
      position: backup.manifest.position,
      wrong: wrong.size + this.#expected.unknown.size,
    };
  }

  async #add(): Promise<ReadonlyMap<string, string>> {
    // A run that was broken off, or that missed content, has looked at these events in vain.
    const { files_position: from, position } = this.backup.manifest;
    if (from < position)
      for await (const page of new BackupLog(this.backup.folder, this.backup.manifest).after(from))
        for (const event of page) lookAtStored(event, this.#expected);
    for (let round = 1; ; round++) {
      await this.#appendLog();
      const wrong = await this.#copyContents();
      if (
        wrong.size === 0 ||
        round === ROUNDS_MAX ||
        this.#damage !== undefined ||
        (await this.log.head()) <= this.backup.manifest.position
      )
        return wrong;
    }
  }

  async #appendLog(): Promise<void> {
    const { folder, manifest } = this.backup;
    this.#head = await this.log.head();
    if (this.#head < manifest.position)
      throw new Error(
        `${folder} ends at position ${manifest.position} and this log at ${this.#head}. It is the backup of another log, or of another past of this one. Use an empty folder.`,
      );
    const events = this.#newEvents();
    const next = await events.next();
    if (next.done === true) return;
    const tail = manifest.parts.at(-1);
    const before = tail !== undefined && isSmall(tail) ? await readPart(folder, tail) : [];
    // One part is compressed and written while the events of the next one are read.
    let storing: Promise<void> = Promise.resolve();
    for await (const text of partTexts(joined(before, next.value, events))) {
      await storing;
      storing = this.#store(text);
      // Its failure is met above or below.
      storing.catch(() => undefined);
    }
    await storing;
    // Files are looked for by what is on the disk.
    await this.backup.save();
  }

  async #store(text: PartText): Promise<void> {
    const part = await writePart(this.backup.folder, text);
    await this.backup.addPart(part, this.log.checkpointAfter(text.last));
  }

  async *#newEvents(): AsyncGenerator<RecordedEvent, void, undefined> {
    const { checkpoint, position } = this.backup.manifest;
    try {
      // All before damage is backed up; what is behind it may contradict what is lost.
      const onDamage = (damage: Damage): void => {
        this.#damage ??= damage;
      };
      for await (const page of this.log.readAll({ ...(checkpoint !== null && { after: checkpoint }), onDamage })) {
        this.parts.signal.throwIfAborted();
        for (const event of page) {
          if (event.position > (this.#damage?.position ?? Infinity)) return;
          lookAtStored(event, this.#expected);
          this.#events++;
          yield event;
        }
      }
    } catch (error) {
      if (!(error instanceof DamagedRecord) || error.position !== position) throw error;
      throw new Error(
        `${this.backup.folder} is the backup of another log, or of another past of this one: position ${position} differs. Use an empty folder.`,
        { cause: error },
      );
    }
  }

  /** @returns what is wrong with each content that cannot be copied */
  async #copyContents(): Promise<ReadonlyMap<string, string>> {
    const { blobs, signal } = this.parts;
    const wrong = new Map<string, string>();
    await forEachInBatches(CONTENTS_AT_ONCE, [...this.#expected.all()], async ({ space, hash }) => {
      signal.throwIfAborted();
      const target = this.backup.files.space(space);
      if ((await target.stat(hash)) !== undefined) return;
      const outcome = blobs === undefined ? 'missing' : await copyContent(hash, blobs.space(space), target);
      if (outcome !== 'copied') {
        wrong.set(`${space}/${hash}`, outcome === 'missing' ? 'missing' : 'not what was uploaded');
        return;
      }
      if ((await hashIn(this.backup.files, space, hash)) !== hash)
        throw new Error(`The content ${space}/${hash} is not on the disk as it was written. Look at the disk.`);
      this.#files++;
    });
    return wrong;
  }
}

async function* joined(
  before: readonly RecordedEvent[],
  next: RecordedEvent,
  after: AsyncIterable<RecordedEvent>,
): AsyncGenerator<RecordedEvent, void, undefined> {
  yield* before;
  yield next;
  yield* after;
}
