import { ArchiveProblem } from './archive-problem.js';

/** Spaces of the store of files whose content belongs into an archive of everything. */
export const FILE_SPACES = ['files', 'avatars', 'emoji', 'branding'] as const;

const ENTRY = /^files\/([a-z]+)\/([0-9a-f]{64})$/;

/** Name of the entry with this content. */
export function fileEntry(space: string, hash: string): string {
  return `files/${space}/${hash}`;
}

/**
 * Space and hash of an entry with content; undefined for other entries.
 * @throws ArchiveProblem for an unknown space
 */
export function parsedFileEntry(name: string): { readonly space: string; readonly hash: string } | undefined {
  if (!name.startsWith('files/')) return undefined;
  const [, space = '', hash = ''] = ENTRY.exec(name) ?? [];
  if (!FILE_SPACES.some((known) => known === space)) throw new ArchiveProblem(name, 'it is no file of a known kind.');
  return { space, hash };
}
