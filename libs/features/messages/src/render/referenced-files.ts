import type { UploadMetadata } from '#markdown';
import type { User } from '#users/model';
import { described, integer, list, named, object, text, type Wire } from '#wire';

/** An uploaded file to which content may refer. */
export interface ReferencedFile {
  readonly fileId: number;
  /** The uploader. */
  readonly ownerId: number;
  readonly metadata: UploadMetadata;
}

/** A file as clients see it (objects.md, "Attachment"). Times are in milliseconds. */
export const AttachmentSchema = named(
  'Attachment',
  object({
    id: integer,
    name: text,
    path_id: text,
    size: described(integer, 'Bytes.'),
    create_time: described(integer, 'Milliseconds since the epoch.'),
    messages: list(object({ id: integer, date_sent: described(integer, 'Milliseconds since the epoch.') })),
  }),
);
/** Port to the uploaded files, which another feature keeps. */
export abstract class ReferencedFiles {
  /** The files that the author may read, by path ID; others are missing, whether they exist or not. */
  abstract readable(author: User, pathIds: readonly string[]): Promise<ReadonlyMap<string, ReferencedFile>>;

  /** The actor's own among these files that no message refers to any more (objects.md, "Attachment"). */
  abstract detached(actor: User, fileIds: readonly number[]): Promise<readonly Wire<typeof AttachmentSchema>[]>;
}

/** A path ID whose parts need no encoding, except for the name, up to its end. */
const ADDRESS = /\/user_uploads\/(\d{1,9}\/[0-9a-f]{2}\/[\w-]{1,40}\/[^\s/?#<>()[\]"'`]{1,1024})/g;
/** Each is looked up; a message of the usual length has room for about as many. */
const FILES_MAX = 100;

/**
 * Path IDs that content may refer to: more than it does, when one is inside code or followed by punctuation. Rendering
 * decides.
 */
export function addressedFiles(content: string): string[] {
  const found = new Set<string>();
  for (const [, encoded = ''] of content.matchAll(ADDRESS)) {
    // Punctuation after an address is not part of it.
    for (const address of new Set([encoded, encoded.replace(/[*_~|.,;:!]+$/, '')])) {
      try {
        found.add(decodeURIComponent(address));
      } catch {
        // A stray `%`: no file has such an address.
      }
    }
    if (found.size >= FILES_MAX) break;
  }
  return [...found];
}
