import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Characters of records that are sorted in memory. */
const RUN_LENGTH = 32 * 1024 * 1024;
/** Runs, each an open file: together some 16 GB. */
const RUNS_MAX = 512;
/** Bytes that are read ahead of all runs together. */
const READ_AHEAD_BYTES = 32 * 1024 * 1024;
const NEWLINE = 0x0a;

/** The document has more records than can be sorted. */
export class TooManyRecords extends Error {
  constructor() {
    super(`It has more than ${RUNS_MAX * RUN_LENGTH} bytes of messages.`);
    this.name = 'TooManyRecords';
  }
}

/**
 * Sorts records by a number, in memory that does not grow with them: sorted runs are written to temporary files, and merged
 * when they are read. Records with the same number keep their order.
 */
export class SortedRecords<Item extends object> {
  #waiting: { readonly key: number; readonly text: string }[] = [];
  #waitingLength = 0;
  #runs = 0;

  private constructor(
    private readonly folder: string,
    private readonly keyOf: (item: Item) => number,
    private readonly runLength: number,
  ) {}

  static async create<Item extends object>(
    keyOf: (item: Item) => number,
    runLength = RUN_LENGTH,
  ): Promise<SortedRecords<Item>> {
    return new SortedRecords(await mkdtemp(join(tmpdir(), 'scrollback-import-')), keyOf, runLength);
  }

  /** @returns what to wait for, when there is anything to wait for; so most records take no turn of the event loop */
  add(item: Item): Promise<void> | undefined {
    const text = JSON.stringify(item);
    this.#waiting.push({ key: this.keyOf(item), text });
    this.#waitingLength += text.length;
    return this.#waitingLength >= this.runLength ? this.#writeRun() : undefined;
  }

  /** All records in order, some at a time. Nothing is added afterwards; they can be read again. */
  async *inOrder(): AsyncGenerator<readonly Item[], void, void> {
    if (this.#waiting.length > 0) await this.#writeRun();
    const runs: Run<Item>[] = [];
    try {
      const bytes = Math.max(16 * 1024, Math.floor(READ_AHEAD_BYTES / Math.max(this.#runs, 8)));
      for (let run = 0; run < this.#runs; run++)
        runs.push(await Run.open(join(this.folder, String(run)), this.keyOf, bytes));
      yield* merged(runs);
    } finally {
      for (const run of runs) await run.close();
    }
  }

  /** Removes the files. */
  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  async #writeRun(): Promise<void> {
    if (this.#runs === RUNS_MAX) throw new TooManyRecords();
    const sorted = this.#waiting.sort((a, b) => a.key - b.key);
    [this.#waiting, this.#waitingLength] = [[], 0];
    const file = await open(join(this.folder, String(this.#runs++)), 'wx', 0o600);
    try {
      for (let from = 0; from < sorted.length; from += LINES_AT_ONCE)
        await file.writeFile(
          sorted
            .slice(from, from + LINES_AT_ONCE)
            .map(({ text }) => `${text}\n`)
            .join(''),
        );
    } finally {
      await file.close();
    }
  }
}

const LINES_AT_ONCE = 1_000;

/** Yields whenever a run has to read on. */
async function* merged<Item>(runs: readonly Run<Item>[]): AsyncGenerator<readonly Item[], void, void> {
  const left = new Set(runs);
  let page: Item[] = [];
  for (;;) {
    let first: Run<Item> | undefined;
    for (const run of left) {
      if (!run.hasNext) {
        if (page.length > 0) yield page;
        page = [];
        if (!(await run.readOn())) left.delete(run);
      }
      if (run.hasNext && (first === undefined || run.nextKey < first.nextKey)) first = run;
    }
    if (first === undefined) break;
    page.push(first.take());
  }
  if (page.length > 0) yield page;
}

/** Records of one file, read piece by piece. */
class Run<Item> {
  #items: Item[] = [];
  #index = 0;
  #rest: Buffer[] = [];
  #key = 0;

  private constructor(
    private readonly file: FileHandle,
    private readonly keyOf: (item: Item) => number,
    private readonly bytes: number,
  ) {}

  static async open<Item>(path: string, keyOf: (item: Item) => number, bytes: number): Promise<Run<Item>> {
    return new Run(await open(path, 'r'), keyOf, bytes);
  }

  get hasNext(): boolean {
    return this.#index < this.#items.length;
  }

  get nextKey(): number {
    return this.#key;
  }

  take(): Item {
    const item = this.#items[this.#index++];
    if (item === undefined) throw new Error('The run has ended.');
    this.#look();
    return item;
  }

  /** @returns false at the end of the file */
  async readOn(): Promise<boolean> {
    for (;;) {
      const { buffer, bytesRead } = await this.file.read(Buffer.allocUnsafe(this.bytes), 0, this.bytes);
      if (bytesRead === 0) return false;
      const chunk = buffer.subarray(0, bytesRead);
      const end = chunk.lastIndexOf(NEWLINE);
      if (end === -1) {
        this.#rest.push(chunk);
        continue;
      }
      const text = Buffer.concat([...this.#rest, chunk.subarray(0, end)]).toString('utf8');
      this.#rest = [chunk.subarray(end + 1)];
      this.#items = text.split('\n').map((line) => JSON.parse(line) as Item);
      this.#index = 0;
      this.#look();
      return true;
    }
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  #look(): void {
    const next = this.#items[this.#index];
    if (next !== undefined) this.#key = this.keyOf(next);
  }
}
