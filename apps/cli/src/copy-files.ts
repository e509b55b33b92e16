import { FILE_SPACES } from '#archive';
import { type BlobSpace, type BlobStore, blobStoreComplaint, openBlobStore } from '#blob-store';
import { EXPORTS_SPACE } from '#export';
import { telling } from './until-interrupted.js';

const SPACES = [...FILE_SPACES, EXPORTS_SPACE];

export interface CopyFilesParts {
  /** Addresses as in UPLOADS_URL. */
  readonly from: string;
  readonly to: string;
  /** Local folder for content on its way into a storage that is no folder. */
  readonly stagingFolder: string;
  readonly signal: AbortSignal;
  /** Called about once a second, and at the end. */
  readonly tell: (line: string) => void;
}

export interface CopiedFiles {
  /** Content that the target had. */
  readonly found: number;
  readonly copied: number;
}

/**
 * Copies the content of files that the target lacks, also while servers use both: content never changes.
 * @throws Error for content that is not what its hash says
 */
export async function copyFiles({ from, to, stagingFolder, signal, tell }: CopyFilesParts): Promise<CopiedFiles> {
  if (from === to) throw new Error('These are one and the same storage.');
  const [source, target] = [open('from', from, stagingFolder), open('to', to, stagingFolder)];
  let [found, copied] = [0, 0];
  const say = (): void => {
    tell(`${found} files were there, ${copied} copied`);
  };
  return telling(say, async () => {
    for (const name of SPACES) {
      const [present, space] = [await sizesOf(target.space(name)), source.space(name)];
      for await (const { hash, size } of space.list()) {
        signal.throwIfAborted();
        if (present.get(hash) === size) found++;
        else if (await copy(hash, space, target.space(name))) copied++;
      }
    }
    return { found, copied };
  });
}

/** @returns false when it was removed meanwhile */
async function copy(hash: string, from: BlobSpace, to: BlobSpace): Promise<boolean> {
  const outcome = await copyContent(hash, from, to);
  if (outcome !== 'changed') return outcome === 'copied';
  throw new Error(`The content ${hash} is not what was uploaded. Restore it first; verify names all such content.`);
}

/** Copies one content; `changed` when the source has something else under its hash, and the target gets nothing. */
export async function copyContent(
  hash: string,
  from: BlobSpace,
  to: BlobSpace,
): Promise<'copied' | 'missing' | 'changed'> {
  const opened = await from.open(hash);
  if (opened === undefined) return 'missing';
  const staged = await to.stage(opened.content);
  if (staged.hash === hash) {
    await staged.keep();
    return 'copied';
  }
  await staged.discard();
  return 'changed';
}

async function sizesOf(space: BlobSpace): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>();
  for await (const { hash, size } of space.list()) sizes.set(hash, size);
  return sizes;
}

function open(which: 'from' | 'to', address: string, stagingFolder: string): BlobStore {
  const complaint = blobStoreComplaint(address);
  if (complaint !== undefined) throw new Error(`The storage to copy ${which}: ${complaint}`);
  return openBlobStore(address, { isOnlyUser: false, stagingFolder, mustExist: which === 'from' });
}
