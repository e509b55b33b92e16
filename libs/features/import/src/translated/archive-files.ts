import { basename } from 'node:path/posix';
import { ArchiveProblem, type ArchiveReader } from '#archive';
import type { BlobStore, StagedBlob } from '#blob-store';
import { type FileUploaded, fileSpaceOf, inspectUpload, type UploadSettings } from '#files';
import { Refusal } from '#kernel';
import type { Avatar } from '#users/model';
import { AvatarImages, type EmojiPicture, EmojiImages } from '#pictures';

/** Pictures of people and emoji are read as a whole. */
const PICTURE_BYTES_MAX = 5 * 1024 * 1024;

/** Content of a file as the server keeps it. */
export type FileContent = Pick<FileUploaded['data'], 'hash' | 'size' | 'contentType' | 'image'>;

/** Content in an archive that a translation refers to. Entries have to exist. */
export abstract class ArchiveFiles {
  constructor(protected readonly archive: ArchiveReader) {}

  abstract file(entry: string): Promise<FileContent>;

  /** @returns undefined for what is no image that this server draws */
  abstract avatar(entry: string): Promise<Avatar | undefined>;

  /** @returns undefined for what is no image that this server draws */
  abstract emoji(entry: string): Promise<EmojiPicture | undefined>;
}

const NO_HASH = '0'.repeat(64);

/** Reads content only to find out whether it can be read. */
export class CheckedFiles extends ArchiveFiles {
  override async file(entry: string): Promise<FileContent> {
    const { hash, bytes } = await this.archive.digest(entry);
    return { hash, size: bytes, contentType: 'application/octet-stream' };
  }

  override async avatar(entry: string): Promise<Avatar> {
    await this.archive.digest(entry);
    return { name: '0'.repeat(40), image: NO_HASH, medium: NO_HASH };
  }

  override async emoji(entry: string): Promise<EmojiPicture> {
    await this.archive.digest(entry);
    return { image: NO_HASH, format: 'png' };
  }
}

/** Stores content; what was stored already is stored again, and takes no further space. */
export class StoredFiles extends ArchiveFiles {
  constructor(
    archive: ArchiveReader,
    private readonly blobs: BlobStore,
    private readonly uploads: UploadSettings,
  ) {
    super(archive);
  }

  override async file(entry: string): Promise<FileContent> {
    const space = fileSpaceOf(this.blobs);
    const sent = await space.stage(this.archive.content(entry));
    let staged: Pick<StagedBlob, 'discard'> = sent;
    try {
      const upload = (staged = await inspectUpload(sent, space, this.uploads));
      return { contentType: upload.contentType, ...(await upload.keep()) };
    } finally {
      await staged.discard();
    }
  }

  override async avatar(entry: string): Promise<Avatar | undefined> {
    const picture = await this.#picture(entry);
    return picture && undrawable(() => new AvatarImages(this.blobs).store(picture));
  }

  override async emoji(entry: string): Promise<EmojiPicture | undefined> {
    const picture = await this.#picture(entry);
    return picture && undrawable(() => new EmojiImages(this.blobs).store(picture));
  }

  async #picture(entry: string): Promise<Buffer | undefined> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of this.archive.content(entry)) {
      chunks.push(chunk);
      if ((bytes += chunk.length) > PICTURE_BYTES_MAX) return undefined;
    }
    return Buffer.concat(chunks);
  }
}

/** The result; undefined when the image cannot be drawn. */
async function undrawable<Result>(draw: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await draw();
  } catch (error) {
    if (error instanceof Refusal && error.code === 'BAD_IMAGE') return undefined;
    throw error;
  }
}

/**
 * The entry that a document of the archive names by its path.
 * @throws ArchiveProblem for a path that leads outside
 */
export function entryNamed(
  archive: Pick<ArchiveReader, 'has'>,
  path: string,
  folders: readonly string[],
): string | undefined {
  const plain = path.replace(/^(?:\.?\/)+/, '');
  if (plain.split(/[/\\]/).includes('..')) throw new ArchiveProblem(path, 'its path leads outside.');
  return folders.map((folder) => folder + plain).find((entry) => archive.has(entry));
}

/** The last part of an entry's name. */
export function fileNameOf(entry: string): string {
  return basename(entry);
}
