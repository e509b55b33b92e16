import { existsSync } from 'node:fs';
import { link, readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AS_STORED, type EventStore, openEventStore } from '#event-store';
import { syncFolder } from '#kernel';
import { logFile, streamPrefix } from '../log-address.js';
import { createDurably, writeDurably } from './durable-file.js';
import type { BackedUpSecret } from './manifest.js';

/** Says which restore was begun in a data directory and did not end, and whether its log is in place. */
const MARK = 'restoring';
const IN_PLACE = 'The log is in place.';
/** What an earlier log leaves behind where its file was lost or moved away. SQLite, and the server, would take it for a part of the new one. */
const REST_OF_LOG = ['-wal', '-shm', '-journal', '.acknowledged', '.repairs'];

export interface RestorePlace {
  readonly dataDir: string;
  /** Address of the log to make. */
  readonly address: string;
  /** Tells one restore from another: what of which backup it makes. */
  readonly backup: string;
}

/** An empty place that a log is restored to, or one where the same restore was broken off. */
export class RestoreTarget {
  private constructor(
    private readonly place: RestorePlace,
    private readonly secrets: ReadonlySet<string>,
    /** The log of a restore that was broken off at its end is in place already. */
    private readonly isFilled: boolean,
  ) {}

  /** @throws Error when the place is not empty */
  static async prepare(place: RestorePlace): Promise<RestoreTarget> {
    const { dataDir, address, backup } = place;
    await createDurably(dataDir);
    const mark = join(dataDir, MARK);
    const [begun, state] = existsSync(mark) ? (await readFile(mark, 'utf8')).split('\n') : [];
    if (begun !== undefined && begun !== backup)
      throw new Error(`Another restore was begun in ${dataDir}. Empty it first, and the log, if that is on a server.`);
    const file = logFile(address);
    const there = await readdir(dataDir);
    if (begun !== undefined && file !== undefined && (state === IN_PLACE || (await isSameFile(file, draftOf(file)))))
      return new RestoreTarget(place, new Set(), true);
    if (file === undefined) {
      if (begun === undefined && !(await isEmpty(address)))
        throw new Error('The log to restore to has events already. Nothing was restored.');
    } else {
      if (begun === undefined && there.length > 0) throw new Error(`${dataDir} is not empty. Nothing was restored.`);
      if (existsSync(file)) throw new Error(`There is a log at ${file} already. Nothing was restored.`);
      const rest = REST_OF_LOG.map((end) => file + end).find((path) => existsSync(path));
      if (rest !== undefined)
        throw new Error(`${rest} is left of an earlier log. Move it away first. Nothing was restored.`);
    }
    await writeDurably(mark, Buffer.from(`${backup}\n`));
    return new RestoreTarget(place, new Set(begun === undefined ? there : []), false);
  }

  /** Where a secret belongs; undefined when there is one already. */
  secretPath(name: BackedUpSecret['name']): string | undefined {
    return this.secrets.has(name) ? undefined : join(this.place.dataDir, name);
  }

  /**
   * Fills the log. One in a file appears under its name when it is whole, so that no server starts with a part of it; on a server
   * an interrupted copy goes on.
   */
  async fill(copy: (store: EventStore, keepsOrder: boolean) => Promise<void>): Promise<void> {
    const { address, backup, dataDir } = this.place;
    const file = logFile(address);
    const mark = join(dataDir, MARK);
    if (file === undefined) await withStore(address, (store) => copy(store, false));
    else {
      if (!this.isFilled) await fillFile(file, (store) => copy(store, true));
      await writeDurably(mark, Buffer.from(`${backup}\n${IN_PLACE}\n`));
      await removeDraft(draftOf(file));
      await syncFolder(dirname(file));
    }
    await rm(mark);
  }
}

async function fillFile(file: string, copy: (store: EventStore) => Promise<void>): Promise<void> {
  const draft = draftOf(file);
  await removeDraft(draft);
  await withStore(`sqlite:${draft}`, copy);
  const rest = await stat(`${draft}-wal`).catch(() => undefined);
  if (rest !== undefined && rest.size > 0) throw new Error(`${draft} could not be completed.`);
  // Unlike a rename it fails when a server has made a log there meanwhile.
  await link(draft, file);
}

function draftOf(file: string): string {
  return `${file}.restoring`;
}

/** Whether both names are there, of one file. */
async function isSameFile(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([one, other].map((path) => stat(path).catch(() => undefined)));
  return first !== undefined && first.ino === second?.ino && first.dev === second.dev;
}

async function removeDraft(draft: string): Promise<void> {
  for (const name of await readdir(dirname(draft)).catch(() => []))
    if (name.startsWith(basename(draft))) await rm(join(dirname(draft), name));
}

async function isEmpty(address: string): Promise<boolean> {
  return withStore(address, async (store) => (await store.head()) === 0);
}

async function withStore<Result>(address: string, work: (store: EventStore) => Promise<Result>): Promise<Result> {
  const store = await openEventStore(address, AS_STORED, { streamPrefix: streamPrefix() });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
