import { where, type Collection, type Stored } from '#read-store';
import { parsePathId } from './file-path.js';
import type { FileDocument, SpaceDocument } from './files.projection.js';
import { SPACE_KEY } from './files.projection.js';

/** A file with its ID. */
export interface FileRow {
  readonly fileId: number;
  readonly doc: FileDocument;
}

/** Reads files. Does not check access (`ReadableFiles` does). */
export class FilesReader {
  constructor(private readonly files: Collection<FileDocument>) {}

  async get(fileId: number): Promise<FileRow | undefined> {
    const doc = await this.files.get(fileId);
    return doc && { fileId, doc };
  }

  async getMany(fileIds: readonly number[]): Promise<Map<number, FileRow>> {
    const found = await this.files.getMany(fileIds);
    return new Map([...found].map(([key, doc]) => [key as number, { fileId: key as number, doc }]));
  }

  /** The files of these path IDs, in any order. */
  async byPath(pathIds: readonly string[]): Promise<readonly FileRow[]> {
    const asked = new Map(
      pathIds.flatMap((pathId) => {
        const parsed = parsePathId(pathId);
        return parsed === undefined ? [] : [[parsed.token, parsed.name] as const];
      }),
    );
    if (asked.size === 0) return [];
    const found = await this.files.find({ where: where.in('token', [...asked.keys()]), limit: asked.size });
    return found.map(rowOf).filter(({ doc }) => asked.get(doc.token) === doc.name);
  }

  /** The user's files, by ID. */
  async ofUser(userId: number, limit: number): Promise<readonly FileRow[]> {
    return (await this.files.find({ where: where.eq('userId', userId), limit })).map(rowOf);
  }

  /** Files with IDs beyond this one, by ID. */
  async after(fileId: number, limit: number): Promise<readonly FileRow[]> {
    return (await this.files.find({ where: where.range('$key', { gt: fileId }), limit })).map(rowOf);
  }

  /** Whether a file has this content, also as a thumbnail. */
  async hasBlob(hash: string): Promise<boolean> {
    return (await this.files.findFields({ where: where.contains('blobs', hash), limit: 1 }, [])).length > 0;
  }
}

function rowOf({ key, doc }: Stored<FileDocument>): FileRow {
  return { fileId: key as number, doc };
}

/** Reads how much space all files take. */
export class SpaceReader {
  constructor(private readonly space: Collection<SpaceDocument>) {}

  /** Space that all files take, in bytes. */
  async used(): Promise<number> {
    return (await this.space.get(SPACE_KEY))?.bytes ?? 0;
  }
}
