import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { KeyValueStore } from './read-store.js';

/** An api without a sign of life for this long is gone. */
const GONE_AFTER_MS = 5_000;
const LOOK_EVERY_MS = 500;
const KIND = 'members';

/** What an api shows of itself every few seconds. */
export interface ApiSign {
  readonly id: string;
  /** Grows with each sign. */
  readonly beat: number;
  /** Which collections it reads (`readingOf`); undefined for a release that does not say. */
  readonly reads: string | undefined;
}

/** Identifies collections by their names: apis that read the same ones, of whichever release, have the same. */
export function readingOf(collections: readonly { readonly name: string }[]): string {
  const names = collections.map(({ name }) => name).sort();
  return createHash('sha256').update(names.join()).digest('base64url').slice(0, 22);
}

/** Signs of life of the apis on shared stores. */
export class ApiSigns {
  static readonly goneAfterMs = GONE_AFTER_MS;

  constructor(
    private readonly side: KeyValueStore,
    private readonly goneAfterMs = GONE_AFTER_MS,
    private readonly lookEveryMs = LOOK_EVERY_MS,
  ) {}

  async give({ id, beat, reads }: ApiSign): Promise<void> {
    await this.side.put(KIND, id, { beat, ...(reads !== undefined && { reads }) });
  }

  async remove(id: string): Promise<void> {
    await this.side.remove(KIND, id);
  }

  /** The last sign of each; that of a killed one is there until somebody removes it. */
  async all(): Promise<readonly ApiSign[]> {
    const signs = await this.side.list(KIND);
    return signs.map(({ id, value }) => ({
      id,
      beat: Number(value['beat']),
      reads: value['reads'] as string | undefined,
    }));
  }

  /** Whether an api lives that reads other collections, or does not say which. Takes seconds where one has given a sign once. */
  async areOthersAlive(reads: string): Promise<boolean> {
    const others = async () => (await this.all()).filter((sign) => sign.reads !== reads);
    const before = new Map((await others()).map(({ id, beat }) => [id, beat]));
    if (before.size === 0) return false;
    for (const untilMs = performance.now() + this.goneAfterMs; performance.now() < untilMs;) {
      await pause(this.lookEveryMs);
      if ((await others()).some(({ id, beat }) => before.get(id) !== beat)) return true;
    }
    return false;
  }
}
