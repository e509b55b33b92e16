import { PassThrough, type Readable } from 'node:stream';
import { ZipFile } from 'yazl';

/** An entry that is written when its turn comes. */
export interface EntrySource {
  readonly name: string;
  readonly bytes: number;
  /** Whether compressing is worth while: files of people mostly are compressed. */
  readonly compress: boolean;
  readonly open: () => Promise<Readable>;
}

/**
 * Writes a ZIP archive as a stream: one entry after the other, each opened when its turn comes, so memory does not grow with
 * the archive, except for some hundred bytes per entry.
 * @param modifiedAt of all entries; `no time` gives the same bytes whenever and in whichever time zone it is written
 */
export function archiveOf(entries: readonly EntrySource[], modifiedAt: Date | 'no time'): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream.pipe(new PassThrough());
  zip.on('error', (error: Error) => output.destroy(error));
  for (const { name, bytes, compress, open } of entries) {
    const options = {
      ...(modifiedAt === 'no time' ? { mtime: earlyDay(), forceDosTimestamp: true } : { mtime: modifiedAt }),
      size: bytes,
      ...(compress ? { compressionLevel: LEVEL } : { compress: false }),
    };
    zip.addReadStreamLazy(name, options, (done) => {
      open().then(
        (stream) => {
          // The library listens to its own stages, not to the source.
          stream.once('error', (error) => output.destroy(error));
          done(null, stream);
        },
        (error: unknown) => {
          output.destroy(error instanceof Error ? error : new Error(String(error)));
        },
      );
    });
  }
  zip.end();
  return output;
}

/** Among the first days that the format can tell, which it does without a zone: the same bytes in each. */
function earlyDay(): Date {
  return new Date(1980, 0, 2);
}

/** Half the time of the usual level 6, for some 10 % more bytes. */
const LEVEL = 3;
