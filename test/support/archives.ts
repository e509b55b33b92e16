import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { archiveOf } from '#archive';

/** Writes a ZIP archive; values other than text and bytes become JSON. */
export async function writeArchive(path: string, entries: Readonly<Record<string, unknown>>): Promise<void> {
  const sources = Object.entries(entries).map(([name, value]) => {
    const isText = typeof value === 'string' || Buffer.isBuffer(value);
    const content = Buffer.from(isText ? value : JSON.stringify(value));
    return { name, bytes: content.length, compress: true, open: () => Promise.resolve(Readable.from([content])) };
  });
  await pipeline(archiveOf(sources, new Date(0)), createWriteStream(path));
}
