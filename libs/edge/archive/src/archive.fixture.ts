import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** Writes an archive with these entries; objects become JSON. */
export async function writeArchive(
  path: string,
  entries: Readonly<Record<string, string | Buffer | object>>,
): Promise<void> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(entries)) {
    const isText = typeof content === 'string' || Buffer.isBuffer(content);
    zip.addBuffer(Buffer.from(isText ? (content as string) : JSON.stringify(content)), name);
  }
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path));
}
