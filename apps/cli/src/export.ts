import { createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Manifest } from '#archive';
import type { BlobStore } from '#blob-store';
import type { Damage } from '#event-store';
import { makeArchive, withWholeSource } from '#export';
import { scrollback } from '#runtime';
import { createDurably } from './backup/durable-file.js';
import { PastDamage } from './damage.js';
import { openLog } from './log-address.js';
import { type BarTerminal, ProgressBar } from './progress-bar.js';

export interface ExportParts {
  readonly address: string;
  /** Content of files; undefined when there is none. */
  readonly blobs: BlobStore | undefined;
  /** File to write. */
  readonly target: string;
  readonly nowMs: number;
  readonly signal: AbortSignal;
  readonly terminal: BarTerminal;
  /** Is called for each record that cannot be read, and is not in the archive. */
  readonly onDamage: (damage: Damage) => void;
}

/**
 * Writes an archive of everything from the log alone, also while a server writes it. Its parts are prepared in a folder beside
 * the file; an interrupted export goes on with those that are there.
 * @throws Error when the file exists
 */
export async function exportWhole(parts: ExportParts): Promise<Manifest> {
  const { address, blobs, target, nowMs, signal, terminal, onDamage } = parts;
  if (existsSync(target)) throw new Error(`${target} exists already.`);
  const folder = `${target}.parts`;
  await createDurably(folder);
  const log = new PastDamage(await openLog(address), onDamage);
  try {
    return await withWholeSource(log, scrollback, blobs, folder, async (source) => {
      const bar = new ProgressBar(terminal, 'Exporting', 'documents');
      let written = 0;
      const archive = await makeArchive(source, {
        kind: 'whole',
        people: [],
        folder: join(folder, 'documents'),
        name: source.directory.organization.uuid,
        nowMs,
        signal,
        onProgress: (done, total) => {
          bar.show((written = done), total);
        },
      });
      const file = createWriteStream(`${target}.tmp`, { mode: 0o600, flush: true });
      await pipeline(archive.content, file, { signal });
      await rename(`${target}.tmp`, target);
      bar.end(written);
      await archive.remove();
      await rm(folder, { recursive: true, force: true });
      return archive.manifest;
    });
  } finally {
    await log.close();
  }
}
