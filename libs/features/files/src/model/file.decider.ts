import { Refusal, type Decider } from '#kernel';
import type { FileRemoved, FileUploaded } from './file.events.js';
import type { RemoveFile, UploadFile } from './file.commands.js';

/**
 * Decides an upload. The stream `files` has no state to decide on: the space in use comes with the command.
 * @throws Refusal REALM_UPLOAD_QUOTA
 */
export function decideUpload({ file, ...space }: UploadFile): FileUploaded {
  assertRoom(file.size, space);
  return { type: 'file.uploaded.v1', data: file };
}

/** @throws Refusal REALM_UPLOAD_QUOTA */
export function assertRoom(
  size: number,
  { usedBytes, quotaBytes }: Pick<UploadFile, 'usedBytes' | 'quotaBytes'>,
): void {
  if (quotaBytes !== undefined && usedBytes + size > quotaBytes)
    throw new Refusal('REALM_UPLOAD_QUOTA', "Upload would exceed your organization's upload quota.");
}

interface FileState {
  readonly isRemoved: boolean;
}

/** A file after its upload, in its stream `file-{id}`: it is removed once. */
export const fileDecider: Decider<FileState, RemoveFile, FileRemoved> = {
  initial: () => ({ isRemoved: false }),
  decide: ({ isRemoved }, { fileId, userId, size, reason, at }) =>
    isRemoved ? [] : [{ type: 'file.removed.v1', data: { fileId, userId, size, reason, at } }],
  evolve: () => ({ isRemoved: true }),
};
